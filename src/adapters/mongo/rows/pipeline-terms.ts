/** A part of a pipeline: an expression of MongoDB's, a condition, or the options of a stage. */
export type Term =
  string | number | boolean | null | Date | undefined | readonly Term[] | { readonly [key: string]: Term };

/** A value that is there: neither null nor missing. */
export function isPresent(of: Term): Term {
  return { $gt: [of, null] };
}

export function isMissing(of: Term): Term {
  return { $lte: [of, null] };
}

export function when(condition: Term, then: Term, otherwise: Term = null): Term {
  return { $cond: [condition, then, otherwise] };
}

export function both(conditions: readonly Term[]): Term {
  const [only] = conditions;
  return conditions.length === 1 && only !== undefined ? only : { $and: conditions };
}

/** A quotient, null where there is none. A division by zero would end the query, also one that no row comes to. */
export function quotient(left: Term, right: Term): Term {
  if (typeof right === 'number' && right !== 0) return { $divide: [left, right] };
  return { $divide: [left, bound(right, (divisor) => when({ $eq: [divisor, 0] }, null, divisor))] };
}

/** What is written more than once is worked out once. */
export function bound(of: Term, use: (name: Term) => Term): Term {
  if (typeof of === 'string' || typeof of === 'number') return use(of);
  return { $let: { vars: { x: of }, in: use('$$x') } };
}

/** A text as a value, whatever it begins with. */
export function textTerm(text: string): Term {
  return text.startsWith('$') ? { $literal: text } : text;
}

/**
 * A number with 34 digits, so that powers can be added up and nothing is lost when their means are taken off again. A number with a
 * fraction would be cut to 15 digits, so that its two parts are taken one by one.
 */
export function exact(of: Term): Term {
  return bound(of, (x) => ({
    $add: [{ $toDecimal: { $trunc: x } }, { $toDecimal: { $subtract: [x, { $trunc: x }] } }],
  }));
}

/** A number as others are; null where it is too large for one. */
export function inexact(of: Term): Term {
  return { $convert: { input: of, to: 'double', onError: null, onNull: null } };
}

/** Whether a path of fields can name it, and it keeps its place among others: JavaScript puts whole numbers first. */
export function isPlainName(name: string): boolean {
  return name !== '' && !name.startsWith('$') && !/[.\0]/.test(name) && !/^\d+$/.test(name);
}
