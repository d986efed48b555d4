import type { TimeBucket } from '../../ports/analysis-plan.js';
import { DAY, unitAround } from './calendar.js';
import { monthName } from './time-words.js';

/** A moment as people write the bucket it stands for: 2014, March 2014, 2014-03-02, 2014-03-02 14:00. */
export function momentWords(iso: string, bucket: TimeBucket | null): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  const day = iso.slice(0, 10);
  const year = date.getUTCFullYear();
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
      return `${day} ${date.toISOString().slice(11, 16)}`;
    case null:
      return exactMoment(date);
  }
}

function exactMoment(date: Date): string {
  const iso = date.toISOString();
  if (iso.endsWith('T00:00:00.000Z')) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.endsWith(':00.000Z') ? iso.slice(11, 16) : iso.slice(11, 19)}`;
}

const WHOLE = ['year', 'quarter', 'month', 'day'] as const;

/** A half open range in words: `in March 2013`, `from 2013-03-01 to 2013-05-31`, `2014-01-01 or later`. */
export function rangeWords(from: string | null, to: string | null): string {
  if (from === null) return to === null ? 'any time' : `before ${momentWords(to, null)}`;
  if (to === null) return `${momentWords(from, null)} or later`;
  return wholeWords(from, to) ?? `from ${momentWords(from, null)} to ${momentWords(lastOf(from, to), null)}`;
}

/** A year, quarter, month or day that the range is exactly. */
function wholeWords(from: string, to: string): string | null {
  const unit = WHOLE.find((one) => {
    const around = unitAround(Date.parse(from), one);
    return around.from === Date.parse(from) && around.to === Date.parse(to);
  });
  return unit === undefined ? null : `${unit === 'day' ? 'on' : 'in'} ${momentWords(from, unit)}`;
}

/** Of whole days the last one is named, not the one after it. */
function lastOf(from: string, to: string): string {
  const wholeDays = Date.parse(from) % DAY === 0 && Date.parse(to) % DAY === 0;
  return wholeDays ? new Date(Date.parse(to) - DAY).toISOString() : to;
}
