import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Computed, Expression, Filter, Measure, PlanOrder } from '../ports/analysis-plan.js';
import { figures, listing, statistic } from '../ports/plans.fixture.js';
import * as wording from './wording.js';

type Of<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;
type Plain = Exclude<Filter, { kind: 'any' }>;
const time = (from: string | null, to: string | null): Plain => ({ kind: 'time', column: 'time', from, to });
const inYear = (year: number): Plain => time(`${year}-01-01`, `${year + 1}-01-01`);
const isIn = (column: string, values: readonly (string | number)[], negated = false): Plain => ({
  ...{ kind: 'in', column, values, negated },
});
const compare = (column: string, operator: Of<'compare'>['operator'], value: number): Plain => ({
  ...{ kind: 'compare', column, operator, value },
});
const against = (parts: Partial<Of<'against'>>): Filter => ({
  ...{ kind: 'against', column: 'a', operator: '=', aggregate: 'max', reach: 'matching' },
  ...parts,
});
const outlier = (parts: Partial<Of<'outlier'>>): Filter => ({
  ...{ kind: 'outlier', column: 'a', method: 'zscore', threshold: 3, population: false, negated: false },
  ...parts,
});
const contains = (negated: boolean, at?: 'start' | 'end'): Filter => ({
  ...{ kind: 'contains', column: 'name', text: 'pro', negated, ...(at === undefined ? {} : { at }) },
});
const any = (...of: Of<'any'>['of']): Filter => ({ kind: 'any', of });
const [ABOVE, AVERAGE] = [{ operator: '>' } as const, { aggregate: 'avg' } as const];
const ANN = { among: { column: 'name', value: 'Ann' }, reach: 'all' } as const;
const A_MISSING: Plain = { kind: 'null', column: 'a', negated: false };
const B_PRESENT: Plain = { kind: 'null', column: 'b', negated: true };

describe('the conditions of a plan in words', () => {
  it.each<[string, Filter]>([
    ['location is Seattle', isIn('location', ['Seattle'])],
    ['location is not A or B', isIn('location', ['A', 'B'], true)],
    ['n is 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 2 more', isIn('n', [...Array(14).keys()])],
    ['name is empty or x', isIn('name', ['', 'x'])],
    ['price is between 1 and 2', { kind: 'between', column: 'price', low: 1, high: 2 }],
    ['name does not contain “pro”', contains(true)],
    ['name starts with “pro”', contains(false, 'start')],
    ['name does not end with “pro”', contains(true, 'end')],
    ['a is missing', A_MISSING],
    ['a is above b', { kind: 'columns', left: 'a', operator: '>', right: 'b' }],
    ['a is the highest of all rows', against({ reach: 'all' })],
    ['a is the lowest', against({ aggregate: 'min' })],
    ['a is equal to 2 times the highest a', against({ factor: 2 })],
    ['a is equal to the highest b', against({ of: 'b' })],
    ['a is above the 90th percentile of a', against({ ...ABOVE, aggregate: 'percentile', parameter: 0.9 })],
    ['a is above 2 times the average a', against({ ...ABOVE, ...AVERAGE, factor: 2 })],
    ['a is above the average a where name is Ann', against({ ...ABOVE, ...AVERAGE, ...ANN })],
    ['a is an outlier (further than 3 standard deviations from the mean)', outlier({})],
    [
      'a is no outlier (further than 3 population standard deviations from the mean)',
      outlier({ population: true, negated: true }),
    ],
    [
      'a is an outlier (further than 1.5 times the interquartile range from the quartiles)',
      outlier({ method: 'iqr', threshold: 1.5 }),
    ],
    ['either (a is missing and b is below 1) or a is 1', any([A_MISSING, compare('b', '<', 1)], [isIn('a', [1])])],
    ['either a is missing or b is present', any([A_MISSING], [B_PRESENT])],
    ['time is in 2023 or in 2024', any([inYear(2023)], [inYear(2024)])],
    ['time is in May 2024', time('2024-05-01', '2024-06-01')],
    ['time is on 2024-05-20', time('2024-05-20', '2024-05-21')],
    ['time is 2024-05-27 or later', time('2024-05-27', null)],
  ])('%s', (words, filter) => {
    expect(wording.conditionsOf(listing({ filters: [filter] }))).toEqual([words]);
  });

  it.each([
    ['weekday', [1, 7], 'part is Monday or Sunday'],
    ['month', [3], 'part is March'],
    ['hour', [9, 17], 'part is 09:00 or 17:00'],
    ['day', [3], 'part is 3'],
  ] as const)('name a %s as people do', (part, values, words) => {
    const derived = [{ name: 'part', expression: { kind: 'part', column: 'time', part } }] as const;
    expect(wording.conditionsOf(listing({ derived, filters: [isIn('part', values)] }))).toEqual([words]);
  });

  it('leave out that what rows are ranked by is there', () => {
    const ranked = listing({ filters: [B_PRESENT], order: [{ by: 'b', direction: 'desc' }], limit: 1 });
    expect(wording.conditionsOf(ranked)).toEqual([]);
  });

  it('name the figure that groups are chosen by', () => {
    const having = [{ measure: 0, operator: '>', value: 4 }] as const;
    const plan = figures({ measures: [{ aggregate: 'avg', column: 'm', label: 'x' }], having });
    expect(wording.figureConditionsOf(plan)).toEqual(['average m is above 4']);
  });
});

const TOTAL: Measure = { aggregate: 'sum', column: 'fare', label: 'x' };
const COUNT: Measure = { aggregate: 'count', column: null, label: 'n' };
const BY_A = { measures: [TOTAL], dimensions: [{ kind: 'column', column: 'a', label: 'a' }] } as const;
const SHARE = { kind: 'share', of: 0, label: 's' } as const;
const HAVING = { having: [{ measure: 0, operator: '>', value: 5 }] } as const;
const by = (label: string, direction: PlanOrder['direction']) => ({ order: [{ by: label, direction }] });
const a: Expression = { kind: 'column', column: 'a' };
const MORE: Expression = { kind: 'arithmetic', operator: '+', left: a, right: { kind: 'number', value: 2 } };
const M_MORE = { derived: [{ name: 'm', expression: MORE }] };
const REGRESSION = statistic({ method: 'regression', columns: ['a', 'b', 'c'], at: [1, 2] });

describe('a plan in words', () => {
  it.each<[string, AnalysisPlan]>([
    ['rows', listing({ limit: 3 })],
    ['different a and b', listing({ columns: ['a', 'b'], distinct: true })],
    ['a, the first 3 of each b', listing({ columns: ['a'], limit: 3, each: ['b'] })],
    ['rows by a, lowest first', listing(by('a', 'asc'))],
    ['the row with the highest a', listing({ ...by('a', 'desc'), limit: 1 })],
    [
      'b of the 2 rows with the second highest a of each c and d',
      listing({ columns: ['b'], ...by('a', 'desc'), limit: 2, skip: 1, each: ['c', 'd'] }),
    ],
    ['different values of a', figures({ dimensions: BY_A.dimensions })],
    ['total fare and number of rows', figures({ measures: [TOTAL, COUNT] })],
    [
      'total fare by a, only with a total fare above 5, the 3 lowest',
      figures({ ...BY_A, ...HAVING, ...by('x', 'asc'), limit: 3 }),
    ],
    ['share of total fare by a, the highest', figures({ ...BY_A, computed: [SHARE], ...by('s', 'desc'), limit: 1 })],
    ['linear regression of a on b and c at 1 and 2', REGRESSION],
    ['Welch’s t-test of a by b', statistic({ method: 'welch_t_test', columns: ['a'], by: 'b' })],
    ['t-test of a against 5', statistic({ method: 'one_sample_t_test', columns: ['a'], value: 5 })],
    ['rows, where m is below 1, taking that m is a + 2', listing({ ...M_MORE, filters: [compare('m', '<', 1)] })],
    ['rows', listing({ derived: [{ name: 'A + 2', expression: MORE }] })],
    ['rows, joined with shops', { ...listing({}), join: { table: 'shops', relation: 'r' } }],
  ])('%s', (words, plan) => {
    expect(wording.purposeOf(plan)).toBe(words);
  });

  it('says above a picture neither how columns came about nor at what a regression was asked', () => {
    expect(wording.pictureWords({ ...REGRESSION, ...M_MORE })).toBe('linear regression of a on b and c');
  });

  it('counts what is too much to name', () => {
    expect(wording.few('abcdefg'.split(''))).toBe('a, b, c, d, e, f and g');
    expect(wording.few('abcdefgh'.split(''))).toBe('a, b, c, d, e, f and 2 more');
  });
});

describe('a derived column', () => {
  const choice: Expression = {
    kind: 'case',
    cases: [{ filters: [A_MISSING, B_PRESENT], value: 1 }],
    otherwise: 'high',
  };
  const binned: Expression = { kind: 'equal_bins', of: a, count: 4, equal: 'width' };
  it.each<[string, Expression]>([
    ['(a + 2) * a', { kind: 'arithmetic', operator: '*', left: MORE, right: a }],
    ['logarithm to the base 10 of (a + 2)', { kind: 'function', function: 'log10', of: MORE }],
    ['day of the month of a', { kind: 'part', column: 'a', part: 'day' }],
    ['hour of a', { kind: 'part', column: 'a', part: 'hour' }],
    ['number of words of a', { kind: 'length', column: 'a', unit: 'words' }],
    ['days from a to b', { kind: 'duration', from: 'a', to: 'b', unit: 'days' }],
    ['a with its mean where it is missing', { kind: 'filled', column: 'a', with: 'mean' }],
    ['a with 0 where it is missing', { kind: 'filled', column: 'a', with: 0 }],
    ['population z-score of a', { kind: 'scaled', method: 'zscore', of: a, population: true }],
    ['z-score of a', { kind: 'scaled', method: 'zscore', of: a, population: false }],
    ['a scaled from 0 to 1', { kind: 'scaled', method: 'minmax', of: a, population: false }],
    ['a in ranges that end at 1 and 2', { kind: 'bins', of: a, edges: [1, 2], labels: null, closed: 'left' }],
    ['a in 4 ranges of equal width', binned],
    ['a in 4 ranges of equal size', { ...binned, equal: 'rows' }],
    ['“1” where a is missing and b is present and else “high”', choice],
    ['“1” where a is missing and b is present', { ...choice, otherwise: null }],
  ])('%s', (words, expression) => {
    const plan = listing({ derived: [{ name: 'm', expression }] });
    expect(wording.purposeOf(plan)).toBe(`rows, taking that m is ${words}`);
  });
});

describe('a figure', () => {
  it.each<[string, Omit<Measure, 'label'>]>([
    ['number of a values', { aggregate: 'count', column: 'a' }],
    ['number of different a values', { aggregate: 'count_distinct', column: 'a' }],
    ['number of missing a values', { aggregate: 'missing', column: 'a' }],
    ['sum of total price', { aggregate: 'sum', column: 'total price' }],
    ['first quartile of a', { aggregate: 'percentile', column: 'a', parameter: 0.25 }],
    ['third quartile of a', { aggregate: 'percentile', column: 'a', parameter: 0.75 }],
    ['95th percentile of a', { aggregate: 'percentile', column: 'a', parameter: 0.95 }],
    ['correlation of a and b', { aggregate: 'correlation', column: 'a', second: 'b' }],
    ['highest a where b is present', { aggregate: 'max', column: 'a', filters: [B_PRESENT] }],
  ])('%s', (words, measure) => {
    expect(wording.measureWords(measure)).toBe(words);
    expect(wording.labelOfMeasure(measure)).toBe(words.replace('number of ', ''));
  });

  type Unlabelled<T> = T extends unknown ? Omit<T, 'label'> : never;
  it.each<[string, Unlabelled<Computed>]>([
    ['running total of A', { kind: 'cumulative', of: 0 }],
    ['moving average of A over 3', { kind: 'moving_average', of: 0 }],
    ['moving average of A over 7', { kind: 'moving_average', of: 0, window: 7 }],
    ['rank by B', { kind: 'rank', of: 1 }],
    ['ratio of A to B', { kind: 'ratio', left: 0, right: 1 }],
    ['A as percent of B', { kind: 'percent', left: 0, right: 1 }],
    ['A minus B', { kind: 'difference', left: 0, right: 1 }],
    ['percent change of A against figure', { kind: 'percent_change', left: 0, right: 2 }],
  ])('that is worked out: %s', (words, computed) => {
    expect(wording.labelOfComputed(computed, ['A', 'B'])).toBe(words);
  });

  it.each([
    ['percentage of rows where a is 1', 'number of rows where a is 1', 'number of rows'],
    ['percentage of total b where a is 1', 'total b where a is 1', 'total b'],
    ['average b where a is 1 as percent of average b', 'average b where a is 1', 'average b'],
  ])('a part of another is called %s', (words, part, whole) => {
    expect(wording.labelOfComputed({ kind: 'percent', left: 0, right: 1 }, [part, whole])).toBe(words);
  });

  it.each([
    ['average of total fare', { aggregate: 'avg', measure: 0 }],
    ['highest share of total fare', { aggregate: 'max', measure: 1 }],
    ['number of groups', { aggregate: 'sum', measure: null }],
  ] as const)('over groups: %s', (words, summary) => {
    const plan = figures({ measures: [TOTAL], computed: [SHARE] });
    expect(wording.summaryWords({ ...summary, label: 'y' }, plan)).toBe(words);
  });

  it('is grouped by columns, pieces and parts of time', () => {
    expect(wording.labelOfDimension({ kind: 'bucket', column: 'time', bucket: 'month' })).toBe('month');
    expect(wording.labelOfDimension({ kind: 'part', column: 'time', part: 'hour' })).toBe('hour of the day');
  });
});
