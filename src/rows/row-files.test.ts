import { describe, expect, it } from 'vitest';
import { asId, type CompanyId, type DatasourceId } from '../shared/ids.js';
import { assertRoomFor, RowFiles } from './row-files.js';

const table = {
  companyId: asId<CompanyId>('a'.repeat(24)),
  datasourceId: asId<DatasourceId>('b'.repeat(24)),
  generation: 3,
};

describe('the files of rows', () => {
  const files = new RowFiles('/data');

  it('lie by company, datasource and generation', () => {
    const folder = `/data/rows/${'a'.repeat(24)}/${'b'.repeat(24)}`;
    expect(files.base(table)).toBe(`${folder}/base.3.0.duckdb`);
    expect(files.folder(table.companyId, table.datasourceId)).toBe(folder);
  });

  it('are not found by an id that could be a path', () => {
    expect(() => files.base({ ...table, companyId: asId('..') })).toThrow('datasource not found');
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
    expect(() => {
      assertRoomFor(3 * 1024 ** 2, 1024 ** 2, 'compaction');
    }).toThrow('the compaction needs 3 MB');
  });
});
