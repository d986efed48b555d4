import type { Expression } from '../ports/analysis-plan.js';
import { AppError } from '../shared/app-error.js';
import { assertKnown } from './plan-words.js';

type Bins = Extract<Expression, { kind: 'bins' }>;

const MOST_EDGES = 1000;

function assertEdges(edges: readonly number[]): void {
  if (edges.length === 0 || edges.length > MOST_EDGES) {
    throw new AppError('invalid_input', `intervals need 1 to ${MOST_EDGES} limits`);
  }
  if (edges.some((edge, index) => index > 0 && !(edge > (edges[index - 1] ?? edge)))) {
    throw new AppError('invalid_input', 'the limits of intervals must ascend');
  }
}

/**
 * One for below the first edge, one for each interval, one for above the last; null: in none.
 *
 * @throws AppError `invalid_input` when edges and labels do not fit together.
 */
export function binNames({ edges, labels, closed }: Bins): readonly (string | null)[] {
  assertKnown(closed, ['left', 'right']);
  assertEdges(edges);
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
