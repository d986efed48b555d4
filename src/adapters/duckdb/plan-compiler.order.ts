import type { PlanOrder } from '../../ports/analysis-plan.js';
import { AppError } from '../../shared/app-error.js';
import { assertKnown } from './plan-compiler.words.js';
import type { PlanWriter } from './plan-compiler.writers.js';

/** A column of a result that rows can be sorted by. */
export interface Sortable {
  readonly label: string;
  readonly ranked?: readonly string[] | undefined;
}

/** One term of ORDER BY; what has no value comes last, in both directions. */
export function orderTerm(expression: string, direction: PlanOrder['direction']): string {
  return `${expression}${direction === 'desc' ? ' DESC' : ''} NULLS LAST`;
}

/** Texts that have an order of their own are sorted by it. */
export function sortKey(column: Sortable, writer: PlanWriter): string {
  return rankedKey(writer.label(column.label), column.ranked, writer);
}

export function rankedKey(expression: string, ranked: readonly string[] | undefined, writer: PlanWriter): string {
  if (ranked === undefined) return expression;
  return `list_position([${ranked.map((text) => writer.text(text)).join(', ')}], ${expression})`;
}

/** Plans also come from a model, as data that only looks typed. */
export function assertDirection({ direction }: PlanOrder): void {
  assertKnown(direction, ['asc', 'desc']);
}

/** @throws AppError `invalid_input` when it is no whole number above 0. */
export function wholeLimit(limit: number | null): number | null {
  if (limit === null) return null;
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new AppError('invalid_input', 'the limit of the plan must be a whole number above 0');
  }
  return limit;
}

export function limitClause(limit: number | null): readonly string[] {
  return limit === null ? [] : [`LIMIT ${limit}`];
}

export function qualifyClause(each: readonly string[], order: readonly string[], limit: number): string {
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  return `QUALIFY row_number() OVER (PARTITION BY ${each.join(', ')}${sorted}) <= ${limit}`;
}

/** The smaller of two limits, of which either may be none. */
export function tighter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
