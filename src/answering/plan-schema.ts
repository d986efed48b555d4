import { z } from 'zod';
import { AGGREGATES, TIME_BUCKETS, TIME_PARTS, type AnalysisPlan } from '../ports/analysis-plan.js';

const MAX_FILTER_VALUES = 1000;
const OPERATORS = ['<', '<=', '>', '>=', '=', '!='] as const;

const column = z.string().min(1).max(1000).describe('name of a column, exactly as given');
const label = z.string().trim().min(1).max(80).describe('name of the result column; all labels differ');
const limit = z.number().int().min(1).max(1000).nullable().default(null);
const instant = z.iso
  .datetime({ offset: true, local: true })
  .or(z.iso.date())
  .nullable()
  .describe('ISO 8601, UTC; null: open');

const measure = z.strictObject({
  aggregate: z.enum(AGGREGATES),
  column: column.nullable().describe('null only with count: the number of rows'),
  label,
});

const dimension = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column, label }),
  z.strictObject({ kind: z.literal('bucket'), column, bucket: z.enum(TIME_BUCKETS), label }),
  z.strictObject({ kind: z.literal('part'), column, part: z.enum(TIME_PARTS), label }),
]);

const filter = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('in'),
    column,
    values: z
      .array(z.union([z.string().max(1000), z.number(), z.boolean()]))
      .min(1)
      .max(MAX_FILTER_VALUES),
    negated: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('compare'), column, operator: z.enum(OPERATORS), value: z.number() }),
  z.strictObject({ kind: z.literal('between'), column, low: z.number(), high: z.number() }),
  z.strictObject({ kind: z.literal('time'), column, from: instant, to: instant.describe('exclusive') }),
  z.strictObject({
    kind: z.literal('contains'),
    column,
    text: z.string().min(1).max(1000),
    negated: z.boolean().default(false),
  }),
  z.strictObject({ kind: z.literal('null'), column, negated: z.boolean().default(false) }),
]);

const filters = z.array(filter).max(50).default([]).describe('all must hold');
const order = z
  .array(z.strictObject({ by: z.string().min(1).max(1000), direction: z.enum(['asc', 'desc']) }))
  .max(20)
  .default([]);

const aggregatePlan = z.strictObject({
  kind: z.literal('aggregate'),
  measures: z.array(measure).max(20).default([]),
  dimensions: z.array(dimension).max(8).default([]),
  filters,
  having: z
    .array(z.strictObject({ measure: z.number().int().min(0), operator: z.enum(OPERATORS), value: z.number() }))
    .max(20)
    .default([])
    .describe('conditions on figures; `measure` is an index'),
  order: order.describe('`by` is a label'),
  limit,
});

const rowsPlan = z.strictObject({
  kind: z.literal('rows'),
  columns: z.array(column).max(200).default([]).describe('empty: all'),
  filters,
  order: order.describe('`by` is a column'),
  limit,
});

/** A plan as a model may write it: nothing unknown, nothing that contradicts itself. Whether its columns exist is the engine's to say. */
export const planSchema = z.discriminatedUnion('kind', [aggregatePlan, rowsPlan]).superRefine((plan, context) => {
  for (const problem of contradictions(plan)) context.addIssue({ code: 'custom', message: problem });
});

function contradictions(plan: AnalysisPlan): readonly string[] {
  const values = plan.filters.reduce((sum, each) => sum + (each.kind === 'in' ? each.values.length : 0), 0);
  const problems = values > MAX_FILTER_VALUES ? [`the filters have more than ${MAX_FILTER_VALUES} values`] : [];
  if (plan.kind === 'rows') return problems;

  const labels = [...plan.measures, ...plan.dimensions].map((each) => each.label);
  if (labels.length === 0) problems.push('a plan needs a measure or a dimension');
  if (new Set(labels).size < labels.length) problems.push('the labels must differ');
  if (plan.measures.some((each) => each.column === null && each.aggregate !== 'count')) {
    problems.push('only count goes without a column');
  }
  if (plan.having.some((each) => each.measure >= plan.measures.length)) {
    problems.push('having names a measure that is not there');
  }
  const unknown = plan.order.find((each) => !labels.includes(each.by));
  if (unknown !== undefined) problems.push('order must name a label of the plan');
  return problems;
}
