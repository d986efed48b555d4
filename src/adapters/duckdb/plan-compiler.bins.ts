import type { Expression } from '../../ports/analysis-plan.js';
import { AppError } from '../../shared/app-error.js';
import { type Computation, type ExpressionPlace, numeric, operand } from './plan-compiler.computations.js';
import { assertKnown } from './plan-compiler.words.js';

type Bins = Extract<Expression, { kind: 'bins' }>;

const MOST_EDGES = 1000;

/** The interval that a number falls in, as a text. */
export function binned(expression: Bins, place: ExpressionPlace): Computation {
  const { edges, closed } = expression;
  assertKnown(closed, ['left', 'right']);
  assertEdges(edges);
  const names = namesOf(expression);
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

function assertEdges(edges: readonly number[]): void {
  if (edges.length === 0 || edges.length > MOST_EDGES) {
    throw new AppError('invalid_input', `intervals need 1 to ${MOST_EDGES} limits`);
  }
  if (edges.some((edge, index) => index > 0 && !(edge > (edges[index - 1] ?? edge)))) {
    throw new AppError('invalid_input', 'the limits of intervals must ascend');
  }
}

/** One for below the first edge, one for each interval, one for above the last; null: in none. */
function namesOf({ edges, labels, closed }: Bins): readonly (string | null)[] {
  if (labels === null) return plainNames(edges, closed);
  if (labels.length === edges.length + 1) return labels;
  if (labels.length === edges.length - 1 && labels.length > 0) return [null, ...labels, null];
  const wanted = `${edges.length + 1}, or ${edges.length - 1} when values outside of the limits fall in none`;
  throw new AppError('invalid_input', `${edges.length} limits need ${wanted} labels; there are ${labels.length}`);
}

function plainNames(edges: readonly number[], closed: Bins['closed']): readonly string[] {
  const between = edges.slice(1).map((edge, index) => `${edges[index] ?? ''} to ${edge}`);
  const [first, last] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  return closed === 'left'
    ? [`below ${first}`, ...between, `${last} and above`]
    : [`up to ${first}`, ...between, `above ${last}`];
}
