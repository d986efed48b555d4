import { describe, expect, it } from 'vitest';
import { gradeRows, type Rows, type RowsWanted } from '../../bench/reader/grade-rows.js';

function rowsOf(...rows: Rows['rows']): Rows {
  return { columns: rows[0]?.length ?? 0, rows };
}

function wanted(rows: Rows, changes: Partial<RowsWanted> = {}): RowsWanted {
  return { ...rows, ordered: null, decimals: null, percent: false, ...changes };
}

const BY_REGION = rowsOf(['north', 10], ['south', 2.5], ['west', 10]);

describe('the grading of rows', () => {
  it.each<[string, Rows[], RowsWanted, string]>([
    ['the same rows', [BY_REGION], wanted(BY_REGION), 'exact'],
    ['rows in another order', [rowsOf(['west', 10], ['south', 2.5], ['north', 10])], wanted(BY_REGION), 'exact'],
    ['columns in another order', [rowsOf([10, 'north'], [2.5, 'south'], [10, 'west'])], wanted(BY_REGION), 'exact'],
    ['a surplus column', [rowsOf(['north', 10, 1], ['south', 2.5, 2], ['west', 10, 3])], wanted(BY_REGION), 'surplus'],
    ['a missing column', [rowsOf(['north'], ['south'], ['west'])], wanted(BY_REGION), 'wrong'],
    ['a missing row', [rowsOf(['north', 10], ['south', 2.5])], wanted(BY_REGION), 'wrong'],
    ['a surplus row', [rowsOf(...BY_REGION.rows, ['east', 1])], wanted(BY_REGION), 'wrong'],
    ['a wrong figure', [rowsOf(['north', 10], ['south', 2.6], ['west', 10])], wanted(BY_REGION), 'wrong'],
    ['figures of other rows', [rowsOf(['north', 2.5], ['south', 10], ['west', 10])], wanted(BY_REGION), 'wrong'],
    ['a row twice', [rowsOf(['a', 1], ['a', 1], ['b', 1])], wanted(rowsOf(['a', 1], ['b', 1], ['b', 1])), 'wrong'],
    ['a difference in the last digit', [rowsOf([0.1 + 0.2])], wanted(rowsOf([0.3])), 'exact'],
    ['a rounded figure where none was asked for', [rowsOf([3.14])], wanted(rowsOf([3.14159])), 'wrong'],
    ['a rounded figure that was asked for', [rowsOf([3.14])], wanted(rowsOf([3.14159]), { decimals: 2 }), 'exact'],
    ['a fraction for percent', [rowsOf([0.25])], wanted(rowsOf([25]), { percent: true }), 'exact'],
    ['a fraction where percent is not meant', [rowsOf([0.25])], wanted(rowsOf([25])), 'wrong'],
    ['whole numbers as text', [rowsOf([17])], wanted(rowsOf(['17'])), 'exact'],
    ['a code without its zeros', [rowsOf([117])], wanted(rowsOf(['00117'])), 'wrong'],
    ['a day as a moment', [rowsOf(['2024-03-01T00:00:00.000Z'])], wanted(rowsOf(['2024-03-01'])), 'exact'],
    ['a year as the moment it begins', [rowsOf(['2024-01-01T00:00:00.000Z'])], wanted(rowsOf([2024])), 'exact'],
    ['another month', [rowsOf(['2024-02-01T00:00:00.000Z'])], wanted(rowsOf(['2024-03-01'])), 'wrong'],
    ['nothing for zero', [rowsOf([null])], wanted(rowsOf([0])), 'wrong'],
    ['truth as text', [rowsOf([true])], wanted(rowsOf(['true'])), 'exact'],
    ['no result', [], wanted(rowsOf([1])), 'wrong'],
    ['single figures one by one', [rowsOf([1]), rowsOf([2])], wanted(rowsOf([1, 2])), 'exact'],
    ['the right one of two results', [rowsOf([9]), BY_REGION], wanted(BY_REGION), 'exact'],
  ])('takes %s for what it is', (_, results, gold, grade) => {
    expect(gradeRows(results, gold)).toBe(grade);
  });

  const ranking = wanted(rowsOf(['a', 3], ['b', 2], ['c', 2], ['d', 1]), { ordered: 1 });

  it('wants the order that the question asks for', () => {
    expect(gradeRows([rowsOf(['d', 1], ['c', 2], ['b', 2], ['a', 3])], ranking)).toBe('wrong');
  });

  it('lets rows that tie come in any order', () => {
    expect(gradeRows([rowsOf(['a', 3], ['c', 2], ['b', 2], ['d', 1])], ranking)).toBe('exact');
  });
});
