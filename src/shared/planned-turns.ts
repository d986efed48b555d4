import { DateTime } from 'luxon';
import { MINUTE_MS } from './durations.js';

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A time of day on some days of the week, as clocks of a time zone tell it. */
export interface WeeklyTime {
  readonly days: readonly Weekday[];
  /** `08:00`. */
  readonly time: string;
  /** `Europe/Berlin`. */
  readonly timeZone: string;
}

/** How often something has its turn: every so many minutes, or at times of the week. */
export type Rhythm = number | WeeklyTime;

/** The first turn of a schedule that begins now. */
export function firstTurn(now: Date, rhythm: Rhythm): Date {
  return typeof rhythm === 'number' ? new Date(now.getTime() + rhythm * MINUTE_MS) : nextOf(rhythm, now);
}

/**
 * The first turn after now. Of minutes it is a multiple of them away from a planned one, before it or behind it: no turn drifts. A time of day that
 * a change of clocks leaves out comes as much later; one that comes twice has its turn the first time.
 */
export function turnAfter(now: Date, planned: Date, rhythm: Rhythm): Date {
  if (typeof rhythm !== 'number') return nextOf(rhythm, now);
  const interval = rhythm * MINUTE_MS;
  const turns = Math.floor((now.getTime() - planned.getTime()) / interval) + 1;
  return new Date(planned.getTime() + turns * interval);
}

/** The next turn when a schedule is set. Null: it is off; left out: it is as it was, and the same again must not move its next turn. */
export function turnWhenSet(before: Rhythm | null, wanted: Rhythm | null, now: Date): Date | null | undefined {
  if (wanted === null) return null;
  return before !== null && isSameRhythm(before, wanted) ? undefined : firstTurn(now, wanted);
}

/** Of times that the clock told, those by which it was set back since. Clocks of several instances are never quite the same: a minute is no jump. */
export function aheadOf(now: Date): { readonly gt: Date } {
  return { gt: new Date(now.getTime() + MINUTE_MS) };
}

function nextOf({ days, time, timeZone }: WeeklyTime, now: Date): Date {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  const today = DateTime.fromJSDate(now, { zone: timeZone }).startOf('day');
  // The same day of the next week is the last that can come into question.
  for (let ahead = 0; ahead <= 7; ahead += 1) {
    const day = today.plus({ days: ahead });
    const possible = day.set({ hour, minute }).getPossibleOffsets();
    const first = Math.min(...possible.map((each) => each.toMillis()));
    if (days.some((name) => WEEKDAYS.indexOf(name) === day.weekday - 1) && first > now.getTime())
      return new Date(first);
  }
  throw new Error(`no turn on ${days.join(', ')} at ${time} in ${timeZone}`);
}

export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,59}$/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

export function isSameRhythm(one: Rhythm, other: Rhythm): boolean {
  if (typeof one === 'number' || typeof other === 'number') return one === other;
  const sameDays = WEEKDAYS.every((day) => one.days.includes(day) === other.days.includes(day));
  return sameDays && one.time === other.time && one.timeZone === other.timeZone;
}
