import { z } from 'zod';
import { AGGREGATES, COMPARISONS, OUTLIER_METHODS } from '../ports/analysis-plan.js';

export const MAX_FILTER_VALUES = 1000;

export const columnName = z.string().min(1).max(1000);
export const aggregate = z.enum(AGGREGATES);
export const fraction = z.number().min(0).max(1);
export const comparison = z.enum(COMPARISONS);
export const scalar = z.union([z.string().max(1000), z.number(), z.boolean()]);

const negated = z.boolean().default(false);
const iso = z.iso.datetime({ offset: true, local: true }).or(z.iso.date());
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
  z.strictObject({ kind: z.literal('time'), column: columnName, from: instant, to: instant }),
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

const condition = z.discriminatedUnion('kind', conditions);

const any = z.strictObject({
  kind: z.literal('any'),
  of: z.array(z.array(condition).min(1).max(50)).min(1).max(50),
});

export const filters = z.array(z.discriminatedUnion('kind', [...conditions, any])).max(50);
