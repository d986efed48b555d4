import type { PlotBucket, PlotPoint, PlotQuery, PlotSeries } from '../../../ports/row-reader.js';
import { isNumeric } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { assetMatch } from './asset-value.js';
import type { MongoColumn, MongoTable, Stage } from './mongo-table.js';
import { numberOf } from './reader-cells.js';
import type { Found, TableReads } from './reader-run.js';

/** A power of two takes nothing from the precision of a number. */
const VAST = 2 ** 64;
const MICROS = 1000n;
const MICROS_IN_MS = 1000;
/** $dateTrunc counts its parts from here. */
const COUNTED_FROM = Date.UTC(2000, 0, 1);

/** The rows that a plot is about. */
interface Selection {
  readonly match: Stage;
  /** Of all assets and times. */
  readonly isAll: boolean;
  readonly value: string;
}

/** Milliseconds. */
interface Bounds {
  readonly first: number;
  readonly last: number;
}

/** Every row when there are few, otherwise one bucket for each equal part of the range. */
export async function plotOf(reads: TableReads, query: PlotQuery): Promise<PlotSeries> {
  const selection = selectionOf(reads.table, query);
  if (selection === null) return NOTHING;
  // No further than to one row too many: of a large table that is nothing beside all of it.
  const { n = 0 } = await reads.one([selection.match, { $limit: query.points + 1 }, { $count: 'n' }]);
  if ((numberOf(n) ?? 0) <= query.points) {
    const points = await rowsOf(reads, selection, query.points);
    // More than fit when rows have come meanwhile.
    if (points !== null) return { total: points.length, bucketMs: 0, points };
  }
  const bounds = await boundsOf(reads, selection);
  return bounds === null ? NOTHING : bucketsOf(reads, selection, { query, bounds });
}

const ONLY_TIME: Stage = { $project: { _id: 0, t: 1 } };
const NOTHING: PlotSeries = { total: 0, bucketMs: 0, points: [] };

/** Null: no row can be meant. */
function selectionOf({ columns, meta, time }: MongoTable, query: PlotQuery): Selection | null {
  const { asset, from, to } = query;
  const value = numericColumn(columns, query.column);
  const only = asset === null ? {} : assetMatch(meta, asset);
  if (only === null) return null;
  const range = { ...(from === null ? {} : { $gte: from }), ...(to === null ? {} : { $lt: to }) };
  const parts = [
    { [value.field]: { $ne: null } },
    only,
    Object.keys(range).length === 0 ? {} : { [time.field]: range },
  ];
  const [present, ...conditions] = parts.filter((part) => Object.keys(part).length > 0);
  return {
    match: { $match: { $and: [present, ...conditions] } },
    isAll: conditions.length === 0,
    value: value.field,
  };
}

function numericColumn(columns: readonly MongoColumn[], name: string): MongoColumn {
  const column = columns.find((one) => one.name === name);
  if (!column) throw new AppError('invalid_input', `there is no column "${name}"`);
  if (!isNumeric(column.type)) throw new AppError('invalid_input', `"${name}" is not a column of numbers`);
  return column;
}

/** The first and the last row. Mostly they are those of the whole table, which are known: it is seen in no time whether they have the value. */
async function boundsOf(reads: TableReads, { match, isAll }: Selection): Promise<Bounds | null> {
  const { times } = reads.table;
  if (isAll && times !== null) {
    const at = (time: Date): Promise<Found> => reads.one([{ $match: { t: time } }, match, { $limit: 1 }, ONLY_TIME]);
    const ends = await Promise.all([at(times.first), at(times.last)]);
    if (ends.every(({ t }) => t instanceof Date)) return { first: times.first.getTime(), last: times.last.getTime() };
  }
  const ends = { $group: { _id: null, first: { $min: '$t' }, last: { $max: '$t' } } };
  const { first, last } = await reads.one([match, ends]);
  if (!(first instanceof Date) || !(last instanceof Date)) return null;
  return { first: first.getTime(), last: last.getTime() };
}

async function rowsOf(reads: TableReads, { match, value }: Selection, points: number): Promise<PlotPoint[] | null> {
  const found = await reads.all([
    match,
    { $project: { _id: 0, t: 1, v: `$${value}` } },
    { $sort: { t: 1, v: 1 } },
    { $limit: points + 1 },
  ]);
  if (found.length > points) return null;
  return found.map(({ t, v }) => ({ timestamp: isoOf(t), value: finiteOf(v) }));
}

/** The range asked for, clipped to the data, in parts of the same length. */
interface Cut {
  /** Milliseconds since 1970. */
  readonly from: number;
  /** Microseconds: parts of a millisecond when all rows lie within a few. */
  readonly width: number;
}

function cutOf({ from, to, points }: PlotQuery, { first, last }: Bounds): Cut {
  const begin = BigInt(Math.max(from?.getTime() ?? first, first)) * MICROS;
  const afterLast = BigInt(last) * MICROS + 1n;
  const end = to === null ? afterLast : least(BigInt(to.getTime()) * MICROS, afterLast);
  const width = quotientUp(end - begin, BigInt(points));
  // In whole milliseconds, as timestamps are: neighbours are then exactly one width apart, and a gap is more.
  return { from: Number(begin / MICROS), width: Number(width < MICROS ? width : quotientUp(width, MICROS) * MICROS) };
}

function quotientUp(one: bigint, other: bigint): bigint {
  return (one + other - 1n) / other;
}

function least(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

async function bucketsOf(
  reads: TableReads,
  { match, value }: Selection,
  { query, bounds }: { readonly query: PlotQuery; readonly bounds: Bounds },
): Promise<PlotSeries> {
  const cut = cutOf(query, bounds);
  const bucketsWith = (mean: unknown): Promise<readonly Found[]> =>
    reads.all([
      match,
      {
        $group: {
          _id: placeOf(cut),
          mean,
          least: { $min: `$${value}` },
          most: { $max: `$${value}` },
          count: { $sum: 1 },
        },
      },
      { $sort: { _id: 1 } },
    ]);
  const buckets = await bucketsWith({ $avg: `$${value}` });
  const isFinite = buckets.every(({ mean }) => Number.isFinite(numberOf(mean)));
  const told = isFinite ? buckets : (await bucketsWith({ $avg: { $divide: [`$${value}`, VAST] } })).map(fromVast);
  const points = told.map((bucket) => pointOf(bucket, cut));
  return { total: points.reduce((sum, { count }) => sum + count, 0), bucketMs: cut.width / 1000, points };
}

/**
 * The number of a row's part, where parts are shorter than a millisecond; else when the part begins, which the server tells in half the time:
 * it counts such parts from a moment of its own, so that they are moved by what there is between.
 */
function placeOf(cut: Cut): Stage {
  const { from, width } = cut;
  if (width >= MICROS_IN_MS) {
    return {
      $dateTrunc: { date: { $subtract: ['$t', shiftOf(cut)] }, unit: 'millisecond', binSize: width / MICROS_IN_MS },
    };
  }
  const passed = { $subtract: ['$t', new Date(from)] };
  return { $floor: { $divide: [{ $multiply: [passed, MICROS_IN_MS] }, width] } };
}

/** Milliseconds by which the first part begins later than one that the server would make. */
function shiftOf({ from, width }: Cut): number {
  const length = width / MICROS_IN_MS;
  return (((from - COUNTED_FROM) % length) + length) % length;
}

/** When a part begins. */
function beginOf(place: unknown, cut: Cut): number {
  if (place instanceof Date) return place.getTime() + shiftOf(cut);
  return cut.from + Math.floor(((numberOf(place) ?? 0) * cut.width) / MICROS_IN_MS);
}

function fromVast(bucket: Found): Found {
  return { ...bucket, mean: (numberOf(bucket['mean']) ?? 0) * VAST };
}

function pointOf(bucket: Found, cut: Cut): PlotBucket {
  const [least, most] = [finiteOf(bucket['least']), finiteOf(bucket['most'])];
  return {
    timestamp: new Date(beginOf(bucket['_id'], cut)).toISOString(),
    // The last digit of a mean of many is rounded, and must not lie outside of what it is the mean of.
    value: Math.min(most, Math.max(least, numberOf(bucket['mean']) ?? 0)),
    ...{ min: least, max: most },
    count: numberOf(bucket['count']) ?? 0,
  };
}

/** Zero has no sign in a plot. */
function finiteOf(value: unknown): number {
  return (numberOf(value) ?? 0) + 0;
}

function isoOf(at: unknown): string {
  return at instanceof Date ? at.toISOString() : '';
}
