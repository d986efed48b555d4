import { LONGEST_RELATIVE_TIME, relativeTime } from '../../plan/moving-times.js';
import type { MovingEnds, TimeBucket } from '../../ports/analysis-plan.js';
import { DAY_MS } from '../../shared/durations.js';

/** Steps of time that words name. */
export type PeriodUnit = Exclude<TimeBucket, 'minute'>;

/** A period that words name: half open, in milliseconds. `from` and `to` of the mention are places of tokens. */
export interface Period {
  readonly start: number;
  readonly end: number;
  readonly unit: PeriodUnit;
  /** Of ends that are counted from today: how. */
  readonly moving?: MovingEnds;
}

/** What words count from today: its ends as `relativeTime` reads them. */
export interface CountedPeriod {
  readonly from: string;
  readonly to: string;
  readonly unit: PeriodUnit;
}

const LETTERS: Readonly<Record<PeriodUnit, string>> = {
  hour: 'h',
  day: 'd',
  week: 'w',
  month: 'M',
  quarter: 'Q',
  year: 'y',
};

/** A period as it is seen from a moment. */
export function seenFrom(now: number, { from, to, unit }: CountedPeriod): Period {
  const [start, end] = [from, to].map((text) => relativeTime(text, new Date(now)).getTime());
  return { start: start ?? now, end: end ?? now, unit };
}

/** A step of relative time: none of no units. */
function step(count: number, unit: PeriodUnit): string {
  return count === 0 ? '' : `${count < 0 ? '-' : '+'}${Math.abs(count)}${LETTERS[unit]}`;
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
export function weekdayBefore(weekday: number): CountedPeriod {
  // The week of the day that lies so many days back began before the last such day, and not a week before it.
  const from = `now${step(-weekday, 'day')}/w${step(weekday - 1, 'day')}`;
  return { from, to: `${from}+1d`, unit: 'day' };
}

/** The last Saturday and Sunday that are over. */
export const WEEKEND_BEFORE: CountedPeriod = { from: 'now/w-2d', to: 'now/w', unit: 'day' };

/** The unit of today, so many units on. */
export function wholeUnit(unit: PeriodUnit, shift: number): CountedPeriod {
  const at = (count: number): string => `now${step(count, unit)}/${LETTERS[unit]}`;
  return { from: at(shift), to: at(shift + 1), unit };
}

/** From the beginning of the unit to the end of today. */
export function toDate(unit: PeriodUnit): CountedPeriod {
  return { from: wholeUnit(unit, 0).from, to: TOMORROW, unit };
}

const TODAY = 'now/d';
const TOMORROW = 'now+1d/d';

/** The unit before the one that a period begins in. */
export function unitBefore({ start, unit, moving }: Period): Period {
  const to = `/${LETTERS[unit]}`;
  const from = `${to}${step(-1, unit)}`;
  const before = seenFrom(start, { from: `now${from}`, to: `now${to}`, unit });
  const begun = moving?.from;
  return begun == null ? before : { ...before, moving: { from: begun + from, to: begun + to } };
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
export function spanBack(count: number, unit: PeriodUnit): CountedPeriod {
  if (unit === 'hour') return { from: `now${step(-count, unit)}`, to: 'now', unit };
  const end = unit === 'day' || unit === 'week' ? TOMORROW : TODAY;
  return { from: `${end}${step(-count, unit)}`, to: TOMORROW, unit };
}

/** The next 30 days are today and the thirty days after it. */
export function spanOn(count: number, unit: PeriodUnit): CountedPeriod {
  if (unit === 'hour') return { from: 'now', to: `now${step(count, unit)}`, unit };
  return { from: TODAY, to: `${TODAY}${step(count, unit)}+1d`, unit };
}

/** Ends that move, so many units on or back. After very many such steps they stand still. */
export function movedEnds({ from, to }: MovingEnds, count: number, unit: PeriodUnit): MovingEnds {
  const shifted = (end: string | null): string | null => {
    const text = end === null ? '' : `${end}${step(count, unit)}`;
    return text === '' || text.length > LONGEST_RELATIVE_TIME ? null : text;
  };
  return { from: shifted(from), to: shifted(to) };
}

/** A moment as plans have it. */
export function isoOf(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}
