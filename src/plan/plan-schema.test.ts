import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import type { AnalysisPlan, Dimension, Expression, Filter, Measure } from '../ports/analysis-plan.js';
import { planSchema } from '../plan/plan-schema.js';

/** What a model writes is a plan of the port; the compiler holds it. */
type Fits = z.output<typeof planSchema> extends AnalysisPlan ? true : false;
const outputFits: Fits = true;

/** One of each kind: a kind that the port gets and this lacks does not compile, one that the schema lacks does not parse. */
const FILTERS: { readonly [K in Filter['kind']]: Extract<Filter, { kind: K }> } = {
  in: { kind: 'in', column: 'a', values: ['x', 1, true], negated: false },
  compare: { kind: 'compare', column: 'a', operator: '<', value: 1 },
  between: { kind: 'between', column: 'a', low: 0, high: 1 },
  time: { kind: 'time', column: 'a', from: '2024-01-01', to: null },
  contains: { kind: 'contains', column: 'a', text: 'x', negated: false, at: 'start' },
  null: { kind: 'null', column: 'a', negated: true },
  columns: { kind: 'columns', left: 'a', operator: '=', right: 'b' },
  against: {
    ...{ kind: 'against', column: 'a', operator: '>', aggregate: 'percentile' },
    ...{ of: 'b', parameter: 0.9, factor: 2, reach: 'all' },
  },
  outlier: { kind: 'outlier', column: 'a', method: 'iqr', threshold: 1.5, population: false, negated: true },
  any: { kind: 'any', of: [[{ kind: 'null', column: 'a', negated: false }]] },
};

const OF: Expression = { kind: 'column', column: 'a' };
const EXPRESSIONS: { readonly [K in Expression['kind']]: Extract<Expression, { kind: K }> } = {
  column: { kind: 'column', column: 'a' },
  number: { kind: 'number', value: 1.5 },
  arithmetic: { kind: 'arithmetic', operator: '/', left: OF, right: OF },
  function: { kind: 'function', function: 'log1p', of: OF },
  length: { kind: 'length', column: 'a', unit: 'words' },
  part: { kind: 'part', column: 'a', part: 'quarter' },
  duration: { kind: 'duration', from: 'a', to: 'b', unit: 'days' },
  scaled: { kind: 'scaled', method: 'zscore', of: OF, population: true },
  bins: { kind: 'bins', of: OF, edges: [1, 2], labels: ['x', 'y', 'z'], closed: 'right' },
  equal_bins: { kind: 'equal_bins', of: OF, count: 4, equal: 'rows' },
  case: { kind: 'case', cases: [{ filters: [FILTERS.null], value: 'x' }], otherwise: null },
  filled: { kind: 'filled', column: 'a', with: 'median' },
};

const DIMENSIONS: { readonly [K in Dimension['kind']]: Extract<Dimension, { kind: K }> } = {
  column: { kind: 'column', column: 'a', label: 'c' },
  bucket: { kind: 'bucket', column: 'a', bucket: 'week', label: 'd' },
  part: { kind: 'part', column: 'a', part: 'weekday', label: 'e' },
};

const COUNT: Measure = { aggregate: 'count', column: null, label: 'n' };
const SLOPE: Measure = { aggregate: 'slope', column: 'a', second: 'b', label: 's', filters: [FILTERS.null] };

/** As the port has it, with everything that can be said. */
const PLANS: { readonly [K in AnalysisPlan['kind']]: Extract<AnalysisPlan, { kind: K }> } = {
  aggregate: {
    kind: 'aggregate',
    derived: Object.values(EXPRESSIONS).map((expression, index) => ({ name: `new ${index}`, expression })),
    measures: [COUNT, SLOPE],
    dimensions: Object.values(DIMENSIONS),
    filters: Object.values(FILTERS),
    computed: [
      { kind: 'moving_average', of: 0, window: 3, label: 'm' },
      { kind: 'percent', left: 0, right: 1, label: 'p' },
    ],
    having: [{ measure: 3, operator: '>', value: 1 }],
    order: [{ by: 'p', direction: 'desc' }],
    limit: 3,
    each: ['c'],
    summary: { aggregate: 'avg', measure: 2, label: 'it' },
  },
  rows: {
    ...{ kind: 'rows', derived: [], columns: ['a'], distinct: true, filters: [] },
    ...{ order: [{ by: 'a', direction: 'asc' }], limit: 1, each: ['b'] },
  },
  statistic: {
    ...{ kind: 'statistic', method: 'regression', columns: ['a', 'b'], by: null },
    ...{ at: [1], value: 0, derived: [], filters: [] },
  },
};

function problemOf(plan: unknown): string {
  const checked = planSchema.safeParse(plan);
  return checked.success ? 'none' : checked.error.issues.map(({ message }) => message).join('; ');
}

describe('the schema of plans', () => {
  it('takes everything that the port has, and changes nothing', () => {
    expect(outputFits).toBe(true);
    for (const plan of Object.values(PLANS)) expect(planSchema.parse(plan)).toEqual(plan);
  });

  it('fills in what a plan need not say', () => {
    expect(planSchema.parse({ kind: 'aggregate', measures: [COUNT] })).toEqual({
      ...{ kind: 'aggregate', measures: [COUNT], dimensions: [], filters: [], having: [], order: [], limit: null },
    });
    expect(planSchema.parse({ kind: 'statistic', method: 'describe', columns: ['a'] })).toMatchObject({ by: null });
  });

  it('refuses what it does not know, everywhere', () => {
    expect(problemOf({ ...PLANS.rows, sql: 'SELECT 1' })).toContain('Unrecognized key');
    expect(problemOf({ ...PLANS.rows, filters: [{ ...FILTERS.null, sql: '1' }] })).not.toBe('none');
    const derived = [{ name: 'x', expression: { kind: 'sql', text: 'now()' } }];
    expect(problemOf({ ...PLANS.rows, derived })).not.toBe('none');
  });
});

describe('a plan that contradicts itself', () => {
  const aggregate = (part: object): object => ({ kind: 'aggregate', measures: [COUNT], ...part });
  const measure = (part: object): object => aggregate({ measures: [{ column: 'a', label: 'x', ...part }] });
  const rows = (part: object): object => ({ kind: 'rows', ...part });

  const derived = (...expressions: readonly object[]): object =>
    rows({ derived: expressions.map((expression, at) => ({ name: `x${at}`, expression })) });
  const N = { ...DIMENSIONS.column, label: 'N' };

  const values = { ...FILTERS.in, values: [...Array(600).keys()] };
  const against = { ...FILTERS.against, aggregate: 'slope', parameter: undefined };
  it.each<[string, object, RegExp]>([
    ['nothing to work out', aggregate({ measures: [] }), /measure or a dimension/],
    ['a long label', aggregate({ dimensions: [{ ...N, label: 'x'.repeat(81) }] }), /80/],
    ['too many values', rows({ filters: [values, values] }), /1000 values/],
    ['an average without a column', measure({ aggregate: 'avg', column: null }), /only count goes without a column/],
    ['a slope of one column', measure({ aggregate: 'slope' }), /slope needs a second column/],
    ['a sum of two columns', measure({ aggregate: 'sum', second: 'b' }), /sum takes no second column/],
    ['a percentile of nothing', measure({ aggregate: 'percentile' }), /needs a parameter/],
    ['a percentile over one', measure({ aggregate: 'percentile', parameter: 90 }), /<=1/],
    ['a mean with a parameter', measure({ aggregate: 'avg', parameter: 0.5 }), /avg has no parameter/],
    ['labels that are the same in capitals', aggregate({ dimensions: [N] }), /differ/],
    ['a figure of no measure', aggregate({ computed: [{ kind: 'share', of: 1, label: 's' }] }), /measure that is not/],
    ['a share with a window', aggregate({ computed: [{ kind: 'share', of: 0, window: 2, label: 's' }] }), /window/],
    ['a condition on no figure', aggregate({ having: [{ measure: 1, operator: '>', value: 1 }] }), /having names/],
    ['an order by no label', aggregate({ order: [{ by: 'x', direction: 'asc' }] }), /order must name/],
    ['a limit within no dimension', aggregate({ each: ['n'], limit: 1 }), /labels of dimensions/],
    ['groups without a limit', rows({ each: ['a'] }), /each needs a limit/],
    ['a summary of nothing', aggregate({ summary: { aggregate: 'avg', measure: null, label: 'x' } }), /only a summary/],
    ['too many derived columns', derived(...Array<object>(21).fill(OF)), /20/],
    ['a comparison with a slope', rows({ filters: [against] }), /two columns/],
    ['a time that is none', rows({ filters: [{ ...FILTERS.time, from: 'yesterday' }] }), /ISO 8601/],
  ])('is refused with a sentence: %s', (_, plan, sentence) => {
    expect(problemOf(plan)).toMatch(sentence);
  });
});
