import type { mongo } from 'mongoose';
import type { TableProfile } from '../../../ports/table.js';

/** How a collection of rows is made. */
export interface CollectionShape {
  /** Null: no time series. Its times lie where one can't hold them. */
  readonly granularity: 'seconds' | 'minutes' | 'hours' | null;
  /** The metadata field is stored as one: it is not the time field too. */
  readonly hasMeta: boolean;
  /** Rows go by themselves when they are that old. Null: they stay. */
  readonly lifespanSeconds: number | null;
}

/** What a time series finds again; the moments before and after are stored, but questions pass over some of them. */
const FIRST_MS = 0;
const LAST_MS = (2 ** 31 - 1) * 1000;
/** A lifespan is a whole number of 32 bits to the server. */
const LONGEST_LIFESPAN = 2 ** 31 - 1;
/** A bucket holds up to a thousand rows of an asset, and an hour, a day or a month: between those it is filled best. */
const SECONDS_UP_TO_MS = 30_000;
const MINUTES_UP_TO_MS = 30 * 60_000;

/** The shape that suits the rows of an import. */
export function shapeFor(profile: TableProfile, lifespanSeconds: number | null): CollectionShape {
  const { timeField, metaField } = profile;
  const expires = lifespanSeconds !== null && lifespanSeconds > 0 && lifespanSeconds <= LONGEST_LIFESPAN;
  return {
    granularity: granularityOf(profile),
    hasMeta: timeField !== metaField,
    lifespanSeconds: expires ? Math.ceil(lifespanSeconds) : null,
  };
}

/** Whether a time series finds a row of this time. */
export function fitsTimeSeries(ms: number): boolean {
  return ms >= FIRST_MS && ms <= LAST_MS;
}

/** By the typical distance between two rows of one asset. */
function granularityOf({ timeRange, rowCount, columns, metaField }: TableProfile): CollectionShape['granularity'] {
  if (timeRange === null) return 'seconds';
  const [from, to] = [Date.parse(timeRange.from), Date.parse(timeRange.to)];
  if (!fitsTimeSeries(from) || !fitsTimeSeries(to)) return null;
  const assets = columns.find(({ name }) => name === metaField)?.distinct ?? 1;
  const distance = ((to - from) * Math.max(assets, 1)) / Math.max(rowCount, 1);
  if (distance < SECONDS_UP_TO_MS) return 'seconds';
  return distance < MINUTES_UP_TO_MS ? 'minutes' : 'hours';
}

/** Makes an empty collection and the index that finds an asset's rows in the order of time. */
export async function createRows(db: mongo.Db, name: string, shape: CollectionShape): Promise<void> {
  const { granularity, hasMeta, lifespanSeconds } = shape;
  const expiry = lifespanSeconds === null ? {} : { expireAfterSeconds: lifespanSeconds };
  if (granularity === null) {
    const rows = await db.createCollection(name);
    const byAsset = hasMeta ? [{ key: { m: 1, t: 1 } }] : [];
    await rows.createIndexes([...byAsset, { key: { t: 1 }, ...expiry }]);
    return;
  }
  const timeseries = { timeField: 't', ...(hasMeta ? { metaField: 'm' } : {}), granularity };
  const rows = await db.createCollection(name, { timeseries, ...expiry });
  // Newer servers make it themselves.
  await rows.createIndexes([{ key: hasMeta ? { m: 1, t: 1 } : { t: 1 } }]);
}
