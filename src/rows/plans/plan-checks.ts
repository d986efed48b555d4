import type { RowsPlan } from '../../ports/analysis-plan.js';
import { AppError } from '../../shared/app-error.js';

/** A plan may come from a model, as data that only looks typed; what goes into a query is one of our own words. */
export function assertKnown(word: string, known: readonly string[]): void {
  if (known.includes(word)) return;
  throw new AppError('invalid_input', `"${word.slice(0, 50)}" is none of ${known.join(', ')}`);
}

/** @throws AppError `invalid_input` when it is no whole number from the lowest to the highest. */
export function wholeNumber(value: number, [low, high]: readonly [number, number], what: string): number {
  if (Number.isSafeInteger(value) && value >= low && value <= high) return value;
  throw new AppError('invalid_input', `${what} must be a whole number from ${low} to ${high}`);
}

/** @throws AppError `invalid_input` when the value of a plan is no number that JSON can hold. */
export function assertFinite(value: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new AppError('invalid_input', 'the plan has a number that is not finite');
  }
}

/**
 * A text of a plan as a store can hold it: half of a surrogate pair has no form in UTF-8.
 *
 * @throws AppError `invalid_input` when there is a zero character in it.
 */
export function storable(value: string): string {
  if (value.includes('\0')) throw new AppError('invalid_input', 'a text of the plan has a character that no text has');
  return value.toWellFormed();
}

/** @throws AppError `invalid_input` when the limit is no whole number above 0, or what is skipped none from 0 on. */
export function assertBounds({ limit, skip = 0 }: Pick<RowsPlan, 'limit' | 'skip'>): void {
  if (limit !== null && (!Number.isSafeInteger(limit) || limit < 1)) {
    throw new AppError('invalid_input', 'the limit of the plan must be a whole number above 0');
  }
  if (!Number.isSafeInteger(skip) || skip < 0) {
    throw new AppError('invalid_input', 'what the plan skips must be a whole number from 0 on');
  }
}

/** The smaller of two limits, of which either may be none. */
export function tighter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
