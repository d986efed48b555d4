import { describe, expect, it } from 'vitest';
import { exportPath, exportsOf, generationFiles, generationOf, isExport, mergedBases } from './row-file-names.js';

describe('the files of a generation', () => {
  it('are read from the base that holds most later inserts, and those that it does not hold', () => {
    const names = [
      ...['base.1.0.duckdb', 'base.1.10.duckdb', 'base.1.9.duckdb', 'base.2.11.duckdb'],
      ...[
        'delta.1.12.duckdb',
        'delta.1.12.duckdb.wal',
        'delta.1.11.duckdb',
        'delta.1.10.duckdb',
        'delta.1.10.duckdb.wal',
      ],
      ...['delta.2.20.duckdb', 'delta.1.10.7.parquet', 'job.0123456789abcdef', 'rejects.1.ndjson'],
    ];
    expect(generationFiles(names, 1)).toEqual({
      merged: 10,
      deltas: [11, 12],
      oldBases: ['base.1.0.duckdb', 'base.1.9.duckdb'],
      oldDeltas: ['delta.1.10.duckdb', 'delta.1.10.duckdb.wal'],
    });
  });

  it('are none without a base, whatever lies beside it', () => {
    expect(generationFiles(['delta.1.1.duckdb', 'base.11.0.duckdb'], 1)).toMatchObject({ merged: null, oldDeltas: [] });
  });

  it('are told from those of other generations', () => {
    const names = ['base.1.0.duckdb', 'delta.23.4.duckdb.wal', 'delta.3.1.2.parquet', 'rejects.4.ndjson', 'job.12.x'];
    expect(names.map(generationOf)).toEqual([1, 23, 3, 4, null]);
  });

  it('that hold later inserts are not taken for what an import made', () => {
    expect(mergedBases(['base.1.0.duckdb', 'base.1.3.duckdb', 'base.2.3.duckdb', 'delta.1.3.duckdb'], 1)).toEqual([
      'base.1.3.duckdb',
    ]);
  });
});

describe('exports', () => {
  it('say beside which base they are and how many rows they have', () => {
    expect(exportPath('/rows', 3, 2, 120)).toBe('/rows/delta.3.2.120.parquet');
    expect(['delta.3.2.120.parquet', 'delta.3.2.120.parquet.tmp', 'delta.3.2.duckdb'].map(isExport)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('are in order: the newest base first, then the most rows', () => {
    const names = ['delta.3.0.900.parquet', 'delta.3.2.5.parquet', 'delta.3.2.12.parquet', 'delta.33.9.9.parquet'];
    expect(exportsOf(names, 3)).toEqual(['delta.3.2.12.parquet', 'delta.3.2.5.parquet', 'delta.3.0.900.parquet']);
  });
});
