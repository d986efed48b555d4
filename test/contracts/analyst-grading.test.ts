import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../../bench/analyst/bench-table.js';
import { chiSquareTail, fisherTail, normalTails, studentTails } from '../../bench/analyst/distributions.js';
import { GoldAnswers } from '../../bench/analyst/gold.js';
import { gradeFigures, numbersIn, verdictIn, type FiguresWanted } from '../../bench/analyst/grade-figures.js';
import { gradeRows, type Rows, type RowsWanted } from '../../bench/analyst/grade-rows.js';
import { developmentQuestions } from '../../bench/analyst/question-files.js';
import { Random } from '../../bench/analyst/random.js';
import { ranks, STATISTICS } from '../../bench/analyst/statistics.js';
import { INVENTED_TABLES, WEATHER } from '../../bench/analyst/tables.js';

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

function figures(cells: FiguresWanted['cells'], changes: Partial<FiguresWanted> = {}): FiguresWanted {
  return { cells, verdict: null, decimals: null, percent: false, unsigned: false, ...changes };
}

describe('the grading of figures', () => {
  it.each<[string, string, FiguresWanted['cells'], FiguresWanted, string]>([
    ['as rounded as asked', 'The mean is **127.94**.', [], figures([127.9447], { decimals: 2 }), 'told'],
    ['with trailing zeros left out', 'It is 3.1.', [], figures([3.1], { decimals: 2 }), 'told'],
    ['rounded wrongly', 'The mean is 127.95.', [127.95], figures([127.9447], { decimals: 2 }), 'wrong'],
    ['with more decimals than asked', 'It is 127.9447.', [], figures([127.9447], { decimals: 2 }), 'held'],
    ['with fewer decimals than asked', 'It is 127.9.', [], figures([127.9447], { decimals: 2 }), 'wrong'],
    ['in the rows alone', 'See the table.', [127.9447], figures([127.9447], { decimals: 2 }), 'held'],
    ['nowhere', 'There are 150 rows.', [150], figures([127.9447], { decimals: 2 }), 'wrong'],
    ['two of two', 'Mean 2.50, median 2.00.', [], figures([2.5, 2], { decimals: 2 }), 'told'],
    ['one of two', 'Mean 2.50.', [], figures([2.5, 7], { decimals: 2 }), 'wrong'],
    ['with thousands parted', 'It is 1,234.50 in all.', [], figures([1234.5]), 'told'],
    ['with thin spaces', 'It is 1\u202f234.5.', [], figures([1234.5]), 'told'],
    ['with a real minus', 'It fell by \u221232.5 %.', [], figures([-32.46], { decimals: 1 }), 'told'],
    ['without its minus', 'It is 32.5.', [], figures([-32.46], { decimals: 1 }), 'wrong'],
    [
      'without a minus that tells nothing',
      'It is 32.5.',
      [],
      figures([-32.46], { decimals: 1, unsigned: true }),
      'told',
    ],
    [
      'as a fraction of percent',
      'The share is 0.085.',
      [0.0846],
      figures([8.46], { percent: true, decimals: 2 }),
      'held',
    ],
    ['as a fraction too coarse', 'It is 0.4.', [], figures([36.84], { percent: true, decimals: 1 }), 'wrong'],
    ['near one in the rows', 'See the table.', [42.5], figures([42.54], { decimals: 1 }), 'wrong'],
    ['as a fraction with its digits', 'It is 0.368.', [], figures([36.84], { percent: true, decimals: 1 }), 'told'],
    ['a close figure where none is stated', 'It is 0.812.', [], figures([0.81234]), 'told'],
    ['too coarse where none is stated', 'It is 0.8.', [], figures([0.81234]), 'wrong'],
    ['as an upper bound', 'p < 0.001', [], figures([0.00002], { decimals: 4 }), 'told'],
    ['as an upper bound that is too wide', 'p < 0.05', [], figures([0.002], { decimals: 4 }), 'wrong'],
    ['as a power of ten', 'p = 2.1e-8', [], figures([2.1e-8]), 'told'],
    ['a name', 'The column is chol: 18 are missing.', [], figures(['chol', 18]), 'told'],
    ['another name', 'The column is cholesterol: 18.', [], figures(['chol', 18]), 'wrong'],
    ['digits of a name', 'press-127 is hot', [], figures([12]), 'wrong'],
  ])('judges a figure told %s', (_, words, cells, gold, grade) => {
    expect(gradeFigures(words, cells, gold)).toBe(grade);
  });

  it.each<[string, 'significant' | 'normal' | 'yes', boolean | null]>([
    ['The difference is **significant** at 5 %.', 'significant', true],
    ['The difference is not significant at 5 %.', 'significant', false],
    ['The difference is not statistically significant.', 'significant', false],
    ['There is no significant difference.', 'significant', false],
    ["It isn't significant: p = 0.3.", 'significant', false],
    ['p = 0.3', 'significant', null],
    ['Yes: p = 0.003.', 'significant', true],
    ['No, p is 0.4.', 'significant', false],
    ['It looks normally distributed.', 'normal', true],
    ['It is not normally distributed.', 'normal', false],
    ['It departs from a normal distribution.', 'normal', false],
    ['**Yes**, by 3.', 'yes', true],
  ])('reads %j as a verdict', (words, about, verdict) => {
    expect(verdictIn(words, about)).toBe(verdict);
  });

  it('counts a right figure with the wrong verdict as wrong', () => {
    const gold = figures([0.53], { decimals: 2, verdict: { about: 'significant', holds: false } });
    expect(gradeFigures('p = 0.53: significant', [], gold)).toBe('wrong');
    expect(gradeFigures('p = 0.53: not significant', [], gold)).toBe('told');
  });

  it('does not take a repeated question for the answer', () => {
    const told = '**1. Is it significant at 0.05?**\n\nI did not read “significant” and “7”. It is **12.5**.';
    expect(gradeFigures(told, [], figures([0.05]))).toBe('wrong');
    expect(gradeFigures(told, [], figures([7]))).toBe('wrong');
    expect(gradeFigures(told, [], figures([12.5]))).toBe('told');
    const verdict = { about: 'significant', holds: true } as const;
    expect(gradeFigures(told, [], figures([12.5], { verdict }))).toBe('wrong');
    const both = `${told} That is significant.`;
    expect(gradeFigures(both, [], figures([12.5], { verdict }))).toBe('told');
  });

  it('finds the numbers of a text', () => {
    const values = numbersIn('From 5-8: 1,000 rows, -2.50 at q1, 3 × 10^4, escaped 4\\.5').map(({ value }) => value);
    expect(values).toEqual([5, 8, 1000, -2.5, 30_000, 4.5]);
  });
});

describe('the statistics of gold answers', () => {
  it('have the tails that tables of distributions print', () => {
    expect(studentTails(2.262157, 9)).toBeCloseTo(0.05, 6);
    expect(studentTails(-12.7062, 1)).toBeCloseTo(0.05, 5);
    expect(normalTails(1.959964)).toBeCloseTo(0.05, 6);
    expect(chiSquareTail(3.841459, 1)).toBeCloseTo(0.05, 6);
    expect(chiSquareTail(18.307038, 10)).toBeCloseTo(0.05, 6);
    expect(fisherTail(4.102821, 2, 10)).toBeCloseTo(0.05, 6);
    expect(fisherTail(4.964603, 1, 10)).toBeCloseTo(0.05, 6);
  });

  it('share ranks among equal values', () => {
    expect(ranks([10, 20, 10, 30])).toEqual([1.5, 3, 1.5, 4]);
  });

  it('find a line through points that lie on it', () => {
    const line = STATISTICS['regression']?.([
      [1, 0],
      [3, 1],
      [5, 2],
    ]);
    expect(line).toMatchObject({ slope: 2, intercept: 1, r2: 1 });
  });
});

describe('the gold answers', () => {
  it('all come out of their tables', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gold-'));
    try {
      const questions = await developmentQuestions();
      const golds = await GoldAnswers.open();
      for (const [index, table] of INVENTED_TABLES.entries()) {
        const path = join(folder, `${String(index)}.csv`);
        await writeFile(path, csvOf(table, new Random(1000 + index)));
        await golds.use(table, path);
        for (const question of questions.filter((one) => one.table === table.name)) await golds.of(question);
      }
      await golds.use(WEATHER, 'samples/weather.csv');
      for (const question of questions.filter(({ table }) => table === WEATHER.name)) await golds.of(question);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
