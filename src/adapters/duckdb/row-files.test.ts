import { describe, expect, it } from 'vitest';
import { asId, type CompanyId, type DatasourceId } from '../../shared/ids.js';
import { assertRoomFor, exportPath, isExportOf, RowFiles } from './row-files.js';

const table = {
  companyId: asId<CompanyId>('a'.repeat(24)),
  datasourceId: asId<DatasourceId>('b'.repeat(24)),
  generation: 3,
};

describe('the files of rows', () => {
  const files = new RowFiles('/data');

  it('lie by company, datasource and generation', () => {
    const folder = `/data/rows/${'a'.repeat(24)}/${'b'.repeat(24)}`;
    expect(files.base(table)).toBe(`${folder}/base.3.duckdb`);
    expect(files.delta(table)).toBe(`${folder}/delta.3.duckdb`);
  });

  it('are not found by an id that could be a path', () => {
    expect(() => files.base({ ...table, companyId: asId('..') })).toThrow('datasource not found');
  });

  it('know their exports by generation', () => {
    const path = exportPath(files.delta(table), 120);
    expect(path).toMatch(/\/delta\.3\.120\.parquet$/);
    expect(isExportOf(files.delta(table), 'delta.3.120.parquet')).toBe(true);
    expect(isExportOf(files.delta(table), 'delta.33.120.parquet')).toBe(false);
    expect(isExportOf(files.delta(table), 'delta.3.duckdb')).toBe(false);
  });
});

describe('room on the disk', () => {
  it('is there or refused before anything is written', () => {
    expect(() => {
      assertRoomFor(100, 100);
    }).not.toThrow();
    expect(() => {
      assertRoomFor(3 * 1024 ** 2, 1024 ** 2);
    }).toThrow('no room left on the storage: the import needs 3 MB, 1 MB are free');
  });
});
