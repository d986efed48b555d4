import { z } from 'zod';
import { SERIES_KINDS, TIME_BUCKETS, TIME_PARTS } from '../ports/analysis-plan.js';
import { STATISTIC_METHODS } from '../ports/plan-statistics.js';
import { planProblems } from './plan-schema.problems.js';
import { aggregate, columnName, comparison, filters, fraction } from './plan-schema.conditions.js';
import { derived } from './plan-schema.expressions.js';

const column = columnName;
const label = z.string().trim().min(1).max(80);
const limit = z.number().int().min(1).max(1000).nullable().default(null);
const skip = z.number().int().min(0).max(1000).optional();
const index = z.number().int().min(0).max(100);
const conditions = filters.default([]);

const measure = z.strictObject({
  aggregate,
  column: columnName.nullable(),
  label,
  second: columnName.optional(),
  parameter: fraction.optional(),
  filters: filters.optional(),
});

const dimension = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column, label }),
  z.strictObject({ kind: z.literal('bucket'), column, bucket: z.enum(TIME_BUCKETS), label }),
  z.strictObject({ kind: z.literal('part'), column, part: z.enum(TIME_PARTS), label }),
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
  derived,
  columns: z.array(column).max(200).default([]),
  distinct: z.boolean().optional(),
  filters: conditions,
  order,
  limit,
  skip,
  each: z.array(column).max(8).optional(),
});

const statisticPlan = z.strictObject({
  kind: z.literal('statistic'),
  method: z.enum(STATISTIC_METHODS),
  columns: z.array(column).min(1).max(50),
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
