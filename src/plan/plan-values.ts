import { AppError } from '../shared/app-error.js';
import { wellFormed } from '../shared/well-formed.js';

/** @throws AppError `invalid_input` when the value of a plan is no number that JSON can hold. */
export function assertFinite(value: number): void {
  if (typeof value !== 'number' || !Number.isFinite(value)) {
    throw new AppError('invalid_input', 'the plan has a number that is not finite');
  }
}

/** @throws AppError `invalid_input` when it is no number that JSON can hold. */
export function finite(value: number): number {
  assertFinite(value);
  return value;
}

/**
 * How many times a figure is meant that a column is set against.
 *
 * @throws AppError `invalid_input` when it is not above 0, or the figure is a time.
 */
export function factorOf(factor: number | undefined, isTime: boolean): number {
  if (factor === undefined) return 1;
  if (isTime) throw new AppError('invalid_input', 'a time has no multiple to compare with');
  if (finite(factor) <= 0) throw new AppError('invalid_input', 'the factor of a comparison must be above 0');
  return factor;
}

/**
 * A text of a plan as a store can hold it: half of a surrogate pair has no form in UTF-8.
 *
 * @throws AppError `invalid_input` when there is a zero character in it.
 */
export function storable(value: string): string {
  if (value.includes('\0')) throw new AppError('invalid_input', 'a text of the plan has a character that no text has');
  return wellFormed(value);
}
