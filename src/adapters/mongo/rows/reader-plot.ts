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

/** The rows that a plot is about. */
interface Selection {
  readonly match: Stage;
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
  return { match: { $match: { $and: parts.filter((part) => Object.keys(part).length > 0) } }, value: value.field };
}

function numericColumn(columns: readonly MongoColumn[], name: string): MongoColumn {
  const column = columns.find((one) => one.name === name);
  if (!column) throw new AppError('invalid_input', `there is no column "${name}"`);
  if (!isNumeric(column.type)) throw new AppError('invalid_input', `"${name}" is not a column of numbers`);
  return column;
}

/** The first and the last row, which an order of time finds without reading those between. */
async function boundsOf(reads: TableReads, { match }: Selection): Promise<Bounds | null> {
  const endOf = (direction: 1 | -1): Promise<Found> =>
    reads.one([match, { $sort: { t: direction } }, { $limit: 1 }, { $project: { _id: 0, t: 1 } }]);
  const [{ t: first }, { t: last }] = await Promise.all([endOf(1), endOf(-1)]);
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
  return found.map(({ t, v }) => ({ timestamp: isoOf(t), value: numberOf(v) ?? 0 }));
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
  // Rows that have come meanwhile have their place in it, unless they are later than all there were.
  const within = { $match: { t: { $gte: new Date(cut.from), $lte: new Date(bounds.last) } } };
  const bucketsWith = (mean: unknown): Promise<readonly Found[]> =>
    reads.all([
      match,
      within,
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

/** Quotients of whole numbers below 2^53 are never rounded up to the next one. */
function placeOf({ from, width }: Cut): Stage {
  const passed = { $subtract: ['$t', new Date(from)] };
  return width < 1000
    ? { $floor: { $divide: [{ $multiply: [passed, 1000] }, width] } }
    : { $floor: { $divide: [passed, width / 1000] } };
}

function fromVast(bucket: Found): Found {
  return { ...bucket, mean: (numberOf(bucket['mean']) ?? 0) * VAST };
}

function pointOf(bucket: Found, { from, width }: Cut): PlotBucket {
  const [least, most] = [numberOf(bucket['least']) ?? 0, numberOf(bucket['most']) ?? 0];
  const begin = from + Math.floor(((numberOf(bucket['_id']) ?? 0) * width) / 1000);
  return {
    timestamp: new Date(begin).toISOString(),
    // The last digit of a mean of many is rounded, and must not lie outside of what it is the mean of.
    value: Math.min(most, Math.max(least, numberOf(bucket['mean']) ?? 0)),
    ...{ min: least, max: most },
    count: numberOf(bucket['count']) ?? 0,
  };
}

function isoOf(at: unknown): string {
  return at instanceof Date ? at.toISOString() : '';
}
