import type { Extent, GateBudget } from './gate-budget.js';
import type { GateFields } from './gate-fields.js';
import type { GateValue } from './gate-json.js';

/** What an expression can see: fields, variables, and how often it is worked out for one document. */
export interface Scope {
  readonly fields: GateFields;
  readonly variables: ReadonlyMap<string, Extent>;
  readonly times: number;
}

/** Looks through an expression and says how large its value can become. */
export interface ExpressionVisitor {
  readonly budget: GateBudget;
  /** @throws AppError `invalid_input` when something in it is not allowed or not there. */
  visit(value: GateValue, scope: Scope): Extent;
}

/** Once for each document. */
export function scopeOf(fields: GateFields): Scope {
  return { fields, variables: new Map(), times: 1 };
}
