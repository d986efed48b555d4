import { msg } from '@lingui/core/macro';

/** ISO 8601; `from` inclusive, `to` exclusive. */
export interface Range {
  readonly from: string;
  readonly to: string;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Up to the newest row, however old that is. */
export const PRESETS = [
  { key: 'hour', label: msg`Last hour`, ms: HOUR },
  { key: 'day', label: msg`Last day`, ms: DAY },
  { key: 'week', label: msg`Last 7 days`, ms: 7 * DAY },
  { key: 'month', label: msg`Last 30 days`, ms: 30 * DAY },
  { key: 'year', label: msg`Last year`, ms: 365 * DAY },
] as const;

/** The range of a preset over rows that reach from `first` to `last`; the last row is in it. */
export function lastOf(ms: number, whole: Range): Range {
  const end = Date.parse(whole.to) + 1;
  return { from: new Date(end - ms).toISOString(), to: new Date(end).toISOString() };
}

/** Presets that show less than everything, and something. */
export function usefulPresets(whole: Range): readonly (typeof PRESETS)[number][] {
  const length = Date.parse(whole.to) - Date.parse(whole.from);
  return PRESETS.filter(({ ms }) => ms < length && length / ms < 20_000);
}

/** Half of a range in milliseconds; nothing more could be seen in a shorter one. */
const SHORTEST = 5;

/** The range moved by a part of itself, or made wider or narrower about its middle. */
export function shifted({ from, to }: Range, by: number): Range {
  const length = Date.parse(to) - Date.parse(from);
  return rangeOf(Date.parse(from) + by * length, Date.parse(to) + by * length);
}

export function scaled({ from, to }: Range, by: number): Range {
  const middle = (Date.parse(from) + Date.parse(to)) / 2;
  const half = Math.max(((Date.parse(to) - Date.parse(from)) / 2) * by, SHORTEST);
  return rangeOf(middle - half, middle + half);
}

export function rangeOf(from: number, to: number): Range {
  return { from: isoOf(from), to: isoOf(to) };
}

/** The first and last moment that can be told are milliseconds this far from 1970. */
const FARTHEST = 8.64e15;

function isoOf(ms: number): string {
  return new Date(Math.min(Math.max(Math.round(ms), -FARTHEST), FARTHEST)).toISOString();
}
