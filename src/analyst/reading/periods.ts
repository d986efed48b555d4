import type { TimeBucket } from '../../ports/analysis-plan.js';

/** Steps of time that words name. */
export type PeriodUnit = Exclude<TimeBucket, 'minute'>;

/** A period that words name: half open, in milliseconds. `from` and `to` of the mention are places of tokens. */
export interface Period {
  readonly start: number;
  readonly end: number;
  readonly unit: PeriodUnit;
}

const DAY = 86_400_000;

export function dayOf(year: number, month: number, day: number): readonly Period[] {
  const start = Date.UTC(year, month, day);
  const isReal = month >= 0 && month < 12 && new Date(start).getUTCDate() === day && year > 1000;
  return isReal ? [{ start, end: start + DAY, unit: 'day' }] : [];
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
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  const start = monday + (week - 1) * 7 * DAY;
  return { start, end: start + 7 * DAY, unit: 'week' };
}

/** The last such day before today: 1 is a Monday. */
export function weekdayBefore(now: number, weekday: number): Period {
  const today = unitOf(now, 'day', 0).start;
  const back = (new Date(today).getUTCDay() || 7) - weekday;
  const start = today - (back > 0 ? back : back + 7) * DAY;
  return { start, end: start + DAY, unit: 'day' };
}

/** The last Saturday and Sunday that are over. */
export function weekendBefore(now: number): Period {
  const monday = unitOf(now, 'week', 0).start;
  return { start: monday - 2 * DAY, end: monday, unit: 'day' };
}

/** The unit that a moment lies in, so many units on. */
export function unitOf(now: number, unit: PeriodUnit, shift: number): Period {
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'hour': {
      const start = Math.floor(now / 3_600_000) * 3_600_000 + shift * 3_600_000;
      return { start, end: start + 3_600_000, unit };
    }
    case 'day':
      return { start: Date.UTC(year, month, day + shift), end: Date.UTC(year, month, day + shift + 1), unit };
    case 'week': {
      const monday = Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7) + 7 * shift);
      return { start: monday, end: monday + 7 * DAY, unit };
    }
    case 'month':
      return monthOf(year, month + shift);
    case 'quarter':
      return monthOf(year, (Math.floor(month / 3) + shift) * 3, 3);
    case 'year':
      return monthOf(year + shift, 0, 12);
  }
}

/** The last seven days are today and the six before it; the last three months end with today, too. */
export function spanBack(now: number, count: number, unit: PeriodUnit): Period {
  const tomorrow = unitOf(now, 'day', 1).start;
  const date = new Date(now);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  switch (unit) {
    case 'hour':
      return { start: now - count * 3_600_000, end: now, unit };
    case 'day':
      return { start: tomorrow - count * DAY, end: tomorrow, unit: 'day' };
    case 'week':
      return { start: tomorrow - count * 7 * DAY, end: tomorrow, unit: 'week' };
    case 'month':
      return { start: Date.UTC(year, month - count, day), end: tomorrow, unit: 'month' };
    case 'quarter':
      return { start: Date.UTC(year, month - 3 * count, day), end: tomorrow, unit: 'quarter' };
    case 'year':
      return { start: Date.UTC(year - count, month, day), end: tomorrow, unit: 'year' };
  }
}

/** The next 30 days are today and the thirty days after it. */
export function spanOn(now: number, count: number, unit: PeriodUnit): Period {
  const start = unitOf(now, 'day', 0).start;
  const date = new Date(start);
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1];
  switch (unit) {
    case 'hour':
      return { start: now, end: now + count * 3_600_000, unit };
    case 'day':
    case 'week':
      return { start, end: Date.UTC(year, month, day + count * (unit === 'week' ? 7 : 1)), unit };
    case 'month':
    case 'quarter':
      return { start, end: Date.UTC(year, month + count * (unit === 'quarter' ? 3 : 1), day), unit };
    case 'year':
      return { start, end: Date.UTC(year + count, month, day), unit };
  }
}
