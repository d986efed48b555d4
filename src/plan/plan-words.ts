import { type Comparison, COMPARISONS } from '../ports/analysis-plan.js';
import { AppError } from '../shared/app-error.js';

/** Plans also come from a model, as data that only looks typed. */
export function comparisonFrom(operator: string): Comparison {
  const known = COMPARISONS.find((one) => one === operator);
  if (known === undefined) throw new AppError('invalid_input', `the plan has an unknown operator "${cut(operator)}"`);
  return known;
}

/** A plan may come from a model, as data that only looks typed; what goes into a query is one of our own words. */
export function assertKnown(word: string, known: readonly string[]): void {
  if (!known.includes(word)) throw new AppError('invalid_input', `"${cut(word)}" is none of ${known.join(', ')}`);
}

/** @throws AppError `invalid_input` when it is no whole number from the lowest to the highest. */
export function wholeNumber(value: number, [low, high]: readonly [number, number], what: string): number {
  if (Number.isSafeInteger(value) && value >= low && value <= high) return value;
  throw new AppError('invalid_input', `${what} must be a whole number from ${low} to ${high}`);
}

function cut(word: string): string {
  return word.slice(0, 50);
}
