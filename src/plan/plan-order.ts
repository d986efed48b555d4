import type { PlanOrder } from '../ports/analysis-plan.js';
import { AppError } from '../shared/app-error.js';
import { assertKnown } from './plan-words.js';

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

/** @throws AppError `invalid_input` when it is no whole number from 0 on. */
export function wholeSkip(skip: number | undefined): number {
  if (skip === undefined) return 0;
  if (!Number.isSafeInteger(skip) || skip < 0) {
    throw new AppError('invalid_input', 'what the plan skips must be a whole number from 0 on');
  }
  return skip;
}

/** The smaller of two limits, of which either may be none. */
export function tighter(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}
