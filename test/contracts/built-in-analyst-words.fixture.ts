import fc from 'fast-check';
import { SERIES_KINDS, TIME_BUCKETS, TIME_PARTS, type AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { Computed, Dimension, Filter, Measure, StatisticPlan } from '../../src/ports/analysis-plan.js';
import { PAIR_AGGREGATES, SINGLE_AGGREGATES } from '../../src/ports/plan-aggregates.js';
import { STATISTIC_METHODS, type StatisticMethod } from '../../src/ports/plan-statistics.js';
import type { Cell, ColumnType, QueryResult } from '../../src/ports/table.js';

type Aggregation = Extract<AnalysisPlan, { kind: 'aggregate' }>;
/** A plan, and what might come of it. */
export interface Case {
  readonly plan: AnalysisPlan;
  readonly result: QueryResult;
}

const column = fc.constantFrom('wind', 'temp_max', 'precipitation', 'odd *name* | [x](y)', 'weather');
const figure = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -5000, max: 900_000 }) },
  { weight: 4, arbitrary: fc.integer({ min: -900_000, max: 900_000 }).map((value) => value / 1000) },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1, -1, 0.5) },
);
const cell: fc.Arbitrary<Cell> = fc.option(figure, { nil: null, freq: 6 });
const text: fc.Arbitrary<Cell> = fc.constantFrom('sun', 'rain', '', '**bold** | x', 'a\nb', null);
const instant: fc.Arbitrary<Cell> = fc.constantFrom('2012-01-01T00:00:00.000Z', '2013-07-01T00:00:00.000Z', null);
const operator = fc.constantFrom('<', '<=', '>', '>=', '=', '!=' as const);

const plainFilter: fc.Arbitrary<Exclude<Filter, { kind: 'any' }>> = fc.oneof(
  fc.record({
    kind: fc.constant('in' as const),
    column,
    values: fc.array(fc.constantFrom('sun', 'rain', 'fog'), { minLength: 1, maxLength: 30 }),
    negated: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('compare' as const), column, operator, value: figure }),
  fc.record({ kind: fc.constant('between' as const), column, low: figure, high: figure }),
  fc.record({
    kind: fc.constant('contains' as const),
    column,
    text: fc.constantFrom('a', '*'),
    negated: fc.boolean(),
    at: fc.constantFrom('start' as const, 'end' as const, undefined),
  }),
  fc.record({ kind: fc.constant('null' as const), column, negated: fc.boolean() }),
  fc.record({ kind: fc.constant('columns' as const), left: column, operator, right: column }),
  fc.record({
    kind: fc.constant('against' as const),
    column,
    operator,
    aggregate: fc.constantFrom('max' as const, 'avg' as const, 'median' as const),
    reach: fc.constantFrom('all' as const, 'matching' as const),
  }),
  fc.record({
    kind: fc.constant('outlier' as const),
    column,
    method: fc.constantFrom('iqr' as const, 'zscore' as const),
    threshold: fc.constantFrom(1.5, 3),
    population: fc.boolean(),
    negated: fc.boolean(),
  }),
);
const filter: fc.Arbitrary<Filter> = fc.oneof(
  { weight: 8, arbitrary: plainFilter },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('any' as const),
      of: fc.array(fc.array(plainFilter, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
    }),
  },
);
const filters = fc.array(filter, { maxLength: 2 });

type Unlabelled = Omit<Measure, 'label'>;
const measure: fc.Arbitrary<Unlabelled> = fc.oneof(
  fc.constant<Unlabelled>({ aggregate: 'count', column: null }),
  fc.record({ aggregate: fc.constantFrom(...SINGLE_AGGREGATES), column, parameter: fc.constantFrom(0.1, 0.25, 0.99) }),
  fc.record({ aggregate: fc.constantFrom(...PAIR_AGGREGATES), column, second: column }),
  fc.record({ aggregate: fc.constant('avg' as const), column, filters }),
);
const dimension: fc.Arbitrary<Dimension> = fc.oneof(
  column.map((name): Dimension => ({ kind: 'column', column: name, label: `by ${name}` })),
  fc
    .constantFrom(...TIME_BUCKETS)
    .map((bucket): Dimension => ({ kind: 'bucket', column: 'date', bucket, label: `each ${bucket}` })),
  fc
    .constantFrom(...TIME_PARTS)
    .map((part): Dimension => ({ kind: 'part', column: 'date', part, label: `of ${part}` })),
);

function typeOf(one: Dimension): ColumnType {
  return { column: 'text', bucket: 'time', part: 'integer' }[one.kind] as ColumnType;
}

function cellOf(one: Dimension): fc.Arbitrary<Cell> {
  if (one.kind === 'part') return fc.integer({ min: 1, max: 7 });
  return one.kind === 'bucket' ? instant : text;
}

function computedOf(kind: number, measures: number): Computed {
  const pairs = ['ratio', 'percent', 'difference', 'sum', 'product', 'percent_change'] as const;
  const label = `computed ${String(kind)}`;
  const pair = pairs[kind - SERIES_KINDS.length];
  if (pair !== undefined) return { kind: pair, left: 0, right: measures - 1, label };
  return { kind: SERIES_KINDS[kind] ?? 'share', of: 0, label };
}

const aggregation: fc.Arbitrary<Aggregation> = fc
  .record({
    measures: fc.array(measure, { maxLength: 6 }),
    dimensions: fc.uniqueArray(dimension, { maxLength: 2, selector: ({ label }) => label }),
    kinds: fc.uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 2 }),
    filters,
    ranked: fc.boolean(),
    each: fc.boolean(),
    summed: fc.boolean(),
    having: fc.boolean(),
  })
  .filter(({ measures, dimensions }) => measures.length + dimensions.length > 0)
  .map(planOf);

interface Drafted {
  readonly measures: readonly Unlabelled[];
  readonly dimensions: readonly Dimension[];
  readonly kinds: readonly number[];
  readonly filters: readonly Filter[];
  readonly ranked: boolean;
  readonly each: boolean;
  readonly summed: boolean;
  readonly having: boolean;
}

function planOf(drafted: Drafted): Aggregation {
  const { dimensions, kinds, filters: where } = drafted;
  const measures = drafted.measures.map((one, index) => ({
    ...one,
    label: `figure ${String.fromCharCode(97 + index)}`,
  }));
  const [first] = measures;
  const plan: Aggregation = {
    ...{ kind: 'aggregate', measures, dimensions, filters: where, having: [], order: [], limit: null },
    ...(drafted.each ? { each: dimensions.slice(0, 1).map(({ label }) => label) } : {}),
  };
  return first === undefined ? plan : withFigures(plan, first.label, { ...drafted, kinds });
}

function withFigures(plan: Aggregation, label: string, { kinds, ranked, summed, having }: Drafted): Aggregation {
  return {
    ...plan,
    computed: kinds.map((kind) => computedOf(kind, plan.measures.length)),
    having: having ? [{ measure: 0, operator: '>', value: 5 }] : [],
    ...(ranked ? { order: [{ by: label, direction: 'desc' }], limit: 4 } : {}),
    ...(summed && plan.dimensions.length > 0 ? { summary: { aggregate: 'avg', measure: 0, label: 'summed up' } } : {}),
  };
}

function withRows(
  plan: AnalysisPlan,
  columns: readonly (readonly [string, ColumnType, fc.Arbitrary<Cell>])[],
  rows: { readonly min: number; readonly max: number },
): fc.Arbitrary<Case> {
  const row = fc.tuple(...columns.map(([, , cells]) => cells));
  return fc
    .record({ rows: fc.array(row, { minLength: rows.min, maxLength: rows.max }), truncated: fc.boolean() })
    .map(({ rows: found, truncated }) => ({
      plan,
      result: {
        columns: columns.map(([name, type]) => ({ name, type })),
        rows: found,
        truncated: truncated && rows.max > 1,
        dbquery: '',
        rowsScanned: 1000,
      },
    }));
}

const aggregateCase = aggregation.chain((plan) => {
  if (plan.summary !== undefined) return withRows(plan, [[plan.summary.label, 'number', cell]], { min: 1, max: 1 });
  const figures = [...plan.measures, ...(plan.computed ?? [])];
  return withRows(
    plan,
    [
      ...plan.dimensions.map((one) => [one.label, typeOf(one), cellOf(one)] as const),
      ...figures.map(({ label }) => [label, 'number', cell] as const),
    ],
    plan.dimensions.length === 0 ? { min: 1, max: 1 } : { min: 0, max: plan.limit ?? 15 },
  );
});

const rowsCase = fc
  .record({
    filters,
    distinct: fc.boolean(),
    ranked: fc.boolean(),
    few: fc.boolean(),
    limit: fc.constantFrom(null, 1, 3),
  })
  .chain(({ ranked, few, ...rest }) => {
    const columns = [
      ['weather', 'text', text],
      ...(few ? [] : [['date', 'time', instant] as const, ['wind', 'number', cell] as const]),
    ] as const;
    const order = ranked ? [{ by: 'wind', direction: 'desc' as const }] : [];
    const plan: AnalysisPlan = { kind: 'rows', columns: columns.map(([name]) => name), order, ...rest };
    return withRows(plan, columns, { min: 0, max: rest.limit ?? 30 });
  });

const RESULTS: Readonly<Partial<Record<StatisticMethod, readonly string[]>>> = {
  pearson: ['correlation', 'p-value', 'pairs'],
  spearman: ['correlation', 'p-value', 'pairs'],
  anova: ['statistic', 'p-value', 'groups', 'rows'],
  describe: ['rows', 'missing', 'mean', 'standard deviation', 'lowest', '25 %', 'median', '75 %', 'highest'],
};
const statisticCase = fc.record({ method: fc.constantFrom(...STATISTIC_METHODS), filters }).chain((parts) => {
  const plan: StatisticPlan = { kind: 'statistic', columns: ['wind', 'temp_max'], by: null, at: [3], ...parts };
  const figures = (RESULTS[parts.method] ?? ['statistic', 'p-value', 'degrees of freedom', 'mean of a']).map(
    (name) => [name, 'number', cell] as const,
  );
  const regression = ['coefficient', 'standard error', 't', 'p-value'].map((name) => [name, 'number', cell] as const);
  const term = fc.constantFrom<Cell[]>('intercept', 'temp_max', 'r-squared', 'prediction');
  const pairs = [
    ['first', 'text', fc.constant('wind')],
    ['second', 'text', fc.constant('temp_max')],
  ] as const;
  const correlation = [
    ['correlation', 'number', cell],
    ['p-value', 'number', cell],
    ['pairs', 'integer', cell],
  ] as const;
  if (plan.method === 'regression') return withRows(plan, [['term', 'text', term], ...regression], { min: 0, max: 5 });
  if (plan.method === 'correlation_matrix') return withRows(plan, [...pairs, ...correlation], { min: 0, max: 5 });
  if (plan.method === 'describe')
    return withRows(plan, [['column', 'text', fc.constant('wind')], ...figures], { min: 1, max: 3 });
  return withRows(plan, figures, { min: 0, max: 1 });
});

/** Any plan of any kind with a result of its shape. */
export const CASES = fc.oneof(aggregateCase, rowsCase, statisticCase);
