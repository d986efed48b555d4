import { refusedField } from '../agent.errors.js';

/** Minutes. */
export const LONGEST_INTERVAL = 1440;
/** A run that thinks takes minutes, so that not every interval makes sense. */
export const THINKING_INTERVALS: readonly number[] = [15, 30, 60, 120, LONGEST_INTERVAL];

export const DEFAULT_INTERVAL = 15;

/** @throws AppError `invalid_input` unless the interval, in minutes, fits the task. */
export function assertInterval(minutes: number, thinking: boolean): void {
  const field = 'automation_interval';
  if (thinking && !THINKING_INTERVALS.includes(minutes)) {
    throw refusedField(field, `${field} must be one of ${THINKING_INTERVALS.join(', ')} when thinking is true`);
  }
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > LONGEST_INTERVAL) {
    throw refusedField(field, `${field} must be a whole number from 1 to ${LONGEST_INTERVAL}`);
  }
}
