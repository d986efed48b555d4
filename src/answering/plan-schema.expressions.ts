import { z } from 'zod';
import type { DerivedColumn, Expression } from '../ports/analysis-plan.js';
import { DURATION_UNITS, MOMENT_PARTS, NUMBER_FUNCTIONS } from '../ports/plan-expression.js';
import { columnName, filters, scalar } from './plan-schema.conditions.js';

export const DEEPEST_EXPRESSION = 6;
export const MOST_DERIVED = 20;

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

export const derived = z
  .array(z.strictObject({ name, expression: of }))
  .max(MOST_DERIVED)
  .optional();

/** What contradicts itself in derived columns. */
export function derivedProblems(columns: readonly DerivedColumn[]): readonly string[] {
  const names = columns.map((column) => column.name.toLowerCase());
  const problems = new Set(names).size < names.length ? ['the names of derived columns must differ'] : [];
  const tooDeep = columns.find((column) => depthOf(column.expression) > DEEPEST_EXPRESSION);
  if (tooDeep) problems.push(`the expression of "${tooDeep.name}" is nested deeper than ${DEEPEST_EXPRESSION} levels`);
  return [...problems, ...columns.flatMap((column) => partsOf(column.expression).flatMap(binProblems))];
}

function binProblems(part: Expression): readonly string[] {
  if (part.kind !== 'bins') return [];
  const { edges, labels } = part;
  const ascends = edges.every((edge, index) => index === 0 || edge > (edges[index - 1] ?? edge));
  const fits = labels === null || Math.abs(labels.length - edges.length) === 1;
  return [
    ...(ascends ? [] : ['the edges of bins must ascend']),
    ...(fits ? [] : ['bins need one label more than edges, or one fewer']),
  ];
}

function operandsOf(expression: Expression): readonly Expression[] {
  if (expression.kind === 'arithmetic') return [expression.left, expression.right];
  return 'of' in expression ? [expression.of] : [];
}

function partsOf(expression: Expression): readonly Expression[] {
  return [expression, ...operandsOf(expression).flatMap(partsOf)];
}

function depthOf(expression: Expression): number {
  return 1 + Math.max(0, ...operandsOf(expression).map(depthOf));
}
