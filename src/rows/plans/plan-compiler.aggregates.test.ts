import { beforeAll, describe, expect, it } from 'vitest';
import type { Aggregate, Filter } from '../../ports/analysis-plan.js';
import { aggregate, grouped, listing, PlanTable } from './plan-compiler.fixture.js';

const X = [2, 8, 0, 4, 1, 9, 9, 0];
const Y = [1, 5, 2, 6, 1, 7, 9, 3];

let table: PlanTable;
beforeAll(async () => {
  const rows = X.map(
    (x, index) => `('${index < 4 ? 'a' : 'b'}', ${x}, ${Y[index] ?? 0}, ${index}, ${index % 2 === 0})`,
  );
  table = await PlanTable.of(
    Object.entries({ group: 'text', x: 'number', y: 'integer', id: 'integer', even: 'boolean' } as const),
    `VALUES ${rows.join(', ')}, ('b', NULL, 100, 8, NULL), (NULL, 3, NULL, 9, true)`,
  );
});

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
const sumOf = (values: readonly number[], f: (value: number) => number): number =>
  values.reduce((sum, value) => sum + f(value), 0);
const central = (values: readonly number[], power: number): number =>
  mean(values.map((value) => (value - mean(values)) ** power));

const eight: readonly Filter[] = [{ kind: 'compare', column: 'id', operator: '<', value: 8 }];

describe('figures of one column', () => {
  const n = X.length;
  const spread = sumOf(X, (x) => (x - mean(X)) ** 2);

  it.each<[Aggregate, number]>([
    ['variance', spread / (n - 1)],
    ['variance_pop', spread / n],
    ['stddev', Math.sqrt(spread / (n - 1))],
    ['stddev_pop', Math.sqrt(spread / n)],
    ['standard_error', Math.sqrt(spread / (n - 1) / n)],
    ['range', 9],
    // Sorted 0 0 1 2 4 8 9 9: the quartiles are at 0.75 and 8.25.
    ['iqr', 7.5],
    ['mode', 0],
    ['product', 0],
    ['mean_abs_deviation', mean(X.map((x) => Math.abs(x - mean(X))))],
    // SciPy's documentation of `skew`.
    ['skewness_pop', 0.2650554122698573],
    // These two are pandas'.
    ['skewness', 0.3305821804079746],
    ['kurtosis', -2.098602258096087],
    ['kurtosis_pop', central(X, 4) / central(X, 2) ** 2 - 3],
  ])('%s', async (name, expected) => {
    expect(await table.figure({ aggregate: name, column: 'x' }, { filters: eight })).toBeCloseTo(expected, 10);
  });

  it('shapes keep their digits far from zero', async () => {
    const far = await PlanTable.of([['t', 'number']], `SELECT 1700000000 + unnest([${X.join(', ')}])`);
    expect(await far.figure({ aggregate: 'skewness_pop', column: 't' })).toBeCloseTo(0.2650554122698573, 8);
    expect(await far.figure({ aggregate: 'kurtosis_pop', column: 't' })).toBeCloseTo(-1.6660010752838508, 8);
  });

  it('percentiles are between values', async () => {
    const at = (parameter: number): Promise<unknown> =>
      table.figure({ aggregate: 'percentile', column: 'x', parameter }, { filters: eight });
    expect([await at(0), await at(0.9), await at(1)]).toEqual([0, 9, 9]);
    expect(await at(0.3)).toBeCloseTo(1.1, 12);
    await expect(at(1.1)).rejects.toThrow(/from 0 to 1/);
  });

  it('mode is the lowest of several, of any type', async () => {
    expect(await table.figure({ aggregate: 'mode', column: 'group' })).toBe('b');
    expect(await table.figure({ aggregate: 'mode', column: 'id' })).toBe(0);
  });

  it('missing counts rows without a value, also among some', async () => {
    expect(await table.figure({ aggregate: 'missing', column: 'x' })).toBe(1);
    const filters: Filter[] = [{ kind: 'in', column: 'group', values: ['a'], negated: false }];
    expect(await table.figure({ aggregate: 'missing', column: 'x', filters })).toBe(0);
  });

  it('what is true counts as one', async () => {
    expect(await table.figure({ aggregate: 'avg', column: 'even' }, { filters: eight })).toBe(0.5);
  });

  const shapes = ['skewness', 'skewness_pop', 'kurtosis', 'kurtosis_pop'] as const;
  it.each(['stddev', 'variance', 'standard_error', ...shapes] as const)('%s of one row is none', async (name) => {
    const filters: Filter[] = [{ kind: 'compare', column: 'id', operator: '=', value: 1 }];
    expect(await table.figure({ aggregate: name, column: 'x' }, { filters })).toBeNull();
  });

  it('of values without a spread have no shape', async () => {
    const columns = Object.entries({ x: 'number', y: 'number' } as const);
    const same = await PlanTable.of(columns, 'SELECT 0.1, i FROM range(10) t(i)');
    for (const name of shapes) expect(await same.figure({ aggregate: name, column: 'x' })).toBeNull();
    for (const name of ['correlation', 'rank_correlation', 'slope'] as const)
      expect(await same.figure({ aggregate: name, column: 'y', second: 'x' })).toBeNull();
  });

  it('of numbers too large are none, and no error', async () => {
    const huge = await PlanTable.of([['x', 'number']], 'VALUES (1e308), (-1e308), (1e200)');
    for (const name of ['stddev', 'variance', 'skewness', 'kurtosis', 'product'] as const) {
      const measures = [{ aggregate: name, column: 'x', label: 'x' }];
      expect((await huge.careful(aggregate({ measures }))).rows).toEqual([[null]]);
    }
  });
});

describe('figures of two columns', () => {
  const xy = X.reduce((sum, x, index) => sum + (x - mean(X)) * ((Y[index] ?? 0) - mean(Y)), 0);
  const [xx, yy] = [sumOf(X, (x) => (x - mean(X)) ** 2), sumOf(Y, (y) => (y - mean(Y)) ** 2)];
  const ranks = (values: readonly number[]): readonly number[] =>
    values.map((value) => {
      const [less, same] = [values.filter((other) => other < value), values.filter((other) => other === value)];
      return less.length + (same.length + 1) / 2;
    });
  const correlation = (a: readonly number[], b: readonly number[]): number =>
    mean(a.map((value, index) => (value - mean(a)) * ((b[index] ?? 0) - mean(b)))) /
    Math.sqrt(central(a, 2) * central(b, 2));

  it.each<[Aggregate, number]>([
    ['correlation', xy / Math.sqrt(xx * yy)],
    ['covariance', xy / (X.length - 1)],
    ['slope', xy / yy],
    ['intercept', mean(X) - (xy / yy) * mean(Y)],
    ['r_squared', (xy * xy) / (xx * yy)],
    ['rank_correlation', correlation(ranks(X), ranks(Y))],
  ])('%s, over the rows that have both', async (name, expected) => {
    expect(await table.figure({ aggregate: name, column: 'x', second: 'y' })).toBeCloseTo(expected, 10);
  });

  it('rank within their groups and their own conditions', async () => {
    const filters: Filter[] = [{ kind: 'compare', column: 'id', operator: '!=', value: 1 }];
    const measures = [{ aggregate: 'rank_correlation', column: 'x', second: 'y', label: 'rho', filters } as const];
    const rows = await table.rows(aggregate({ measures, dimensions: [grouped('group')] }));
    expect(rows[0]?.[1]).toBeCloseTo(correlation(ranks([2, 0, 4]), ranks([1, 2, 6])), 10);
    expect(rows[1]?.[1]).toBeCloseTo(correlation(ranks([1, 9, 9, 0]), ranks([1, 7, 9, 3])), 10);
    expect(rows[2]?.[1]).toBeNull();
  });

  it('are refused without the second', async () => {
    await expect(table.figure({ aggregate: 'slope', column: 'x' })).rejects.toThrow(/lacks its second column/);
  });
});

describe('figures with conditions of their own', () => {
  it('count only the rows that fit these, too', async () => {
    const filters: Filter[] = [{ kind: 'compare', column: 'y', operator: '>', value: 4 }];
    const measures = (['count', 'sum', 'median', 'stddev', 'mean_abs_deviation'] as const).map((name) => ({
      ...{ aggregate: name, column: name === 'count' ? null : 'x', label: name, filters },
    }));
    const high = await table.rows(aggregate({ dimensions: [grouped('group')], measures }));
    expect(high[0]).toEqual(['a', 2, 12, 6, Math.sqrt(8), 2]);
    expect(high[1]?.slice(0, 4)).toEqual(['b', 3, 18, 9]);
    expect(high[2]).toEqual([null, 0, null, null, null, null]);
  });
});

describe('conditions on rows', () => {
  const idsOf = async (...filters: Filter[]): Promise<readonly unknown[]> =>
    (await table.rows(listing({ columns: ['id'], filters }))).map(([id]) => id);

  it('look for the begin and the end of a text', async () => {
    const texts = await PlanTable.of([['t', 'text']], `VALUES ('Apple pie'), ('pie'), ('APPLE'), (NULL), ('100%')`);
    const where = async (text: string, at: 'start' | 'end', negated = false): Promise<number> =>
      (await texts.rows(listing({ filters: [{ kind: 'contains', column: 't', text, at, negated }] }))).length;
    expect(await where('apple', 'start')).toBe(2);
    expect(await where('PIE', 'end')).toBe(2);
    expect(await where('%', 'end')).toBe(1);
    expect(await where('apple', 'start', true)).toBe(2);
  });

  it('compare two columns of a row', async () => {
    expect(await idsOf({ kind: 'columns', left: 'x', operator: '>', right: 'y' })).toEqual([0, 1, 5]);
    const toGroup = { kind: 'columns', operator: '>', right: 'group' } as const;
    await expect(idsOf({ ...toGroup, left: 'x' })).rejects.toThrow(/different types/);
    await expect(idsOf({ ...toGroup, left: 'group' })).rejects.toThrow(/equal/);
  });

  it('hold when one of several lists does', async () => {
    const of: Extract<Filter, { kind: 'any' }>['of'] = [
      [{ kind: 'compare', column: 'id', operator: '<', value: 1 }],
      [
        { kind: 'in', column: 'group', values: ['b'], negated: false },
        { kind: 'compare', column: 'x', operator: '=', value: 9 },
      ],
    ];
    expect(await idsOf({ kind: 'any', of })).toEqual([0, 5, 6]);
    await expect(idsOf({ kind: 'any', of: [] })).rejects.toThrow(/empty/);
  });

  it('compare with a figure over all rows or over those that match', async () => {
    const highest = { kind: 'against', column: 'x', operator: '=', aggregate: 'max' } as const;
    const inA: Filter = { kind: 'in', column: 'group', values: ['a'], negated: false };
    expect(await idsOf({ ...highest, reach: 'all' })).toEqual([5, 6]);
    expect(await idsOf(inA, { ...highest, reach: 'all' })).toEqual([]);
    expect(await idsOf(inA, { ...highest, reach: 'matching' })).toEqual([1]);
    const over = { ...highest, operator: '>', aggregate: 'avg' } as const;
    expect(await idsOf(inA, { ...over, of: 'y', reach: 'matching' })).toEqual([1, 3]);
    const thanOne = { ...over, among: { column: 'id', value: 1 } } as const;
    expect(await idsOf({ ...thanOne, reach: 'all' })).toEqual([5, 6]);
    expect(await idsOf(inA, { ...thanOne, among: { column: 'group', value: 'nobody' }, reach: 'all' })).toEqual([]);
    await expect(idsOf({ ...highest, aggregate: 'slope', reach: 'all' })).rejects.toThrow(/can't be compared/);
  });

  it('find what is far from the rest, or drop it', async () => {
    const odd = await PlanTable.of([['v', 'number']], 'SELECT unnest([1, 2, 3, 4, 100, NULL])');
    const kept = async (filter: Partial<Extract<Filter, { kind: 'outlier' }>>): Promise<readonly unknown[]> => {
      const usual = { kind: 'outlier', column: 'v', method: 'iqr', threshold: 1.5, population: false } as const;
      const whole: Filter = { ...usual, negated: false, ...filter };
      return (await odd.rows(listing({ filters: [whole] }))).map(([v]) => v);
    };
    expect(await kept({})).toEqual([100]);
    expect(await kept({ negated: true })).toEqual([1, 2, 3, 4]);
    // The mean is 22, the deviations 43.6 of a sample and 39.0 of a population: 100 is 1.788 or 1.9995 of them away.
    expect(await kept({ method: 'zscore', threshold: 1.9 })).toEqual([]);
    expect(await kept({ method: 'zscore', threshold: 1.9, population: true })).toEqual([100]);
    expect(await kept({ method: 'zscore', threshold: 1.7, negated: true })).toEqual([1, 2, 3, 4]);
  });

  it('finds nothing far away where all is the same', async () => {
    const same = await PlanTable.of([['v', 'number']], 'VALUES (5), (5), (5)');
    for (const method of ['iqr', 'zscore'] as const) {
      const filter: Filter = { kind: 'outlier', column: 'v', method, threshold: 0, population: false, negated: false };
      expect(await same.rows(listing({ filters: [filter] }))).toEqual([]);
      expect(await same.rows(listing({ filters: [{ ...filter, negated: true }] }))).toHaveLength(3);
    }
  });
});
