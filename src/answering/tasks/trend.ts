import type { TimeBucket } from '../../ports/analysis-plan.js';
import { nextBucket } from './buckets.js';
import { capital, changeWords, momentWords, numberWords } from './markdown-words.js';

/** A figure of a piece of time, which begins here. */
export interface Point {
  readonly iso: string;
  readonly value: number;
}

export interface Trend {
  /** Sentences, the most telling first. */
  readonly sentences: readonly string[];
  /** The piece of time that differs most from the others, where one does. */
  readonly unusual: Point | null;
}

/** A piece of time of which so much is missing is not held against the others. */
const MISSING = 0.1;
/** Less is no change. */
const STEADY = 0.02;
const UNUSUAL = 2.5;
const MIN_POINTS = 3;
const AT: Readonly<Record<TimeBucket, string>> = {
  hour: 'at',
  day: 'on',
  week: 'in the',
  month: 'in',
  quarter: 'in',
  year: 'in',
};
const A_YEAR: Partial<Readonly<Record<TimeBucket, number>>> = { month: 12, quarter: 4 };

/** What a development looks like: its highest and lowest, its direction, and what stands out. `what`: `total precipitation`. */
export function trendOf(
  all: readonly Point[],
  { bucket, range, what }: { readonly bucket: TimeBucket; readonly range: TimeSpan | null; readonly what: string },
): Trend {
  const points = wholeOf(all, bucket, range);
  const [high, low] = [extreme(points, 1), extreme(points, -1)];
  if (points.length < MIN_POINTS || high === null || low === null || high.value === low.value) {
    return { sentences: evenWords(points, what), unusual: null };
  }
  const at = (point: Point): string =>
    `${AT[bucket]} **${momentWords(point.iso, bucket)}** (**${numberWords(point.value)}**)`;
  const unusual = unusualOf(points);
  const sentences = [
    `By ${bucket}, the ${what} was highest ${at(high)} and lowest ${at(low)}.`,
    ...directionWords(points, bucket),
    ...(unusual === null ? [] : [unusualWords(unusual, points, bucket)]),
    ...leftOutWords(all.length - points.length, bucket),
  ];
  return { sentences, unusual };
}

export interface TimeSpan {
  readonly from: string;
  readonly to: string;
}

/** Without a first and last piece of time that the rows cover only in part. */
function wholeOf(points: readonly Point[], bucket: TimeBucket, range: TimeSpan | null): readonly Point[] {
  if (range === null || points.length <= MIN_POINTS) return points;
  const [from, to] = [Date.parse(range.from), Date.parse(range.to)];
  return points.filter(({ iso }) => {
    const start = Date.parse(iso);
    const end = nextBucket(start, bucket);
    const missing = (end - start) * MISSING;
    // The last row of a whole day at midnight stands for the day.
    const reaches = to % 86_400_000 === 0 ? to + 86_400_000 : to;
    return from <= start + missing && reaches >= end - missing;
  });
}

function extreme(points: readonly Point[], sign: 1 | -1): Point | null {
  return points.reduce<Point | null>((best, point) => {
    return best === null || sign * point.value > sign * best.value ? point : best;
  }, null);
}

function evenWords(points: readonly Point[], what: string): readonly string[] {
  const [first] = points;
  if (first === undefined) return [];
  if (points.length < MIN_POINTS)
    return [`There is too little time in the data to speak of a development of the ${what}.`];
  return [`The ${what} was the same all the time (${numberWords(first.value)}).`];
}

/** Ends are compared year with year where there are two, so that the seasons do not pass for a trend. */
function directionWords(points: readonly Point[], bucket: TimeBucket): readonly string[] {
  const year = A_YEAR[bucket] ?? Infinity;
  const bySeason = points.length >= 2 * year;
  if (points.length < 2 * MIN_POINTS) return [];
  const length = bySeason ? year : Math.floor(points.length / 2);
  const [early, late] = [mean(points.slice(0, length)), mean(points.slice(-length))];
  const [first, last] = bySeason ? [`first ${length} ${bucket}s`, `last ${length}`] : ['first half', 'second half'];
  const [before, after] = [numberWords(early), numberWords(late)];
  if (Math.abs(late - early) <= Math.abs(early) * STEADY) {
    return [`It hardly changed from the ${first} (${before} on average) to the ${last} (${after}).`];
  }
  const verb = late > early ? 'rose' : 'fell';
  const change = changeWords(late, early);
  const size = change === null ? '' : ` (${change})`;
  return [`From the ${first} to the ${last} it ${verb} from **${before}** to **${after}** on average${size}.`];
}

function unusualOf(points: readonly Point[]): Point | null {
  const middle = mean(points);
  const deviation = Math.sqrt(mean(points.map(({ iso, value }) => ({ iso, value: (value - middle) ** 2 }))));
  if (deviation === 0 || points.length < 2 * MIN_POINTS) return null;
  const far = points
    .map((point) => ({ point, distance: Math.abs(point.value - middle) / deviation }))
    .sort((a, b) => b.distance - a.distance)[0];
  return far !== undefined && far.distance >= UNUSUAL ? far.point : null;
}

function unusualWords(unusual: Point, points: readonly Point[], bucket: TimeBucket): string {
  const middle = mean(points);
  const side = unusual.value > middle ? 'above' : 'below';
  return `${capital(momentWords(unusual.iso, bucket))} stands out: far ${side} the average of ${numberWords(middle)} a ${bucket}.`;
}

function leftOutWords(count: number, bucket: TimeBucket): readonly string[] {
  if (count === 0) return [];
  return [
    `Left out of this: ${count === 1 ? `a ${bucket}` : `${count} ${bucket}s`} at the ends that the data cover only in part.`,
  ];
}

function mean(points: readonly Point[]): number {
  return points.reduce((sum, { value }) => sum + value, 0) / points.length;
}
