import type { TimeBucket } from '../../ports/analysis-plan.js';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

const LENGTHS: Readonly<Record<TimeBucket, number>> = {
  hour: HOUR,
  day: DAY,
  week: 7 * DAY,
  month: 30.4 * DAY,
  quarter: 91.3 * DAY,
  year: 365.2 * DAY,
};

/** About how long it is, in milliseconds. */
export function lengthOf(unit: TimeBucket): number {
  return LENGTHS[unit];
}

/** A half open range of UTC milliseconds. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The hour, day, week (from Monday), month, quarter or year that a moment lies in. */
export function unitAround(moment: number, unit: TimeBucket): Range {
  const from = startOf(moment, unit);
  return { from, to: shift(from, unit, 1) };
}

function startOf(moment: number, unit: TimeBucket): number {
  const date = new Date(moment);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (unit) {
    case 'hour':
      return Math.floor(moment / HOUR) * HOUR;
    case 'day':
      return Math.floor(moment / DAY) * DAY;
    case 'week':
      return Math.floor(moment / DAY) * DAY - ((date.getUTCDay() + 6) % 7) * DAY;
    case 'month':
      return Date.UTC(year, month, 1);
    case 'quarter':
      return Date.UTC(year, month - (month % 3), 1);
    case 'year':
      return Date.UTC(year, 0, 1);
  }
}

/** Adds units of the calendar; a day that the month does not have becomes its last one. */
export function shift(moment: number, unit: TimeBucket, by: number): number {
  if (unit === 'hour' || unit === 'day' || unit === 'week') return moment + by * LENGTHS[unit];
  const months = by * (unit === 'month' ? 1 : unit === 'quarter' ? 3 : 12);
  const date = new Date(moment);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
  const days = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months + 1, 0)).getUTCDate();
  return first + (Math.min(date.getUTCDate(), days) - 1) * DAY + (moment % DAY);
}

/** A day of the calendar, or `null` when there is no such day. */
export function dayOf(year: number, month: number, day: number): number | null {
  const moment = Date.UTC(year, month, day);
  const date = new Date(moment);
  return date.getUTCMonth() === month && date.getUTCDate() === day ? moment : null;
}

const BUCKETS: readonly TimeBucket[] = ['hour', 'day', 'week', 'month', 'quarter', 'year'];
const MOST_POINTS = 61;

/** The finest bucket that cuts the range into at most about 60 parts. */
export function bucketFor({ from, to }: Range): TimeBucket {
  return BUCKETS.find((bucket) => (to - from) / LENGTHS[bucket] <= MOST_POINTS) ?? 'year';
}

export function isoOf(moment: number): string {
  return new Date(moment).toISOString();
}
