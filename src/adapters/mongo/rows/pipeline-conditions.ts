import type { Comparison } from '../../../ports/analysis-plan.js';
import type { Stage } from './mongo-table.js';
import { both, isPresent, type Term } from './pipeline-terms.js';

/** A condition on rows, as an expression and, where it can be, in the language of queries, which is faster and easier to read. */
export interface Condition {
  readonly test: Term;
  readonly query: Readonly<Record<string, Term>> | null;
}

export const OPERATORS: Readonly<Record<Comparison, string>> = {
  '<': '$lt',
  '<=': '$lte',
  '>': '$gt',
  '>=': '$gte',
  '=': '$eq',
  '!=': '$ne',
};

/** A value against one that is known; it fits none when it is missing. */
export function comparison(
  value: { readonly term: Term; readonly field: string | null },
  operator: Comparison,
  other: Term,
): Condition {
  const test = { [OPERATORS[operator]]: [value.term, other] };
  const isGuarded = operator === '<' || operator === '<=' || operator === '!=';
  return {
    test: isGuarded ? both([isPresent(value.term), test]) : test,
    query: value.field === null ? null : { [value.field]: compared(operator, other) },
  };
}

function compared(operator: Comparison, other: Term): Term {
  if (operator === '=') return other;
  return operator === '!=' ? { $nin: [other, null] } : { [OPERATORS[operator]]: other };
}

/** Two values of the same row; neither may be missing. */
export function comparedTerms(left: Term, operator: Comparison, right: Term): Condition {
  return { test: both([isPresent(left), isPresent(right), { [OPERATORS[operator]]: [left, right] }]), query: null };
}

/** One of them must hold; each is a list of which all must. */
export function anyCondition(of: readonly (readonly Condition[])[]): Condition {
  const queries = of.map((all) => all.map(({ query }) => query));
  const isQuery = queries.every((all) => all.every((query) => query !== null));
  return {
    test: { $or: of.map((all) => both(all.map(({ test }) => test))) },
    query: isQuery ? { $or: queries.map((all) => together(all)) } : null,
  };
}

/** A stage that keeps the rows which fit all. */
export function matchOf(conditions: readonly Condition[]): Stage {
  const queries = conditions.map(({ test, query }) => query ?? { $expr: test });
  return { $match: together(queries) };
}

function together(queries: readonly Term[]): Term {
  const [only] = queries;
  if (queries.length === 1 && only !== undefined) return only;
  const names = queries.flatMap((query) => Object.keys(query ?? {}));
  if (new Set(names).size < names.length) return { $and: queries };
  return Object.fromEntries(queries.flatMap((query) => Object.entries(query ?? {}) as [string, Term][]));
}
