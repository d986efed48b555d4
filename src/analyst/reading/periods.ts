import type { TimeBucket } from '../../ports/analysis-plan.js';
import { DAY_MS } from '../../shared/durations.js';

/** Steps of time that words name. */
export type PeriodUnit = Exclude<TimeBucket, 'minute'>;

/** A period that words name: half open, in milliseconds. `from` and `to` of the mention are places of tokens. */
export interface Period {
  readonly start: number;
  readonly end: number;
  readonly unit: PeriodUnit;
}

export function dayOf(year: number, month: number, day: number): readonly Period[] {
  const start = Date.UTC(year, month, day);
  const isReal = month >= 0 && month < 12 && new Date(start).getUTCDate() === day && year > 1000;
  return isReal ? [{ start, end: start + DAY_MS, unit: 'day' }] : [];
}

export function monthOf(year: number, month: number, count = 1): Period {
  return {
    start: Date.UTC(year, month, 1),
    end: Date.UTC(year, month + count, 1),
    unit: count === 3 ? 'quarter' : count >= 12 ? 'year' : 'month',
  };
}

export function isoWeek(year: number, week: number): Period {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  const start = monday + (week - 1) * 7 * DAY_MS;
  return { start, end: start + 7 * DAY_MS, unit: 'week' };
}

/** The last such day before today: 1 is a Monday. */
export function weekdayBefore(now: number, weekday: number): Period {
  const today = unitOf(now, 'day', 0).start;
  const back = (new Date(today).getUTCDay() || 7) - weekday;
  const start = today - (back > 0 ? back : back + 7) * DAY_MS;
  return { start, end: start + DAY_MS, unit: 'day' };
}

/** The last Saturday and Sunday that are over. */
export function weekendBefore(now: number): Period {
  const monday = unitOf(now, 'week', 0).start;
  return { start: monday - 2 * DAY_MS, end: monday, unit: 'day' };
}

/** The unit that a moment lies in, so many units on. */
export function unitOf(now: number, unit: PeriodUnit, shift: number): Period {
  const begun = startOf(now, unit);
  return { start: moved(begun, unit, shift), end: moved(begun, unit, shift + 1), unit };
}

/** When the unit began that a moment lies in. */
export function startOf(time: number, unit: PeriodUnit): number {
  const date = new Date(time);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return {
    hour: Date.UTC(year, month, day, date.getUTCHours()),
    day: Date.UTC(year, month, day),
    week: Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7)),
    month: Date.UTC(year, month, 1),
    quarter: Date.UTC(year, Math.floor(month / 3) * 3, 1),
    year: Date.UTC(year, 0, 1),
  }[unit];
}

/** A moment, so many units on or back. */
export function moved(time: number, unit: PeriodUnit, count: number): number {
  const date = new Date(time);
  if (unit === 'hour') date.setUTCHours(date.getUTCHours() + count);
  else if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1));
  else date.setUTCMonth(date.getUTCMonth() + count * { month: 1, quarter: 3, year: 12 }[unit]);
  return date.getTime();
}

/** The last seven days are today and the six before it; the last three months end with today, too. */
export function spanBack(now: number, count: number, unit: PeriodUnit): Period {
  if (unit === 'hour') return { start: moved(now, unit, -count), end: now, unit };
  const { start: today, end } = unitOf(now, 'day', 0);
  return { start: moved(unit === 'day' || unit === 'week' ? end : today, unit, -count), end, unit };
}

/** The next 30 days are today and the thirty days after it. */
export function spanOn(now: number, count: number, unit: PeriodUnit): Period {
  if (unit === 'hour') return { start: now, end: moved(now, unit, count), unit };
  const { start } = unitOf(now, 'day', 0);
  return { start, end: moved(start, unit, count) + DAY_MS, unit };
}

/** A moment as plans have it. */
export function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
