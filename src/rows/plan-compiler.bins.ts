import type { Expression } from '../ports/analysis-plan.js';
import { type Computation, type ExpressionPlace, numeric, operand } from './plan-compiler.computations.js';
import { binNames } from '../plan/plan-bins.js';

type Bins = Extract<Expression, { kind: 'bins' }>;

/** The interval that a number falls in, as a text. */
export function binned(expression: Bins, place: ExpressionPlace): Computation {
  const { edges, closed } = expression;
  const names = binNames(expression);
  const x = operand(numeric(expression.of, place, 'intervals'));
  const below = closed === 'left' ? '<' : '<=';
  const cases = [...edges, null].map((edge, index) => {
    const name = names[index] ?? null;
    const condition = edge === null ? `${x} IS NOT NULL` : `${x} ${below} ${place.writer.number(edge)}`;
    return `WHEN ${condition} THEN ${name === null ? 'NULL' : place.writer.text(name)}`;
  });
  const ranked = [...new Set(names.filter((name) => name !== null))];
  return { sql: `CASE ${cases.join(' ')} END`, type: 'text', single: true, ranked };
}
