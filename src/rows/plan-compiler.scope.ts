import type { PlanColumns } from '../plan/plan-columns.js';
import type { PlanWriter } from './plan-compiler.writers.js';

/** The rows that a figure inside a condition is over. */
export interface FigureScope {
  readonly relation: string;
  readonly where: readonly string[];
}

/** What the words of a plan mean where they are compiled. */
export interface PlanContext {
  readonly columns: PlanColumns;
  readonly writer: PlanWriter;
  /** For figures over the rows that fit the plan's other conditions, and over all rows; null where no figure can stand. */
  readonly scope: { readonly matching: FigureScope; readonly all: (column: string) => FigureScope } | null;
}

/** A figure over rows, as a value. */
export function figureOver(expression: string, { relation, where }: FigureScope): string {
  const conditions = where.length === 0 ? '' : ` WHERE ${where.join(' AND ')}`;
  return `(SELECT ${expression} FROM ${relation}${conditions})`;
}
