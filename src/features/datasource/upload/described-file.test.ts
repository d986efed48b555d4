import { expect, it } from 'vitest';
import { plainDialect } from '../../../ports/csv-inspector.js';
import type { ColumnType } from '../../../ports/table.js';
import { chosenFiles, type DescribedFile, describedFile } from './described-file.js';

function sheet(name: string, types: readonly ColumnType[], rows: number): DescribedFile {
  const columns = types.map((_, place) => `c${place}`);
  const samples = Array.from({ length: rows }, () => columns.map(() => '1'));
  const found = { columns, types, timeFormats: types.map(() => null), sample: [], samples, size: 1 };
  const workbook = { workbook: 'report.xlsx' };
  return describedFile(name, 1, { ...found, dialect: plainDialect(types.length) }, workbook);
}

it('of a workbook the first sheet with a table is taken, which a cover is not, unless there is nothing else', () => {
  const cover = sheet('Cover', ['text', 'text'], 3);
  const names = (files: readonly DescribedFile[]): readonly string[] => chosenFiles(files, []).map(({ name }) => name);
  expect(names([cover, sheet('Orders', ['text', 'number'], 9), sheet('Staff', ['text', 'number'], 9)])).toEqual([
    'Orders',
  ]);
  expect(names([cover])).toEqual(['Cover']);
});
