import type { PlanOrder } from '../ports/analysis-plan.js';
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

export function limitClause(limit: number | null, skip = 0): readonly string[] {
  return [...(limit === null ? [] : [`LIMIT ${limit}`]), ...(skip === 0 ? [] : [`OFFSET ${skip}`])];
}

/** Which of the rows stay within each combination: from the first that is not passed over. */
export function qualifyClause(each: readonly string[], order: readonly string[], { limit, skip }: Choice): string {
  const sorted = order.length === 0 ? '' : ` ORDER BY ${order.join(', ')}`;
  const place = `row_number() OVER (PARTITION BY ${each.join(', ')}${sorted})`;
  return skip === 0 ? `QUALIFY ${place} <= ${limit}` : `QUALIFY ${place} BETWEEN ${skip + 1} AND ${skip + limit}`;
}

interface Choice {
  readonly limit: number;
  readonly skip: number;
}
