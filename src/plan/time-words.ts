import type { TimeBucket, TimePart } from '../ports/analysis-plan.js';
import { namesOf } from '../shared/time-format/time-layout.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../shared/durations.js';

/** What a month is called, by its number from 0: March. */
function monthName(index: number): string {
  return namesOf('month', true)[index] ?? '';
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The number of an hour, weekday or month as people say it: 14:00, Monday, March. */
export function partWords(part: TimePart, value: number): string {
  if (part === 'weekday') return WEEKDAYS[value - 1] ?? String(value);
  if (part === 'month') return monthName(value - 1) || String(value);
  return `${String(value).padStart(2, '0')}:00`;
}

/** A moment as people write the bucket it stands for: 2014, March 2014, 2014-03-02, 2014-03-02 14:00. */
export function momentWords(iso: string, bucket: TimeBucket | null): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const [day, year] = [iso.slice(0, 10), date.getUTCFullYear()];
  switch (bucket) {
    case 'year':
      return String(year);
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
    case 'month':
      return `${monthName(date.getUTCMonth())} ${year}`;
    case 'week':
      return `week of ${day}`;
    case 'day':
      return day;
    case 'hour':
    case 'minute':
      return `${day} ${date.toISOString().slice(11, 16)}`;
    case null:
      return exactMoment(date.toISOString());
  }
}

function exactMoment(iso: string): string {
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.endsWith(':00.000Z') ? iso.slice(11, 16) : iso.slice(11, 19)}`;
}

/** `3 March 2024`. */
export function dayWords(date: Date): string {
  return `${date.getUTCDate()} ${monthName(date.getUTCMonth())} ${date.getUTCFullYear()}`;
}

/** `3 March 2024, 10:00 UTC`. */
export function instantWords(date: Date): string {
  return `${dayWords(date)}, ${date.toISOString().slice(11, 16)} UTC`;
}

/** A half open range in words: `in March 2013`, `from 2013-03-01 to 2013-05-31`, `2014-01-01 or later`. */
export function rangeWords(from: string | null, to: string | null): string {
  if (from === null) return to === null ? 'any time' : `before ${momentWords(to, null)}`;
  if (to === null) return `${momentWords(from, null)} or later`;
  return wholeWords(from, to) ?? `from ${momentWords(from, null)} to ${momentWords(lastOf(from, to), null)}`;
}

/** A year, quarter, month or day that the range is exactly. */
function wholeWords(from: string, to: string): string | null {
  const [first, end] = [new Date(from), new Date(to).getTime()];
  if (first.getTime() % DAY_MS !== 0) return null;
  const [year, month, day] = [first.getUTCFullYear(), first.getUTCMonth(), first.getUTCDate()];
  const isStart = day === 1;
  if (isStart && month === 0 && end === Date.UTC(year + 1, 0)) return `in ${momentWords(from, 'year')}`;
  if (isStart && month % 3 === 0 && end === Date.UTC(year, month + 3)) return `in ${momentWords(from, 'quarter')}`;
  if (isStart && end === Date.UTC(year, month + 1)) return `in ${momentWords(from, 'month')}`;
  return end === first.getTime() + DAY_MS ? `on ${momentWords(from, 'day')}` : null;
}

/** Of whole days the last one is named, not the one after it. */
function lastOf(from: string, to: string): string {
  const isWhole = Date.parse(from) % DAY_MS === 0 && Date.parse(to) % DAY_MS === 0;
  return isWhole ? new Date(Date.parse(to) - DAY_MS).toISOString() : to;
}

/** The start of the piece of time after the one that begins here. */
export function nextBucket(start: number, bucket: TimeBucket): number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (bucket) {
    case 'minute':
      return start + MINUTE_MS;
    case 'hour':
      return start + HOUR_MS;
    case 'day':
      return start + DAY_MS;
    case 'week':
      return start + 7 * DAY_MS;
    case 'month':
      return Date.UTC(year, month + 1, 1);
    case 'quarter':
      return Date.UTC(year, month + 3, 1);
    case 'year':
      return Date.UTC(year + 1, 0, 1);
  }
}
