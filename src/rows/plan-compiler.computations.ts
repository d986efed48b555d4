import type { Expression } from '../ports/analysis-plan.js';
import { type ColumnType, isNumeric } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { numberOf } from './plan-compiler.aggregates.js';
import type { PlanContext } from './plan-compiler.scope.js';

/** An expression as SQL. */
export interface Computation {
  readonly sql: string;
  readonly type: ColumnType;
  /** It is one word or one call, so that it needs no brackets beside an operator. */
  readonly single: boolean;
  /** Its texts, when they have an order of their own. */
  readonly ranked?: readonly string[] | undefined;
}

/** Where an expression stands. */
export interface ExpressionPlace extends PlanContext {
  readonly depth: number;
  /** It is what a figure or a window is over, where no window of SQL can be. */
  readonly insideFigure: boolean;
  readonly compile: (expression: Expression, place: ExpressionPlace) => Computation;
}

/** The number that an expression gives; what is true or false is 1 or 0. */
export function numeric(expression: Expression, place: ExpressionPlace, purpose: string): Computation {
  if (expression.kind === 'column') {
    const { sql, type } = numberOf(expression.column, place.columns, place.writer, purpose);
    return { sql, type, single: true };
  }
  const computation = place.compile(expression, place);
  if (isNumeric(computation.type)) return computation;
  throw new AppError('invalid_input', `${purpose} needs numbers, and there is ${computation.type}`);
}

export function operand({ sql, single }: Computation): string {
  return single ? sql : `(${sql})`;
}
