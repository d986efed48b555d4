import { z } from 'zod';
import { AGGREGATES, COMPARISONS, OUTLIER_METHODS } from '../ports/analysis-plan.js';

export const MAX_FILTER_VALUES = 1000;

export const columnName = z.string().min(1).max(1000).meta({ id: 'column' });
export const aggregate = z.enum(AGGREGATES).meta({ id: 'aggregate' });
export const fraction = z.number().min(0).max(1);
export const comparison = z.enum(COMPARISONS).meta({ id: 'comparison' });
export const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]).meta({ id: 'value' });

const negated = z.boolean().default(false);
const iso = z.iso.datetime({ offset: true, local: true }).or(z.iso.date());
/** Checked by a function, because the pattern of it would be the longest part of what a model is told. */
const instant = z
  .string()
  .max(40)
  .refine((text) => iso.safeParse(text).success, 'must be an ISO 8601 date or time')
  .nullable();

const conditions = [
  z.strictObject({
    kind: z.literal('in'),
    column: columnName,
    values: z.array(scalar).min(1).max(MAX_FILTER_VALUES),
    negated,
  }),
  z.strictObject({ kind: z.literal('compare'), column: columnName, operator: comparison, value: z.number() }),
  z.strictObject({ kind: z.literal('between'), column: columnName, low: z.number(), high: z.number() }),
  z
    .strictObject({ kind: z.literal('time'), column: columnName, from: instant, to: instant })
    .describe('ISO 8601, UTC; `to` is exclusive, null is open'),
  z.strictObject({
    kind: z.literal('contains'),
    column: columnName,
    text: z.string().min(1).max(1000),
    negated,
    at: z.enum(['anywhere', 'start', 'end']).optional(),
  }),
  z.strictObject({ kind: z.literal('null'), column: columnName, negated }).describe('rows without a value'),
  z
    .strictObject({ kind: z.literal('columns'), left: columnName, operator: comparison, right: columnName })
    .describe('two columns of the same row'),
  z
    .strictObject({
      kind: z.literal('against'),
      column: columnName,
      operator: comparison,
      aggregate,
      of: columnName.optional().describe('default: the same column'),
      parameter: fraction.optional().describe('for percentile'),
      factor: z.number().positive().max(1e6).optional().describe('2: against twice the figure'),
      reach: z.enum(['matching', 'all']),
    })
    .describe(
      'a column against a figure over the rows that fit the other filters (matching) or all; `=` `max`: who holds the highest',
    ),
  z
    .strictObject({
      kind: z.literal('outlier'),
      column: columnName,
      method: z.enum(OUTLIER_METHODS),
      threshold: z.number().min(0).max(1e6),
      population: z.boolean().default(false),
      negated,
    })
    .describe('keeps outliers; negated: drops them. Usual thresholds: iqr 1.5, zscore 3'),
] as const;

const condition = z.discriminatedUnion('kind', conditions).meta({ id: 'condition' });

const any = z
  .strictObject({ kind: z.literal('any'), of: z.array(z.array(condition).min(1).max(50)).min(1).max(50) })
  .describe('or: one of these lists must hold, all of its conditions together');

const filter = z.union([condition, any]).meta({ id: 'filter' });

export const filters = z.array(filter).max(50).meta({ id: 'filters' });
