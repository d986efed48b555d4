import { z } from 'zod';
import { SERIES_KINDS, TIME_BUCKETS, TIME_PARTS } from '../ports/analysis-plan.js';
import { STATISTIC_METHODS } from '../ports/plan-statistics.js';
import { planProblems } from './plan-schema.problems.js';
import { aggregate, columnName, comparison, filters, fraction } from './plan-schema.conditions.js';
import { derived } from './plan-schema.expressions.js';

const column = columnName;
const label = z.string().trim().min(1).max(80).describe('name of a result column; all differ').meta({ id: 'label' });
const limit = z.number().int().min(1).max(1000).nullable().default(null);
const skip = z
  .number()
  .int()
  .min(0)
  .max(1000)
  .optional()
  .describe('so many of the first are passed over: 1 for the second');
const index = z.number().int().min(0).max(100);
const conditions = filters.default([]).describe('all must hold');

const measure = z.strictObject({
  aggregate,
  column: columnName.nullable().describe('null only with count: the number of rows'),
  label,
  second: columnName.optional().describe('of correlation, covariance, slope …: what the column is set against'),
  parameter: fraction.optional().describe('of percentile'),
  filters: filters.optional().describe('for this figure alone'),
});

const dimension = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('column'), column, label }),
  z.strictObject({ kind: z.literal('bucket'), column, bucket: z.enum(TIME_BUCKETS), label }),
  z.strictObject({ kind: z.literal('part'), column, part: z.enum(TIME_PARTS), label }),
]);

const computed = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.enum(SERIES_KINDS),
      of: index,
      window: z.number().int().min(1).max(1000).optional().describe('of moving_average'),
      label,
    })
    .describe('over the groups; shares and growth are fractions'),
  z
    .strictObject({
      kind: z.enum(['ratio', 'percent', 'difference', 'sum', 'product', 'percent_change']),
      left: index,
      right: index,
      label,
    })
    .describe('of two measures; percent_change is 100 * (left - right) / right'),
]);

const order = z
  .array(z.strictObject({ by: z.string().min(1).max(1000), direction: z.enum(['asc', 'desc']) }))
  .max(20)
  .default([]);

const summary = z
  .strictObject({
    aggregate: z.enum(['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev']),
    measure: index.nullable(),
    label,
  })
  .describe(
    'one figure over all groups, in place of them: the average of the counts; count with null: how many groups',
  );

const aggregatePlan = z
  .strictObject({
    kind: z.literal('aggregate'),
    derived,
    measures: z.array(measure).max(20).default([]),
    dimensions: z.array(dimension).max(8).default([]).describe('group by'),
    filters: conditions,
    computed: z.array(computed).max(20).optional().describe('from measures, by index'),
    having: z
      .array(z.strictObject({ measure: index, operator: comparison, value: z.number() }))
      .max(20)
      .default([])
      .describe('conditions on figures; index through measures, then computed'),
    order: order.describe('`by` is a label'),
    limit,
    skip,
    each: z.array(label).max(8).optional().describe('labels of dimensions within which limit counts: top 3 of each'),
    summary: summary.optional(),
  })
  .describe('figures by groups');

const rowsPlan = z
  .strictObject({
    kind: z.literal('rows'),
    derived,
    columns: z.array(column).max(200).default([]).describe('empty: all'),
    distinct: z.boolean().optional(),
    filters: conditions,
    order: order.describe('`by` is a column'),
    limit,
    skip,
    each: z.array(column).max(8).optional().describe('columns within which limit counts'),
  })
  .describe('single rows');

const statisticPlan = z
  .strictObject({
    kind: z.literal('statistic'),
    method: z.enum(STATISTIC_METHODS),
    columns: z.array(column).min(1).max(50).describe('regression: the outcome first'),
    by: columnName.nullable().default(null).describe('the groups, for comparisons of groups'),
    at: z.array(z.number()).min(1).max(10).optional().describe('regression: predict there'),
    value: z.number().optional().describe('one_sample_t_test: the mean to compare with'),
    derived,
    filters: conditions,
  })
  .describe('tests with p-values, correlations, regression, describe');

/** A plan as a model may write it: nothing unknown, nothing that contradicts itself. Whether its columns exist is the engine's to say. */
export const planSchema = z
  .discriminatedUnion('kind', [aggregatePlan, rowsPlan, statisticPlan])
  .superRefine((plan, context) => {
    for (const problem of planProblems(plan)) context.addIssue({ code: 'custom', message: problem });
  });
