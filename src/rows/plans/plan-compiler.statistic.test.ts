import { describe, expect, it } from 'vitest';
import type { StatisticPlan } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';
import { PlanTable } from './plan-compiler.fixture.js';

function statistic(part: Partial<StatisticPlan>): StatisticPlan {
  return { kind: 'statistic', method: 'pearson', columns: ['x', 'y'], by: null, filters: [], ...part };
}

/** A table of numbers, and of groups where a row begins with a text. */
async function tableOf(
  names: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): Promise<PlanTable> {
  const columns = names.map((name, index) => [name, typeof rows[0]?.[index] === 'string' ? 'text' : 'number'] as const);
  const literal = (value: string | number | null): string =>
    typeof value === 'string' ? `'${value}'` : value === null ? 'NULL' : `${value}::DOUBLE`;
  return PlanTable.of(columns, `VALUES ${rows.map((row) => `(${row.map(literal).join(', ')})`).join(', ')}`);
}

/** As `tableOf`, column by column. */
function columnsOf(columns: Readonly<Record<string, readonly (string | number | null)[]>>): Promise<PlanTable> {
  const [first = []] = Object.values(columns);
  const rows = first.map((_, row) => Object.values(columns).map((values) => values[row] ?? null));
  return tableOf(Object.keys(columns), rows);
}

/** Relative to what is expected, to so many digits. */
function expectRow(found: readonly Cell[] | undefined, expected: readonly Cell[], digits = 6): void {
  expect(found).toHaveLength(expected.length);
  expected.forEach((value, index) => {
    if (typeof value === 'number')
      expect(Number(found?.[index]) / (value || 1)).toBeCloseTo(value === 0 ? 0 : 1, digits);
    else expect(found?.[index]).toBe(value);
  });
}

type Columns = Readonly<Record<string, readonly (string | number)[]>>;

/** Values of several groups, one under the other. */
function groups(values: Readonly<Record<string, readonly number[]>>): Columns {
  const rows = Object.entries(values).flatMap(([name, all]) => all.map((value) => [name, value] as const));
  return { group: rows.map(([name]) => name), x: rows.map(([, value]) => value) };
}

/** Extra hours of sleep with two drugs ("Student", 1908), as R's `sleep` has them. */
const FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
const SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
const SLEEP = groups({ one: FIRST_DRUG, two: SECOND_DRUG });
const SAME_PATIENTS = { x: FIRST_DRUG, y: SECOND_DRUG };
/** R's `PlantGrowth`. */
const PLANTS = groups({
  ctrl: [4.17, 5.58, 5.18, 6.11, 4.5, 4.61, 5.17, 4.53, 5.33, 5.14],
  trt1: [4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69],
  trt2: [6.31, 5.12, 5.54, 5.5, 5.37, 5.29, 4.92, 6.15, 5.8, 5.26],
});
/** Agresti's table of parties, in R's documentation of chi-square. */
const PARTIES = ((): Columns => {
  const counts = { 'F dem': 762, 'F ind': 327, 'F rep': 468, 'M dem': 484, 'M ind': 239, 'M rep': 477 };
  const rows = Object.entries(counts).flatMap(([cell, n]) => Array.from({ length: n }, () => cell.split(' ')));
  return { x: rows.map(([sex = '']) => sex), y: rows.map(([, party = '']) => party) };
})();
/** Of SciPy's documentation, as are those below. */
const PAIRS = { x: [1, 2, 3, 4, 5], y: [10, 9, 2.5, 6, 4], z: [5, 6, 7, 8, 7] };
const AGES = groups({ a: [19, 22, 16, 29, 24], b: [20, 11, 17, 12] });
const TIED_TWO = groups({ a: [1, 2, 2, 3, 5], b: [2, 4, 4, 6, 7, 8] });
const TIED_THREE = groups({ a: [1, 1, 2, 3], b: [2, 2, 4, 5], c: [3, 5, 5, 6] });
/** Shapiro and Wilk, 1965. */
const WEIGHTS = { x: [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236] };
const BY_GROUP = { columns: ['x'], by: 'group' };
const OF_X = { columns: ['x'] };

describe('a test', () => {
  it.each<[StatisticPlan['method'], Columns, Partial<StatisticPlan>, readonly Cell[], digits?: number]>([
    ['welch_t_test', SLEEP, BY_GROUP, [-1.8608134674868526, 0.0793941401873583, 17.776473516178488, 0.75, 2.33]],
    ['student_t_test', SLEEP, BY_GROUP, [-1.8608134674868524, 0.07918671421593822, 18, 0.75, 2.33]],
    ['paired_t_test', SAME_PATIENTS, {}, [-4.062127683382037, 0.002832890197384273, 9, 0.75, 2.33]],
    ['one_sample_t_test', SAME_PATIENTS, { ...OF_X, value: 1 }, [-0.44190338023794046, 0.6689866236146746, 9, 0.75]],
    ['mann_whitney', AGES, BY_GROUP, [17, 0.11134688653314041, null, 22, 15]],
    ['mann_whitney', TIED_TWO, BY_GROUP, [5, 0.07934368319771502, null, 2.6, 31 / 6]],
    ['anova', PLANTS, BY_GROUP, [4.846087862380135, 0.015909958325622912, 3, 30]],
    ['kruskal_wallis', PLANTS, BY_GROUP, [7.988228749443715, 0.018423755731471966, 3, 30]],
    ['kruskal_wallis', TIED_THREE, BY_GROUP, [6.22735507246377, 0.0444372349394036, 3, 12]],
    ['chi_square', PARTIES, {}, [30.070149095754672, 2.9535891832117595e-7, 2, 2757]],
    ['pearson', PAIRS, {}, [-0.7426106572325056, 0.15055580885344547, 5]],
    ['spearman', PAIRS, { columns: ['x', 'z'] }, [0.8207826816681233, 0.08858700531354384, 5]],
    ['shapiro_wilk', WEIGHTS, OF_X, [0.7888146948631716, 0.006703814061898823, 11], 5],
    ['normality', WEIGHTS, OF_X, [13.03426312119258, 0.0014779023013100174, 11]],
  ])('%s gives what R and SciPy document', async (method, columns, part, expected, digits) => {
    const rows = await (await columnsOf(columns)).rows(statistic({ method, ...part }));
    expectRow(rows[0], expected, digits);
  });

  it('tells the groups that it compares', async () => {
    const { columns } = await (await columnsOf(SLEEP)).answer(statistic({ method: 'welch_t_test', ...BY_GROUP }));
    const names = ['statistic', 'p-value', 'degrees of freedom', 'mean of one', 'mean of two'];
    expect(columns.map(({ name }) => name)).toEqual(names);
  });

  it('of normality takes an even sample of many values', async () => {
    const table = await PlanTable.of([['x', 'integer']], 'SELECT i FROM range(12345) t(i)');
    const [row] = await table.rows(statistic({ method: 'shapiro_wilk', columns: ['x'] }));
    // W of the whole numbers from 1 to 5,000, of SciPy 1.17; an even sample lies as straight.
    expectRow(row?.slice(0, 1), [0.9549060193583592], 4);
    expect(row?.[2]).toBe(5000);
  });

  it('of all pairs of columns comes strongest first, each over the rows that have both', async () => {
    const table = await columnsOf({ a: [1, 2, 3, 4], b: [2, 4, 6, null], c: [9, 1, 4, 2], d: [5, 5, 5, 5] });
    const found = await table.rows(statistic({ method: 'correlation_matrix', columns: ['a', 'b', 'c', 'd'] }));
    expect(found.map((row) => row.slice(0, 2).join('')).join(' ')).toBe('ab ac bc ad bd cd');
    expectRow(found[0], ['a', 'b', 1, 0, 3]);
    // By hand: -9 / sqrt(5 * 38).
    expectRow(found[1]?.slice(2, 3), [-9 / Math.sqrt(190)]);
    expectRow(found[3], ['a', 'd', null, null, 4]);
  });
});

describe('a description', () => {
  it('has a row per column', async () => {
    const table = await columnsOf({ x: [1, 2, 3, 10], y: [5, null, null, null] });
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
    ['no rows', [null], [null]],
    ['one row', [1], [2]],
    ['two rows', [1, 2], [2, 5]],
    ['constant columns', [1, 1, 1], [2, 2, 2]],
    ['identical columns', [1, 2, 5], [1, 2, 5]],
  ])('has no figures that are none: %s', async (_, x, y) => {
    const table = await columnsOf({ x, y });
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
    const table = await columnsOf({ x: [1, 2, 3], y: [2, 3, 4], word: ['a', 'b', 'c'] });
    await expect(table.rows(statistic(part))).rejects.toThrow(sentence);
  });
});

it('takes derived columns and conditions', async () => {
  const table = await columnsOf({ x: [1, 2, 3, 4, 99], y: [1, 4, 9, 16, 0], keep: [1, 1, 1, 1, 0] });
  const plan = statistic({
    columns: ['x', 'root'],
    derived: [
      { name: 'root', expression: { kind: 'function', function: 'sqrt', of: { kind: 'column', column: 'y' } } },
    ],
    filters: [{ kind: 'compare', column: 'keep', operator: '=', value: 1 }],
  });
  expectRow((await table.rows(plan))[0], [1, 0, 4]);
});

/** NIST, Statistical Reference Datasets: Norris, y and x. */
const NORRIS = `0.1 0.2 338.8 337.4 118.1 118.2 888.0 884.6 9.2 10.1 228.1 226.5 668.5 666.3 998.5 996.3 449.1 448.6 778.9 777.0
  559.2 558.2 0.3 0.4 0.1 0.6 778.1 775.5 668.8 666.9 339.3 338.0 448.9 447.5 10.8 11.6 557.7 556.0 228.3 228.1 998.0 995.8 888.8 887.6
  119.6 120.2 0.3 0.3 0.6 0.3 557.6 556.8 339.3 339.1 888.0 887.2 998.5 999.0 778.9 779.0 10.2 11.1 117.6 118.3 228.9 229.2 668.4 669.1
  449.2 448.9 0.2 0.5`;

/** NIST, Statistical Reference Datasets: Longley, y and x1 to x6. */
const LONGLEY = `60323 83 234289 2356 1590 107608 1947 61122 88.5 259426 2325 1456 108632 1948 60171 88.2 258054 3682 1616 109773 1949
  61187 89.5 284599 3351 1650 110929 1950 63221 96.2 328975 2099 3099 112075 1951 63639 98.1 346999 1932 3594 113270 1952
  64989 99 365385 1870 3547 115094 1953 63761 100 363112 3578 3350 116219 1954 66019 101.2 397469 2904 3048 117388 1955
  67857 104.6 419180 2822 2857 118734 1956 68169 108.4 442769 2936 2798 120445 1957 66513 110.8 444546 4681 2637 121950 1958
  68655 112.6 482704 3813 2552 123366 1959 69564 114.2 502601 3931 2514 125368 1960 69331 115.7 518173 4806 2572 127852 1961
  70551 116.9 554894 4007 2827 130081 1962`;

function rowsIn(text: string, size: number): readonly (readonly number[])[] {
  const numbers = text.trim().split(/\s+/).map(Number);
  return Array.from({ length: numbers.length / size }, (_, row) => numbers.slice(row * size, (row + 1) * size));
}

describe('regressions', () => {
  it('give NIST’s certified values for Norris', async () => {
    const table = await tableOf(['y', 'x'], rowsIn(NORRIS, 2));
    const found = await table.rows(statistic({ method: 'regression', columns: ['y', 'x'], at: [100] }));
    expect(found.map(([term]) => term)).toEqual([
      ...['intercept', 'x', 'r-squared', 'root mean squared error', 'prediction'],
    ]);
    expectRow(found[0]?.slice(1, 3), [-0.262323073774029, 0.232818234301152], 8);
    expectRow(found[1]?.slice(1, 3), [1.00211681802045, 0.429796848199937e-3], 8);
    expectRow(found[2], ['r-squared', 0.999993745883712, null, null, null], 9);
    // The certified residual deviation is over 34 degrees of freedom, ours over the 36 rows.
    expectRow(found[3]?.slice(1, 2), [0.884796396144373 * Math.sqrt(34 / 36)], 8);
    expectRow(found[4]?.slice(1, 2), [-0.262323073774029 + 100 * 1.00211681802045], 8);
  });

  it('give NIST’s certified values for Longley, whose columns nearly follow from each other', async () => {
    const columns = ['y', 'x1', 'x2', 'x3', 'x4', 'x5', 'x6'];
    const found = await (await tableOf(columns, rowsIn(LONGLEY, 7))).rows(statistic({ method: 'regression', columns }));
    const certified = [
      [-3482258.63459582, 890420.383607373],
      [15.0618722713733, 84.9149257747669],
      [-0.035819179292591, 0.0334910077722432],
      [-2.02022980381683, 0.488399681651699],
      [-1.03322686717359, 0.214274163161675],
      [-0.0511041056535807, 0.22607320006937],
      [1829.15146461355, 455.478499142212],
    ];
    certified.forEach((values, index) => {
      expectRow(found[index]?.slice(1, 3), values, 7);
    });
    expectRow(found[7]?.slice(1, 2), [0.995479004577296], 9);
  });

  it('refuse columns of which one follows from another', async () => {
    const table = await columnsOf({ y: [1, 2, 4, 4], a: [1, 2, 3, 9], b: [3, 5, 7, 19] });
    await expect(table.rows(statistic({ method: 'regression', columns: ['y', 'a', 'b'] }))).rejects.toMatchObject({
      kind: 'invalid_input',
      message: '"b" follows from the columns before it, so leave one of them out',
    });
  });
});
