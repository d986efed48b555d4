import { describe, expect, it } from 'vitest';
import { plainDialect } from '../../ports/csv-inspector.js';
import type { ColumnType } from '../../ports/table.js';
import { unite } from './united-table.js';
import { describedFile, type DescribedFile } from './upload/described-file.js';

function aFile(columns: Readonly<Record<string, readonly [ColumnType, string]>>, rows = 1): DescribedFile {
  const sample = Object.values(columns).map(([, cell]) => cell);
  return describedFile('a.csv', 100, {
    dialect: plainDialect(3),
    columns: Object.keys(columns),
    types: Object.values(columns).map(([type]) => type),
    timeFormats: [],
    sample: rows === 0 ? [] : sample,
    samples: Array.from({ length: rows }, () => sample),
    size: 100,
  });
}

describe('the table of several files', () => {
  it('has the columns of all as they appear, where names that differ in upper and lower case are one', () => {
    const one = aFile({ Temp: ['number', '1'], b: ['integer', '1'] });
    const other = aFile({ c: ['time', ''], temp: ['number', '2'] });
    const { columns, files } = unite([one, other]);
    expect(columns.map(({ name }) => name)).toEqual(['Temp', 'b', 'c']);
    expect(files.map((file) => file.columns)).toEqual([
      ['Temp', 'b'],
      ['c', 'Temp'],
    ]);
  });

  it.each([
    ['integer', 'number', 'number'],
    ['number', 'text', 'text'],
    ['boolean', 'integer', 'text'],
    ['time', 'number', 'text'],
  ] as const)('makes of %s and %s one %s', (one, other, wanted) => {
    const { columns } = unite([aFile({ a: [one, 'x'] }), aFile({ a: [other, 'x'] })]);
    expect(columns).toEqual([{ name: 'a', type: wanted }]);
  });

  it.each([
    ['$', '$', 'integer', ['$']],
    ['$', '', 'integer', ['$']],
    ['$', '€', 'text', ['']],
  ] as const)('makes of numbers with "%s" and "%s" one %s', (one, other, wanted, units) => {
    const file = aFile({ a: ['integer', '1'] });
    const { columns, files } = unite(
      [one, other].map((unit) => ({ ...file, dialect: { ...file.dialect, units: [unit] } })),
    );
    expect(columns).toEqual([{ name: 'a', type: wanted }]);
    expect(files.map(({ dialect }) => dialect.units)).toEqual([units, units]);
  });

  it('does not ask a file in which the column is empty, nor one without rows', () => {
    const whole = aFile({ a: ['integer', '1'] });
    for (const files of [
      [aFile({ a: ['text', 'NA'] }), whole, aFile({ a: ['text', ''] })],
      [aFile({ a: ['text', ''], z: ['text', ''] }, 0), whole],
    ])
      expect(unite(files).columns).toEqual([{ name: 'a', type: 'integer' }]);
  });
});
