import type { Wire } from '../../../../shared/wire.js';
import { covers } from './tiles.js';
import type { View } from './view.js';

/** What the service answered about a stretch of time, in little space: times in seconds, and for each its mean, lowest, highest and number of rows. */
export interface Series {
  readonly of: View;
  /** 0: each point is a row. */
  readonly bucketMs: number;
  readonly total: number;
  readonly times: Float64Array;
  readonly means: Float64Array;
  readonly lowest: Float64Array;
  readonly highest: Float64Array;
  readonly counts: Float64Array;
}

export function seriesOf({ data, bucket_ms: bucketMs, total }: Wire['PlotResponse'], of: View): Series {
  return {
    ...{ of, bucketMs, total },
    times: Float64Array.from(data, ({ timestamp }) => Date.parse(timestamp) / 1000),
    means: Float64Array.from(data, ({ value }) => value),
    lowest: Float64Array.from(data, ({ min, value }) => min ?? value),
    highest: Float64Array.from(data, ({ max, value }) => max ?? value),
    counts: Float64Array.from(data, ({ count }) => count ?? 1),
  };
}

/** Several series as one line, as the plot draws them. */
export interface Line {
  /** Times, means, lowest, highest; a null breaks the line. */
  readonly points: readonly [number[], Column, Column, Column];
  readonly counts: readonly number[];
  /** Somewhere several rows are one point. */
  readonly isBand: boolean;
}

type Column = (number | null)[];

/** A stretch without rows is wider than this many buckets. */
const GAP = 1.5;

/** The finest there is of each stretch of time. */
export function joined(all: readonly Series[]): Line {
  const points: Line['points'] = [[], [], [], []];
  const counts: number[] = [];
  let before: Piece | null = null;
  for (const piece of piecesOf(all)) {
    if (before !== null && hasGap(before, piece)) add(points, counts, breakBetween(before, piece));
    addPiece(points, counts, piece);
    before = piece;
  }
  return { points, counts, isBand: all.some(({ bucketMs }) => bucketMs > 0) };
}

/** Points `start` to `end` (exclusive) of a series. */
interface Piece {
  readonly series: Series;
  readonly start: number;
  readonly end: number;
}

/** In time order, without overlaps or empty ones. */
function piecesOf(all: readonly Series[]): readonly Piece[] {
  const coarseFirst = [...all].sort((one, other) => other.bucketMs - one.bucketMs);
  const cuts = coarseFirst.reduce<readonly Cut[]>((under, series) => {
    const { from, to } = series.of;
    const before = under.filter((cut) => cut.from < from).map((cut) => ({ ...cut, to: Math.min(cut.to, from) }));
    const after = under.filter((cut) => cut.to > to).map((cut) => ({ ...cut, from: Math.max(cut.from, to) }));
    return [...before, { ...{ from, to }, series }, ...after];
  }, []);
  return cuts
    .map(({ from, to, series }) => ({
      series,
      start: firstAtOrAfter(series.times, from / 1000),
      end: firstAtOrAfter(series.times, to / 1000),
    }))
    .filter(({ start, end }) => end > start);
}

interface Cut extends View {
  readonly series: Series;
}

/** Where the first time is that is not before `time`. */
function firstAtOrAfter(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addPiece(points: Line['points'], counts: number[], { series, start, end }: Piece): void {
  const { times, bucketMs } = series;
  const widest = bucketMs === 0 ? Infinity : (bucketMs / 1000) * GAP;
  for (let place = start; place < end; place += 1) {
    const point = pointAt(series, place);
    const last = place === start ? point.time : numberAt(times, place - 1);
    if (point.time - last > widest) add(points, counts, { time: (point.time + last) / 2 });
    add(points, counts, point);
  }
}

function pointAt({ times, means, lowest, highest, counts }: Series, place: number): Point {
  return {
    time: numberAt(times, place),
    values: [numberAt(means, place), numberAt(lowest, place), numberAt(highest, place)],
    count: numberAt(counts, place),
  };
}

/** Of a place that is there. */
function numberAt(numbers: Float64Array, place: number): number {
  return numbers[place] ?? NaN;
}

interface Point {
  readonly time: number;
  readonly values?: readonly [number, number, number];
  readonly count?: number;
}

function add([times, ...columns]: Line['points'], counts: number[], { time, values, count = 0 }: Point): void {
  times.push(time);
  for (const [index, column] of columns.entries()) column.push(values?.[index] ?? null);
  counts.push(count);
}

function endsOf(before: Piece, after: Piece): readonly [number, number] {
  return [before.series.times[before.end - 1] ?? 0, after.series.times[after.start] ?? 0];
}

/** Between rows nobody knows how far they are from each other when nothing is missing. */
function hasGap(before: Piece, after: Piece): boolean {
  const [last, next] = endsOf(before, after);
  const bucket = Math.max(before.series.bucketMs, after.series.bucketMs) / 1000;
  return bucket > 0 && next - last > bucket * GAP;
}

function breakBetween(before: Piece, after: Piece): Point {
  const [last, next] = endsOf(before, after);
  return { time: (last + next) / 2 };
}

/** Seconds that a time may be off, told as a fraction. */
const ROUNDING = 1e-6;

/** What is in a view: how many rows (where points are buckets, to the bucket), and between which values. */
export interface Seen {
  readonly rows: number;
  readonly lowest: number;
  readonly highest: number;
  /** Where the first point begins and the last one ends, in milliseconds. */
  readonly from: number;
  readonly to: number;
}

/** `bucketMs`: how much time the last point is of. Null: nothing was measured there. */
export function seenIn(line: Line, { from, to }: View, bucketMs: number): Seen | null {
  const { points, counts } = line;
  const [times, means, lowest, highest] = points;
  const [start, end] = [firstAtOrAfter(times, from / 1000), firstAtOrAfter(times, to / 1000 + ROUNDING)];
  const places = means.flatMap((mean, place) => (place >= start && place < end && mean !== null ? [place] : []));
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return null;
  return {
    rows: places.reduce((sum, place) => sum + (counts[place] ?? 0), 0),
    lowest: places.reduce((least, place) => Math.min(least, lowest[place] ?? Infinity), Infinity),
    highest: places.reduce((most, place) => Math.max(most, highest[place] ?? -Infinity), -Infinity),
    from: (times[first] ?? 0) * 1000,
    to: endOf((times[last] ?? 0) * 1000, bucketMs, to),
  };
}

/** A bucket that is cut by the end of the view is seen to there. */
function endOf(start: number, bucketMs: number, viewEnd: number): number {
  return Math.max(start, Math.min(start + bucketMs, viewEnd));
}

/** How long the finest bucket in the middle of a view is. */
export function bucketIn(all: readonly Series[], { from, to }: View): number {
  const middle = (from + to) / 2;
  return Math.min(...all.filter(({ of }) => of.from <= middle && of.to > middle).map(({ bucketMs }) => bucketMs));
}

/** Whether a stretch is known to the last row already. */
export function isKnown(all: readonly Series[], view: View): boolean {
  return all.some(({ bucketMs, of }) => bucketMs === 0 && covers(of, view));
}
