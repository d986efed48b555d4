import { describe, expect, it } from 'vitest';
import { notesIn, rangeOf, tablesIn } from './sheet-tables.js';

/** Cells are parted by commas; an empty row is not there. */
function sheet(text: string): ReturnType<typeof tablesIn> {
  const rows = text.split('\n').map((line, index) => ({ number: index + 1, cells: line.split(',') }));
  return tablesIn(rows.filter(({ cells }) => cells.some((cell) => cell !== '')));
}

const MONTHS = 'month,sales\n2024-01,1\n2024-02,2\n2024-03,3\n2024-04,4\n2024-05,5';

describe('a sheet', () => {
  it.each([
    ['one table behind empty rows and columns', '\n\n,,month,sales\n,,2024-01,1\n,,2024-02,2', ['C3:D5']],
    ['one below another', `${MONTHS}\n\nStaff\nname,hours\nAda,3\nEve,4`, ['A1:B6', 'A8:B11']],
    ['blocks of one table', 'shop,a\nx,1\ny,2\n\nz,3\n\nTotal,6', ['A1:B7']],
    ['blocks with the same header', 'shop,a\nx,1\ny,2\n\nshop,a\nz,3', ['A1:B6']],
    ['a remark of two cells below', 'shop,a\nx,1\ny,2\n\nsource,ERP', ['A1:B5']],
    [
      'one beside another',
      'month,sales,,name,hours\n2024-01,1,,Ada,3\n2024-02,2,,Eve,4\n2024-03,3\n2024-04,4',
      ['A1:B5', 'D1:E3'],
    ],
    ['an empty column within a table', 'month,a,,b,c\n2024-01,1,,2,3\n2024-02,1,,2,3\nTotal,2', ['A1:E4']],
    ['a column of remarks', 'month,a,,by,remark\n2024-01,1,,,\n2024-02,1,,Ada,1\n2024-03,1\n2024-04,1', ['A1:E5']],
  ])('has %s', (_, text, ranges) => {
    expect(sheet(text).map(rangeOf)).toEqual(ranges);
  });

  it('has notes behind an empty row, and rows of one cell that are none', () => {
    const [table] = sheet('a,b,c\n1,2,3\n4\n\nprovisional\nsource: ERP');
    expect([...notesIn(table!)]).toEqual([5, 6]);
  });
});
