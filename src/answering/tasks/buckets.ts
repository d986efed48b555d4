import type { TimeBucket } from '../../ports/analysis-plan.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The start of the piece of time after the one that begins here. */
export function nextBucket(start: number, bucket: TimeBucket): number {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  switch (bucket) {
    case 'hour':
      return start + HOUR;
    case 'day':
      return start + DAY;
    case 'week':
      return start + 7 * DAY;
    case 'month':
      return Date.UTC(year, month + 1, 1);
    case 'quarter':
      return Date.UTC(year, month + 3, 1);
    case 'year':
      return Date.UTC(year + 1, 0, 1);
  }
}

/** Runs of pieces of time that are not there although ones before and after are; times are starts, ascending. */
export function gapsIn(starts: readonly number[], bucket: TimeBucket): readonly Gap[] {
  const gaps: Gap[] = [];
  for (const [index, start] of starts.entries()) {
    const following = starts[index + 1];
    const expected = nextBucket(start, bucket);
    if (following === undefined || following <= expected) continue;
    gaps.push({ from: expected, to: following, missing: missingBetween(expected, following, bucket) });
  }
  return gaps;
}

/** `to` is where rows begin again. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly missing: number;
}

function missingBetween(from: number, to: number, bucket: TimeBucket): number {
  const length = bucket === 'hour' ? HOUR : DAY;
  return bucket === 'hour' || bucket === 'day' ? Math.round((to - from) / length) : 1;
}
