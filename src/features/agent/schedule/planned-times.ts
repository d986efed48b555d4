import { refusedField } from '../agent.errors.js';

const MINUTE = 60_000;
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

/** The first turn of a schedule that begins now. */
export function firstTurn(now: Date, minutes: number): Date {
  return new Date(now.getTime() + minutes * MINUTE);
}

/** The first turn after now, a multiple of the interval away from a planned one: before it or behind it. No turn drifts. */
export function turnAfter(now: Date, planned: Date, minutes: number): Date {
  const interval = minutes * MINUTE;
  const turns = Math.floor((now.getTime() - planned.getTime()) / interval) + 1;
  return new Date(planned.getTime() + turns * interval);
}
