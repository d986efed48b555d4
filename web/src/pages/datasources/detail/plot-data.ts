import type uPlot from 'uplot';
import type { Wire } from '../../../shared/wire.js';

type Plot = Pick<Wire['PlotResponse'], 'data' | 'bucket_ms'>;

/** A stretch without rows is wider than this many buckets. */
const GAP = 1.5;

/** Columns as the plot wants them, times in seconds: of single rows the values, of buckets means, lowest and highest. A gap breaks the line. */
export function alignedData(plot: Plot): uPlot.AlignedData {
  const points = hasBand(plot) ? withGaps(plot) : plot.data;
  const times = points.map(({ timestamp }) => Date.parse(timestamp) / 1000);
  const means = points.map(({ value }) => value);
  if (!hasBand(plot)) return [times, means];
  const lowest = points.map(({ min, value }) => min ?? value);
  return [times, means, lowest, points.map(({ max, value }) => max ?? value)];
}

interface Point {
  readonly timestamp: string;
  /** null: the line breaks here. */
  readonly value: number | null;
  readonly min?: number;
  readonly max?: number;
}

function withGaps({ data, bucket_ms: bucket }: Plot): readonly Point[] {
  return data.flatMap((point, place) => {
    const before = data[place - 1];
    if (before === undefined) return [point];
    const [last, time] = [Date.parse(before.timestamp), Date.parse(point.timestamp)];
    if (time - last <= bucket * GAP) return [point];
    return [{ timestamp: new Date((time + last) / 2).toISOString(), value: null }, point];
  });
}

export function hasBand({ bucket_ms: bucket }: Plot): boolean {
  return bucket > 0;
}
