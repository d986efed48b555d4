import fc from 'fast-check';
import {
  type AggregatePlan,
  AGGREGATES,
  type AnalysisPlan,
  COMPARISONS,
  type DerivedColumn,
  type Dimension,
  type Expression,
  type Filter,
  type Measure,
  OUTLIER_METHODS,
  PAIR_AGGREGATES,
  SERIES_KINDS,
  type StatisticPlan,
  TIME_BUCKETS,
  TIME_PARTS,
} from '../../ports/analysis-plan.js';
import { MOMENT_PARTS, NUMBER_FUNCTIONS } from '../../ports/plan-expression.js';
import { STATISTIC_METHODS } from '../../ports/plan-statistics.js';
import type { ColumnType } from '../../ports/table.js';

/** Headers as nobody should write them: commands, quotes, the names that the service itself uses. */
export const HOSTILE_COLUMNS: readonly (readonly [string, ColumnType])[] = [
  ['c1', 'number'],
  ['c0', 'integer'],
  ['"; DROP TABLE stored; --', 'text'],
  ['it\'s "quoted"\nand broken', 'text'],
  ['data', 'time'],
  ['result_0', 'boolean'],
  ['derived_0', 'number'],
  ['GROUPED', 'integer'],
  ['*', 'time'],
];

export const HOSTILE_ROWS = `VALUES
  (1e308, 9223372036854775807, 'a', '', TIMESTAMP '2024-01-01', true, 0.5, 1, TIMESTAMP '2024-05-01'),
  (1e308, -9223372036854775807, 'A', '%', TIMESTAMP '2024-02-29 23:59:59', false, -0.5, 2, TIMESTAMP '2024-01-01'),
  (-1e308, 0, ''') OR 1=1 --', '_', TIMESTAMP '1900-01-01', NULL, 0, 3, NULL),
  (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
  (0, 7, 'ß', 'İ', TIMESTAMP '9999-12-31', true, 1e-300, 3, TIMESTAMP '0001-01-01'),
  (2.5, 7, 'a', 'a b  c', TIMESTAMP '2024-01-01', true, 7, 4, TIMESTAMP '2024-05-01')`;

const one = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const yesNo = fc.boolean();

/** Things of a kind. */
function kinds<const K extends string, T>(
  kind: K,
  fields: { [P in keyof T]: fc.Arbitrary<T[P]> },
): fc.Arbitrary<{ readonly kind: K } & T> {
  return fc.record<T>(fields).map((values) => ({ kind, ...values }));
}

const OWN = ['own', 'DATA 2', 'x"y', 'result_1'];
const anyColumn = fc.constantFrom(...HOSTILE_COLUMNS.map(([name]) => name), ...OWN);

/** Mostly a column of the type, so that most plans get further than their first column. */
function ofType(...types: readonly ColumnType[]): fc.Arbitrary<string> {
  const fitting = HOSTILE_COLUMNS.filter(([, type]) => types.includes(type)).map(([name]) => name);
  return fc.oneof({ weight: 60, arbitrary: fc.constantFrom(...fitting) }, { weight: 1, arbitrary: anyColumn });
}

const numbers = ofType('number', 'integer');
const texts = ofType('text');
const times = ofType('time');
const columnName = ofType('number', 'integer', 'text', 'time', 'boolean');
const text = fc.oneof(
  fc.constantFrom("'); DROP TABLE stored; --", "' OR 1=1 --", '$1', '%', '"', 'a', '2024-01-01', '7'),
  fc.string({ maxLength: 6 }),
  fc.string({ unit: 'binary', maxLength: 4 }),
);
const number = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: -9, max: 9 }) },
  { weight: 1, arbitrary: fc.double({ noNaN: false }) },
  { weight: 5, arbitrary: fc.constantFrom(1e308, -0.5, 2 ** 60, -(2 ** 63)) },
);
const label = fc.oneof(anyColumn, text, fc.constantFrom('n', 'grouped', 'c5', 'total'));
const fraction = fc.constantFrom(0, 0.25, 1);
const operator = fc.constantFrom(...COMPARISONS);

const simpleFilter: fc.Arbitrary<Exclude<Filter, { kind: 'any' }>> = fc.oneof(
  kinds('in', {
    column: columnName,
    values: fc.array(fc.oneof(text, number, yesNo), { minLength: 1, maxLength: 3 }),
    negated: yesNo,
  }),
  kinds('compare', { column: numbers, operator, value: number }),
  kinds('between', { column: numbers, low: number, high: number }),
  kinds('time', {
    column: times,
    from: fc.constantFrom(null, '2024-01-01', '2024-01-01T00:00:00+05:00'),
    to: fc.constantFrom(null, '2025-01-01'),
  }),
  kinds('contains', { column: texts, text, negated: yesNo, at: one('anywhere', 'start', 'end', undefined) }),
  kinds('null', { column: columnName, negated: yesNo }),
  kinds('columns', { left: numbers, operator, right: numbers }),
  kinds('against', {
    column: numbers,
    operator,
    aggregate: fc.constantFrom(...AGGREGATES.slice(0, -PAIR_AGGREGATES.length + 1)),
    of: fc.option(numbers, { nil: undefined }),
    parameter: fraction,
    factor: fc.constantFrom(undefined, undefined, 1, 2, 0.5, 1e6, 0, -1, Number.NaN),
    among: fc.option(fc.record({ column: columnName, value: fc.oneof(text, fc.double(), yesNo) }), { nil: undefined }),
    reach: one('matching', 'all'),
  }),
  kinds('outlier', {
    column: numbers,
    method: fc.constantFrom(...OUTLIER_METHODS),
    threshold: fc.constantFrom(0, 0.5, 1.5, 3, 1e-9),
    population: yesNo,
    negated: yesNo,
  }),
);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 5, arbitrary: simpleFilter },
  {
    weight: 1,
    arbitrary: kinds('any', {
      of: fc.array(fc.array(simpleFilter, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
    }),
  },
);
const filters = fc.array(filter, { maxLength: 2 });

const leaves: fc.Arbitrary<Expression> = fc.oneof(
  kinds('column', { column: numbers }),
  kinds('number', { value: number }),
  kinds('length', { column: texts, unit: one('characters', 'words') }),
  kinds('part', { column: times, part: fc.constantFrom(...MOMENT_PARTS) }),
  kinds('duration', { from: times, to: times, unit: one('seconds', 'days') }),
  kinds('filled', {
    column: numbers,
    with: one<'mean' | 'median' | 'mode' | number>('mean', 'median', 'mode', 3, 0.5),
  }),
  kinds('case', {
    cases: fc.array(fc.record({ filters, value: fc.oneof(text, number, yesNo) }), { minLength: 1, maxLength: 2 }),
    otherwise: fc.option(fc.oneof(text, number), { nil: null }),
  }),
);

/** Made of others. */
function nested(of: fc.Arbitrary<Expression>): readonly fc.Arbitrary<Expression>[] {
  return [
    kinds('arithmetic', { operator: one('+', '-', '*', '/'), left: of, right: of }),
    kinds('function', { function: fc.constantFrom(...NUMBER_FUNCTIONS), of }),
    kinds('scaled', { method: one('zscore', 'minmax'), of, population: yesNo }),
    kinds('bins', {
      of,
      edges: fc.constantFrom([1], [0, 5, 7], [-1e308, 2]),
      labels: fc.option(fc.array(text, { minLength: 2, maxLength: 4 }), { nil: null, freq: 2 }),
      closed: one('left', 'right'),
    }),
    kinds('equal_bins', { of, count: fc.integer({ min: 1, max: 4 }), equal: one('width', 'rows') }),
  ];
}

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof({ maxDepth: 3, withCrossShrink: true }, leaves, ...nested(tie('expression'))),
}));

const derived: fc.Arbitrary<readonly DerivedColumn[]> = fc.uniqueArray(
  fc.record({
    name: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(...OWN) }, { weight: 1, arbitrary: text }),
    expression,
  }),
  { maxLength: 3, selector: ({ name }) => name },
);

const measure: fc.Arbitrary<Measure> = fc.record({
  aggregate: fc.constantFrom(...AGGREGATES),
  column: fc.option(fc.oneof({ weight: 9, arbitrary: numbers }, { weight: 1, arbitrary: fc.constantFrom(...OWN) }), {
    nil: null,
    freq: 30,
  }),
  label,
  second: numbers,
  parameter: fraction,
  filters: fc.option(filters, { nil: undefined }),
});

const dimension: fc.Arbitrary<Dimension> = fc.oneof(
  kinds('column', { column: columnName, label }),
  kinds('bucket', { column: times, bucket: fc.constantFrom(...TIME_BUCKETS), label }),
  kinds('part', { column: times, part: fc.constantFrom(...TIME_PARTS), label }),
);

const index = fc.nat({ max: 1 });
const direction = one('asc', 'desc');
const limit = fc.option(fc.integer({ min: 1, max: 3 }), { nil: null });

const aggregatePlan: fc.Arbitrary<AnalysisPlan> = fc
  .record({
    derived,
    filters,
    measures: fc.array(measure, { minLength: 2, maxLength: 3 }),
    dimensions: fc.array(dimension, { maxLength: 2 }),
    computed: fc.array(
      fc.oneof(
        fc.record({ kind: fc.constantFrom(...SERIES_KINDS), of: index, window: fc.constantFrom(undefined, 2), label }),
        fc.record({ kind: one('ratio', 'percent', 'product', 'percent_change'), left: index, right: index, label }),
      ),
      { maxLength: 2 },
    ),
    having: fc.array(fc.record({ measure: index, operator, value: number }), { maxLength: 1 }),
    orders: fc.array(fc.record({ at: index, direction }), { maxLength: 2 }),
    limit,
    each: yesNo,
    summary: fc.option(fc.record({ aggregate: one('count', 'avg', 'max'), measure: index, label }), {
      nil: undefined,
      freq: 3,
    }),
  })
  .map(({ orders, each, ...drawn }): AggregatePlan => {
    const plan = differing(drawn);
    const labels = [...plan.measures, ...plan.computed, ...plan.dimensions].map((one) => one.label);
    const order = orders.map(({ at, direction: way }) => ({ by: labels[at % labels.length] ?? 'n', direction: way }));
    const first = plan.dimensions[0];
    return { kind: 'aggregate', ...plan, order, each: each && first ? [first.label] : undefined };
  });

type Labelled = readonly { readonly label: string }[];

/** With labels of which none is another, nor another in capitals. */
function differing<T extends Readonly<Record<'measures' | 'computed' | 'dimensions', Labelled>>>(plan: T): T {
  const taken = new Set<string>();
  const relabelled = <L extends { readonly label: string }>(one: L): L => {
    let name = one.label.trim() === '' ? 'x' : one.label;
    while (taken.has(name.toLowerCase())) name = `${name}'`;
    taken.add(name.toLowerCase());
    return { ...one, label: name };
  };
  return {
    ...plan,
    measures: plan.measures.map(relabelled),
    computed: plan.computed.map(relabelled),
    dimensions: plan.dimensions.map(relabelled),
  };
}

const rowsPlan: fc.Arbitrary<AnalysisPlan> = kinds('rows', {
  derived,
  filters,
  columns: fc.array(columnName, { maxLength: 3 }),
  distinct: yesNo,
  order: fc.array(fc.record({ by: columnName, direction }), { maxLength: 2 }),
  limit,
  each: fc.option(fc.array(columnName, { maxLength: 1 }), { nil: undefined }),
});

const statisticPlan: fc.Arbitrary<StatisticPlan> = kinds('statistic', {
  method: fc.constantFrom(...STATISTIC_METHODS),
  columns: fc.uniqueArray(numbers, { minLength: 1, maxLength: 3 }),
  by: fc.option(columnName, { nil: null }),
  at: fc.constantFrom(undefined, [1], [1, 2]),
  value: number,
  derived,
  filters,
});

/** Plans that are half right: of the right form, with names, values and combinations that nobody would think of. */
export const hostilePlan: fc.Arbitrary<AnalysisPlan> = fc.oneof(aggregatePlan, rowsPlan, statisticPlan);
