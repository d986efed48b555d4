import { describe, expect, it } from 'vitest';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import { PlanTable } from './plan-compiler.fixture.js';
import { expectRow, statistic, tableOf } from './plan-compiler.statistic.fixture.js';

function groupsOf(groups: Readonly<Record<string, readonly number[]>>): Promise<PlanTable> {
  return tableOf(
    ['group', 'x'],
    Object.entries(groups).flatMap(([name, values]) => values.map((value) => [name, value])),
  );
}

/** Extra hours of sleep with two drugs ("Student", 1908), as R's `sleep` has them. */
const FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
/** R's `PlantGrowth`. */
const PLANTS = {
  ctrl: [4.17, 5.58, 5.18, 6.11, 4.5, 4.61, 5.17, 4.53, 5.33, 5.14],
  trt1: [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
  trt2: [6.31, 5.12, 5.54, 5.5, 5.37, 5.29, 4.92, 6.15, 5.8, 5.26],
};

describe('tests of two samples', () => {
  it('are those that R documents for the sleep data', async () => {
    const table = await groupsOf({ one: FIRST_DRUG, two: SECOND_DRUG });
    const plan = statistic({ columns: ['x'], by: 'group' });
    const welch = await table.answer({ ...plan, method: 'welch_t_test' });
    expect(welch.columns.map(({ name }) => name)).toEqual([
      ...['statistic', 'p-value', 'degrees of freedom', 'mean of one', 'mean of two'],
    ]);
    expectRow(welch.rows[0], [-1.8608134674868526, 0.0793941401873583, 17.776473516178488, 0.75, 2.33]);
    const student = await table.rows({ ...plan, method: 'student_t_test' });
    expectRow(student[0], [-1.8608134674868524, 0.07918671421593822, 18, 0.75, 2.33]);
  });

  it('are those that R documents for the same patients', async () => {
    const table = await tableOf(
      ['x', 'y'],
      FIRST_DRUG.map((value, index) => [value, SECOND_DRUG[index] ?? null]),
    );
    const paired = await table.rows(statistic({ method: 'paired_t_test' }));
    expectRow(paired[0], [-4.062127683382037, 0.002832890197384273, 9, 0.75, 2.33]);
    const single = await table.rows(statistic({ method: 'one_sample_t_test', columns: ['x'], value: 1 }));
    expectRow(single[0], [-0.44190338023794046, 0.6689866236146746, 9, 0.75]);
  });

  it('compare ranks as SciPy documents it, also with ties', async () => {
    const plan = statistic({ method: 'mann_whitney', columns: ['x'], by: 'group' });
    const ages = await groupsOf({ a: [19, 22, 16, 29, 24], b: [20, 11, 17, 12] });
    expectRow((await ages.rows(plan))[0], [17, 0.11134688653314041, null, 22, 15]);
    const tied = await groupsOf({ a: [1, 2, 2, 3, 5], b: [2, 4, 4, 6, 7, 8] });
    expectRow((await tied.rows(plan))[0], [5, 0.07934368319771502, null, 2.6, 31 / 6]);
  });
});

describe('tests of several samples', () => {
  it('are those that R documents for the plants', async () => {
    const table = await groupsOf(PLANTS);
    const plan = statistic({ columns: ['x'], by: 'group' });
    expectRow((await table.rows({ ...plan, method: 'anova' }))[0], [4.846087862380135, 0.015909958325622912, 3, 30]);
    const ranks = await table.rows({ ...plan, method: 'kruskal_wallis' });
    expectRow(ranks[0], [7.988228749443715, 0.018423755731471966, 3, 30]);
  });

  it('correct ranks for ties', async () => {
    const table = await groupsOf({ a: [1, 1, 2, 3], b: [2, 2, 4, 5], c: [3, 5, 5, 6] });
    const ranks = await table.rows(statistic({ method: 'kruskal_wallis', columns: ['x'], by: 'group' }));
    expectRow(ranks[0], [6.22735507246377, 0.0444372349394036, 3, 12]);
  });

  it('are that of Agresti’s table of parties, in R’s documentation of chi-square', async () => {
    const counts = [
      ['F', 'democrat', 762],
      ['F', 'independent', 327],
      ['F', 'republican', 468],
      ['M', 'democrat', 484],
      ['M', 'independent', 239],
      ['M', 'republican', 477],
    ] as const;
    const rows = counts.flatMap(([gender, party, n]) => Array.from({ length: n }, () => [gender, party]));
    const table = await tableOf(['x', 'y'], rows);
    const found = await table.rows(statistic({ method: 'chi_square' }));
    expectRow(found[0], [30.070149095754672, 2.9535891832117595e-7, 2, 2757]);
  });
});

describe('correlations', () => {
  it('are those that SciPy documents', async () => {
    const x = [1, 2, 3, 4, 5];
    const pairs = (y: readonly number[]): Promise<PlanTable> =>
      tableOf(
        ['x', 'y'],
        x.map((v, i) => [v, y[i] ?? null]),
      );
    const pearson = await (await pairs([10, 9, 2.5, 6, 4])).rows(statistic({}));
    expectRow(pearson[0], [-0.7426106572325056, 0.15055580885344547, 5]);
    const spearman = await (await pairs([5, 6, 7, 8, 7])).rows(statistic({ method: 'spearman' }));
    expectRow(spearman[0], [0.8207826816681233, 0.08858700531354384, 5]);
  });

  it('of all pairs come strongest first, each over the rows that have both', async () => {
    const table = await tableOf(
      ['a', 'b', 'c', 'd'],
      [
        [1, 2, 9, 5],
        [2, 4, 1, 5],
        [3, 6, 4, 5],
        [4, null, 2, 5],
      ],
    );
    const found = await table.rows(statistic({ method: 'correlation_matrix', columns: ['a', 'b', 'c', 'd'] }));
    expect(found.map((row) => row.slice(0, 2).join('')).join(' ')).toBe('ab ac bc ad bd cd');
    expectRow(found[0], ['a', 'b', 1, 0, 3]);
    // By hand: -9 / sqrt(5 * 38).
    expectRow(found[1]?.slice(2, 3), [-9 / Math.sqrt(190)]);
    expectRow(found[3], ['a', 'd', null, null, 4]);
  });
});

describe('tests of normality', () => {
  /** Shapiro and Wilk, 1965. */
  const weights = [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236];

  it('are those that SciPy documents', async () => {
    const table = await tableOf(
      ['x'],
      weights.map((weight) => [weight]),
    );
    const shapiro = await table.rows(statistic({ method: 'shapiro_wilk', columns: ['x'] }));
    expectRow(shapiro[0], [0.7888146948631716, 0.006703814061898823, 11], 5);
    const normality = await table.rows(statistic({ method: 'normality', columns: ['x'] }));
    expectRow(normality[0], [13.03426312119258, 0.0014779023013100174, 11]);
  });

  it('take an even sample of many values', async () => {
    const table = await PlanTable.of([['x', 'integer']], 'SELECT i FROM range(12345) t(i)');
    const [row] = await table.rows(statistic({ method: 'shapiro_wilk', columns: ['x'] }));
    // W of the whole numbers from 1 to 5,000, of SciPy 1.17; an even sample lies as straight.
    expectRow(row?.slice(0, 1), [0.9549060193583592], 4);
    expect(row?.[2]).toBe(5000);
  });
});

describe('a description', () => {
  it('has a row per column', async () => {
    const table = await tableOf(
      ['x', 'y'],
      [
        [1, 5],
        [2, null],
        [3, null],
        [10, null],
      ],
    );
    const { columns, rows } = await table.answer(statistic({ method: 'describe' }));
    expect(columns.map(({ name }) => name).join(', ')).toBe(
      'column, rows, missing, mean, standard deviation, lowest, 25 %, median, 75 %, highest',
    );
    expectRow(rows[0], ['x', 4, 0, 4, Math.sqrt((9 + 4 + 1 + 36) / 3), 1, 1.75, 2.5, 4.75, 10]);
    expectRow(rows[1], ['y', 1, 3, 5, null, 5, 5, 5, 5, 5]);
  });
});

describe('a statistic of little', () => {
  const methods = ['pearson', 'spearman', 'chi_square', 'correlation_matrix', 'paired_t_test', 'describe'] as const;

  it.each([
    ['no rows', [[null, null]]],
    ['one row', [[1, 2]]],
    [
      'two rows',
      [
        [1, 2],
        [2, 5],
      ],
    ],
    [
      'constant columns',
      [
        [1, 2],
        [1, 2],
        [1, 2],
      ],
    ],
    [
      'identical columns',
      [
        [1, 1],
        [2, 2],
        [5, 5],
      ],
    ],
  ])('has no figures that are none: %s', async (_, rows) => {
    const table = await tableOf(['x', 'y'], rows);
    const plans = [
      ...methods.map((method) => statistic({ method })),
      ...(['shapiro_wilk', 'normality', 'one_sample_t_test'] as const).map((method) =>
        statistic({ method, columns: ['x'], value: 0 }),
      ),
      ...(['anova', 'kruskal_wallis'] as const).map((method) => statistic({ method, columns: ['x'], by: 'y' })),
    ];
    for (const plan of plans) {
      const { columns, rows: found } = await table.answer(plan);
      expect(found.length).toBeGreaterThan(0);
      expect(found[0]).toHaveLength(columns.length);
      for (const cell of found.flat()) expect(typeof cell === 'number' ? Number.isFinite(cell) : true).toBe(true);
    }
  });

  it.each<[string, Partial<StatisticPlan>, RegExp]>([
    ['one column', { columns: ['x'] }, /pearson needs 2 columns/],
    ['the same column twice', { columns: ['x', 'X'] }, /different columns/],
    ['no groups', { method: 'anova', columns: ['x'] }, /a column that tells the groups/],
    ['a text', { columns: ['x', 'word'] }, /needs a column of numbers/],
    ['no value', { method: 'one_sample_t_test', columns: ['x'] }, /a value to compare/],
    ['too few numbers', { method: 'regression', at: [1, 2] }, /a number for each column/],
    ['three groups', { method: 'welch_t_test', columns: ['x'], by: 'word' }, /more than two/],
    ['no such column', { columns: ['x', 'nope'] }, /no column "nope"/],
  ])('is refused with a sentence: %s', async (_, part, sentence) => {
    const table = await tableOf(
      ['x', 'y', 'word'],
      [
        [1, 2, 'a'],
        [2, 3, 'b'],
        [3, 4, 'c'],
      ],
    );
    await expect(table.rows(statistic(part))).rejects.toThrow(sentence);
  });
});

it('takes derived columns and conditions', async () => {
  const table = await tableOf(
    ['x', 'y', 'keep'],
    [
      [1, 1, 1],
      [2, 4, 1],
      [3, 9, 1],
      [4, 16, 1],
      [99, 0, 0],
    ],
  );
  const plan = statistic({
    columns: ['x', 'root'],
    derived: [
      { name: 'root', expression: { kind: 'function', function: 'sqrt', of: { kind: 'column', column: 'y' } } },
    ],
    filters: [{ kind: 'compare', column: 'keep', operator: '=', value: 1 }],
  });
  expectRow((await table.rows(plan))[0], [1, 0, 4]);
});
