import { z } from 'zod';
import {
  type AggregatePlan,
  AGGREGATES,
  type AnalysisPlan,
  COMPARISONS,
  type Expression,
  type Filter,
  type Measure,
  OUTLIER_METHODS,
  type RowsPlan,
  SERIES_KINDS,
  TIME_BUCKETS,
  TIME_PARTS,
} from '../ports/analysis-plan.js';
import { DURATION_UNITS, MOMENT_PARTS, NUMBER_FUNCTIONS } from '../ports/plan-expression.js';
import { STATISTIC_METHODS } from '../ports/plan-statistics.js';
import { LONGEST_RELATIVE_TIME, RELATIVE_TIME, relativeTime } from './moving-times.js';
import { isPair } from './plan-methods.js';

const MAX_FILTER_VALUES = 1000;

const columnName = z.string().min(1).max(1000);
const aggregate = z.enum(AGGREGATES);
const fraction = z.number().min(0).max(1);
const comparison = z.enum(COMPARISONS);
const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);

const negated = z.boolean().default(false);
const iso = z.iso.datetime({ offset: true, local: true }).or(z.iso.date());
const instant = z
  .string()
  .max(40)
  .refine((text) => iso.safeParse(text).success, 'must be an ISO 8601 date or time')
  .nullable();
/** What is a moment for both is one for whoever reads the plan. */
const SEEN_FROM = [new Date(0), new Date('3000-01-01')];
const relative = z
  .string()
  .max(LONGEST_RELATIVE_TIME)
  .regex(RELATIVE_TIME, 'must be relative as now, now-7d or now-1w/w')
  .refine(
    (text) => SEEN_FROM.every((now) => !Number.isNaN(relativeTime(text, now).getTime())),
    'must be within the calendar',
  )
  .nullable();

const conditionKinds = [
  z.strictObject({
    kind: z.literal('in'),
    column: columnName,
    values: z.array(scalar).min(1).max(MAX_FILTER_VALUES),
    negated,
  }),
  z.strictObject({ kind: z.literal('compare'), column: columnName, operator: comparison, value: z.number() }),
  z.strictObject({ kind: z.literal('between'), column: columnName, low: z.number(), high: z.number() }),
  z.strictObject({
    kind: z.literal('time'),
    column: columnName,
    from: instant,
    to: instant,
    moving: z.strictObject({ from: relative, to: relative }).optional(),
  }),
  z.strictObject({
    kind: z.literal('contains'),
    column: columnName,
    text: z.string().min(1).max(1000),
    negated,
    at: z.enum(['anywhere', 'start', 'end']).optional(),
  }),
  z.strictObject({ kind: z.literal('null'), column: columnName, negated }),
  z.strictObject({ kind: z.literal('columns'), left: columnName, operator: comparison, right: columnName }),
  z.strictObject({
    kind: z.literal('against'),
    column: columnName,
    operator: comparison,
    aggregate,
    of: columnName.optional(),
    parameter: fraction.optional(),
    factor: z.number().positive().max(1e6).optional(),
    among: z.strictObject({ column: columnName, value: scalar }).optional(),
    reach: z.enum(['matching', 'all']),
  }),
  z.strictObject({
    kind: z.literal('outlier'),
    column: columnName,
    method: z.enum(OUTLIER_METHODS),
    threshold: z.number().min(0).max(1e6),
    population: z.boolean().default(false),
    negated,
  }),
] as const;

const condition = z.discriminatedUnion('kind', conditionKinds);

const any = z.strictObject({
  kind: z.literal('any'),
  of: z.array(z.array(condition).min(1).max(50)).min(1).max(50),
});

const filters = z.array(z.discriminatedUnion('kind', [...conditionKinds, any])).max(50);

const MOST_DERIVED = 20;

const of: z.ZodType<Expression> = z.lazy(() => expression);

const expression = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column: columnName }),
  z.strictObject({ kind: z.literal('number'), value: z.number() }),
  z.strictObject({ kind: z.literal('arithmetic'), operator: z.enum(['+', '-', '*', '/']), left: of, right: of }),
  z.strictObject({ kind: z.literal('function'), function: z.enum(NUMBER_FUNCTIONS), of }),
  z.strictObject({ kind: z.literal('length'), column: columnName, unit: z.enum(['characters', 'words']) }),
  z.strictObject({ kind: z.literal('part'), column: columnName, part: z.enum(MOMENT_PARTS) }),
  z.strictObject({
    kind: z.literal('duration'),
    from: columnName,
    to: columnName,
    unit: z.enum(DURATION_UNITS),
  }),
  z.strictObject({
    kind: z.literal('scaled'),
    method: z.enum(['zscore', 'minmax']),
    of,
    population: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('bins'),
    of,
    edges: z.array(z.number()).min(1).max(200),
    labels: z.array(z.string().min(1).max(200)).min(1).max(201).nullable().default(null),
    closed: z.enum(['left', 'right']).default('left'),
  }),
  z.strictObject({
    kind: z.literal('equal_bins'),
    of,
    count: z.number().int().min(1).max(1000),
    equal: z.enum(['width', 'rows']),
  }),
  z.strictObject({
    kind: z.literal('case'),
    cases: z
      .array(z.strictObject({ filters, value: scalar }))
      .min(1)
      .max(50),
    otherwise: scalar.nullable().default(null),
  }),
  z.strictObject({
    kind: z.literal('filled'),
    column: columnName,
    with: z.union([z.enum(['mean', 'median', 'mode']), z.number()]),
  }),
]);

const name = z.string().trim().min(1).max(200);

const derived = z
  .array(z.strictObject({ name, expression: of }))
  .max(MOST_DERIVED)
  .optional();

const label = z.string().trim().min(1).max(80);
const limit = z.number().int().min(1).max(1000).nullable().default(null);
const skip = z.number().int().min(0).max(1000).optional();
const index = z.number().int().min(0).max(100);
const conditions = filters.default([]);

/** Whether the relation is confirmed is for the reader of rows to say. */
const join = z
  .strictObject({ relation: z.string().min(1).max(100), table: z.string().trim().min(1).max(100) })
  .optional();

const measure = z.strictObject({
  aggregate,
  column: columnName.nullable(),
  label,
  second: columnName.optional(),
  parameter: fraction.optional(),
  filters: filters.optional(),
});

const dimension = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column: columnName, label }),
  z.strictObject({ kind: z.literal('bucket'), column: columnName, bucket: z.enum(TIME_BUCKETS), label }),
  z.strictObject({ kind: z.literal('part'), column: columnName, part: z.enum(TIME_PARTS), label }),
]);

/** Of two figures. */
export const PAIR_KINDS = ['ratio', 'percent', 'difference', 'sum', 'product', 'percent_change'] as const;

const computed = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.enum(SERIES_KINDS),
    of: index,
    window: z.number().int().min(1).max(1000).optional(),
    label,
  }),
  z.strictObject({
    kind: z.enum(PAIR_KINDS),
    left: index,
    right: index,
    label,
  }),
]);

const order = z
  .array(z.strictObject({ by: z.string().min(1).max(1000), direction: z.enum(['asc', 'desc']) }))
  .max(20)
  .default([]);

const summary = z.strictObject({
  aggregate: z.enum(['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev']),
  measure: index.nullable(),
  label,
});

const aggregatePlan = z.strictObject({
  kind: z.literal('aggregate'),
  join,
  derived,
  measures: z.array(measure).max(20).default([]),
  dimensions: z.array(dimension).max(8).default([]),
  filters: conditions,
  computed: z.array(computed).max(20).optional(),
  having: z
    .array(z.strictObject({ measure: index, operator: comparison, value: z.number() }))
    .max(20)
    .default([]),
  order,
  limit,
  skip,
  each: z.array(label).max(8).optional(),
  summary: summary.optional(),
});

const rowsPlan = z.strictObject({
  kind: z.literal('rows'),
  join,
  derived,
  columns: z.array(columnName).max(200).default([]),
  distinct: z.boolean().optional(),
  filters: conditions,
  order,
  limit,
  skip,
  each: z.array(columnName).max(8).optional(),
});

const statisticPlan = z.strictObject({
  kind: z.literal('statistic'),
  join,
  method: z.enum(STATISTIC_METHODS),
  columns: z.array(columnName).min(1).max(50),
  by: columnName.nullable().default(null),
  at: z.array(z.number()).min(1).max(10).optional(),
  value: z.number().optional(),
  derived,
  filters: conditions,
});

/** A plan as a model may write it: nothing unknown, nothing that contradicts itself. Whether its columns exist is the engine's to say. */
export const planSchema = z
  .discriminatedUnion('kind', [aggregatePlan, rowsPlan, statisticPlan])
  .superRefine((plan, context) => {
    for (const problem of planProblems(plan)) context.addIssue({ code: 'custom', message: problem });
  });

/** What contradicts itself in a plan, in sentences for whoever wrote it. What is wrong with derived columns and statistics the engine says. */
function planProblems(plan: AnalysisPlan): readonly string[] {
  const filters = filtersIn(plan);
  const values = filters.flatMap((filter) => (filter.kind === 'in' ? filter.values : []));
  return [
    ...(values.length > MAX_FILTER_VALUES ? [`the filters have more than ${MAX_FILTER_VALUES} values`] : []),
    ...filters.flatMap(filterProblems),
    ...(plan.kind === 'aggregate' ? aggregateProblems(plan) : []),
    ...(plan.kind === 'rows' ? limitProblems(plan) : []),
  ];
}

/** All conditions, also those inside of others. */
function filtersIn(plan: AnalysisPlan): readonly Filter[] {
  const cases = (plan.derived ?? []).flatMap(({ expression }) =>
    expression.kind === 'case' ? expression.cases.flatMap(({ filters }) => filters) : [],
  );
  const measured = plan.kind === 'aggregate' ? plan.measures.flatMap(({ filters = [] }) => filters) : [];
  return [...plan.filters, ...cases, ...measured].flatMap((filter) =>
    filter.kind === 'any' ? filter.of.flat() : [filter],
  );
}

function filterProblems(filter: Filter): readonly string[] {
  if (filter.kind !== 'against') return [];
  return [
    ...(isPair(filter.aggregate)
      ? [`a column can't be compared with a ${filter.aggregate}, which is of two columns`]
      : []),
    ...parameterProblems(filter),
  ];
}

function parameterProblems({ aggregate, parameter }: Pick<Measure, 'aggregate' | 'parameter'>): readonly string[] {
  const isPercentile = aggregate === 'percentile';
  if (isPercentile && parameter === undefined) return ['percentile needs a parameter from 0 to 1'];
  return !isPercentile && parameter !== undefined ? [`${aggregate} has no parameter`] : [];
}

function aggregateProblems(plan: AggregatePlan): readonly string[] {
  const computed = plan.computed ?? [];
  const labels = [...plan.measures, ...plan.dimensions, ...computed].map(({ label }) => label);
  const figures = plan.measures.length + computed.length;
  return [
    ...(labels.length === 0 ? ['a plan needs a measure or a dimension'] : []),
    ...(new Set(labels.map((label) => label.toLowerCase())).size < labels.length ? ['the labels must differ'] : []),
    ...plan.measures.flatMap(measureProblems),
    ...computedProblems(plan),
    ...(plan.having.some(({ measure }) => measure >= figures) ? ['having names a measure that is not there'] : []),
    ...(plan.order.some(({ by }) => !labels.includes(by)) ? [`order must name a label: ${labels.join(', ')}`] : []),
    ...(plan.each?.every((label) => plan.dimensions.some((one) => one.label === label)) === false
      ? ['each must name labels of dimensions']
      : []),
    ...limitProblems(plan),
    ...summaryProblems(plan, figures),
  ];
}

function measureProblems(measure: Measure): readonly string[] {
  const { aggregate, column, second } = measure;
  const paired = isPair(aggregate);
  return [
    ...(column === null && aggregate !== 'count' ? ['only count goes without a column'] : []),
    ...(paired && second === undefined ? [`${aggregate} needs a second column`] : []),
    ...(!paired && second !== undefined ? [`${aggregate} takes no second column`] : []),
    ...parameterProblems(measure),
  ];
}

function computedProblems({ computed = [], measures }: AggregatePlan): readonly string[] {
  return computed.flatMap((one) => {
    const used = 'of' in one ? [one.of] : [one.left, one.right];
    const lacks = used.some((index) => index >= measures.length);
    const strange = 'of' in one && one.window !== undefined && one.kind !== 'moving_average';
    return [
      ...(lacks ? [`"${one.label}" is computed from a measure that is not there`] : []),
      ...(strange ? ['only a moving average has a window'] : []),
    ];
  });
}

function limitProblems({ each = [], limit }: AggregatePlan | RowsPlan): readonly string[] {
  return each.length > 0 && limit === null ? ['each needs a limit'] : [];
}

function summaryProblems({ summary }: AggregatePlan, figures: number): readonly string[] {
  if (summary === undefined) return [];
  const { aggregate, measure } = summary;
  if (measure === null) return aggregate === 'count' ? [] : ['only a summary that counts goes without a measure'];
  return measure >= figures ? ['the summary names a measure that is not there'] : [];
}
