import type { DuckDBConnection, DuckDBValue } from '@duckdb/node-api';
import type { TableColumn } from '../../plan/plan-columns.js';
import type { PlotSeries } from '../../ports/row-reader.js';
import { isNumeric } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { ASSET_KEY } from '../base-file.js';
import { valuesOf } from '../cells.js';
import { metaText, sqlTime, STORED_TYPES } from '../table-shape.js';
import type { AttachedTable, FilePart, PartConditions } from './attached-table.js';
import type { WirePlot } from './engine-protocol.js';

/** Every row when there are few, otherwise one bucket for each equal part of the range. */
export async function plotOf(
  connection: DuckDBConnection,
  table: AttachedTable,
  query: WirePlot,
  visibleFrom: string | null,
): Promise<PlotSeries> {
  // Rows that come meanwhile are in all of the statements or in none.
  await connection.run('BEGIN');
  const { only, where, params, value, time } = await selectionOf(connection, table, query);
  const ask = (statement: string): ReturnType<typeof valuesOf> =>
    valuesOf(connection, table.reading(statement, visibleFrom, only), params);
  const [row] = await ask(
    `SELECT count(${value}), epoch_us(min(${time})), epoch_us(max(${time})) FROM visible WHERE ${where}`,
  );
  const total = Number(row?.[0] ?? 0);
  if (total === 0) return { total: 0, bucketMs: 0, points: [] };
  if (total <= query.points) {
    const rows = await ask(`SELECT epoch_us(${time}), ${value} FROM visible WHERE ${where} ORDER BY ${time}, ${value}`);
    return {
      total,
      bucketMs: 0,
      points: rows.map(([at, height]) => ({ timestamp: isoOf(at), value: Number(height) })),
    };
  }
  const cut = cutOf(query, { first: whole(row?.[1]), last: whole(row?.[2]) });
  const bucketsWith = (mean: string): ReturnType<typeof ask> =>
    ask(
      `SELECT (epoch_us(${time}) - ${cut.from}) // ${cut.width} AS bucket, ${mean}, min(${value}), max(${value}), count(*)
       FROM visible WHERE ${where} GROUP BY bucket ORDER BY bucket`,
    );
  const buckets = await bucketsWith(`avg(${value})`);
  // For numbers whose sum is beyond all numbers: a power of two takes nothing from their precision.
  const points = buckets.every(([, mean]) => Number.isFinite(Number(mean)))
    ? buckets
    : await bucketsWith(`avg(${value} / 18446744073709552e3) * 18446744073709552e3`);
  return { total, bucketMs: Number(cut.width) / 1000, points: points.map((bucket) => pointOf(bucket, cut)) };
}

/** The rows that a plot is about. */
async function selectionOf(
  connection: DuckDBConnection,
  table: AttachedTable,
  { asset, from, to, column }: WirePlot,
): Promise<{
  readonly only: PartConditions | undefined;
  readonly where: string;
  readonly params: readonly string[];
  readonly value: string;
  readonly time: string;
}> {
  const { columns, time } = table.shape;
  const value = columns.find(({ name }) => name === column);
  if (!value) throw new AppError('invalid_input', `there is no column "${column}"`);
  if (!isNumeric(value.type)) throw new AppError('invalid_input', `"${column}" is not a column of numbers`);

  const params: string[] = [];
  const bound = (text: string): string => `$${params.push(text)}`;
  const conditions = [`${value.physical} IS NOT NULL`];
  if (from !== null) conditions.push(`${time.physical} >= ${bound(sqlTime(from))}::TIMESTAMP`);
  if (to !== null) conditions.push(`${time.physical} < ${bound(sqlTime(to))}::TIMESTAMP`);
  const only = asset === null ? undefined : await rowsOfAsset(connection, table, asset, bound);
  return { only, where: conditions.join(' AND '), params, value: value.physical, time: time.physical };
}

async function rowsOfAsset(
  connection: DuckDBConnection,
  table: AttachedTable,
  asset: string,
  bound: (text: string) => string,
): Promise<PartConditions> {
  // A parameter that no statement has is refused: it is bound when it is needed, and once.
  let meant: string | null = null;
  const isMeant = (): string => (meant ??= isAsset(table.shape.meta, bound(asset)));
  const places = new Map<string, string>();
  for (const file of table.files) {
    const place = await placeOf(connection, file, asset);
    places.set(file.name, place === null ? 'false' : rowsAt(place, isMeant));
  }
  return { file: (name) => places.get(name) ?? null, memory: table.memory.length === 0 ? null : isMeant() };
}

function rowsAt({ rows, first, last, key }: AssetPlace, isMeant: () => string): string {
  const own = last - first + 1n === rows ? `rowid BETWEEN ${first} AND ${last}` : isMeant();
  // By row numbers alone every part of the file would be looked into.
  return key === null ? own : `${ASSET_KEY} = ${key}::UBIGINT AND ${own}`;
}

/** Where the rows of an asset lie in a file: together, nearly always, so that where they begin and end is all that has to be known. */
interface AssetPlace {
  readonly rows: bigint;
  readonly first: bigint;
  readonly last: bigint;
  readonly key: bigint | null;
}

async function placeOf(
  connection: DuckDBConnection,
  { name, hasAssetKey }: FilePart,
  asset: string,
): Promise<AssetPlace | null> {
  const [row] = await valuesOf(
    connection,
    `SELECT n, first_row, last_row, ${hasAssetKey ? 'key' : 'NULL'} FROM ${name}.assets WHERE value = $1::VARCHAR`,
    [asset],
  );
  if (row === undefined) return null;
  const [rows, first, last, key] = row;
  return { rows: whole(rows), first: whole(first), last: whole(last), key: typeof key === 'bigint' ? key : null };
}

/** Compares values where that says the same as comparing texts, because values are what a file can skip by. */
function isAsset(meta: TableColumn, asset: string): string {
  if (meta.type === 'text') return `${meta.physical} = ${asset}::VARCHAR`;
  const same = `${metaText(meta)} = ${asset}::VARCHAR`;
  return `(${meta.physical} = TRY_CAST(${asset}::VARCHAR AS ${STORED_TYPES[meta.type]}) AND ${same})`;
}

interface Cut {
  /** Microseconds since 1970. */
  readonly from: bigint;
  readonly width: bigint;
}

/** The range asked for, clipped to the data, in `points` parts of the same length. */
function cutOf({ from, to, points }: WirePlot, data: { readonly first: bigint; readonly last: bigint }): Cut {
  const [least, most] = [data.first, data.last + 1n];
  const [wantedFrom, wantedTo] = [from === null ? least : microsOf(from), to === null ? most : microsOf(to)];
  const begin = wantedFrom > least ? wantedFrom : least;
  const end = wantedTo < most ? wantedTo : most;
  const width = quotientUp(end - begin, BigInt(points));
  // In whole milliseconds, as timestamps are: neighbours are then exactly one width apart, and a gap is more.
  return { from: begin, width: width < 1000n ? width : quotientUp(width, 1000n) * 1000n };
}

function quotientUp(one: bigint, other: bigint): bigint {
  return (one + other - 1n) / other;
}

function pointOf(
  [bucket, mean, min, max, count]: readonly DuckDBValue[],
  { from, width }: Cut,
): PlotSeries['points'][number] {
  const [least, most] = [Number(min), Number(max)];
  return {
    timestamp: isoOf(from + whole(bucket) * width),
    // The last digit of a mean of many is rounded, and must not lie outside of what it is the mean of.
    value: Math.min(most, Math.max(least, Number(mean))),
    min: least,
    max: most,
    count: Number(count),
  };
}

function microsOf(iso: string): bigint {
  return BigInt(new Date(iso).getTime()) * 1000n;
}

function whole(value: DuckDBValue | undefined): bigint {
  return typeof value === 'bigint' ? value : 0n;
}

function isoOf(at: DuckDBValue | undefined): string {
  const micros = whole(at);
  // A bigint is cut towards zero, which before 1970 is later.
  const millis = micros >= 0n ? micros / 1000n : -quotientUp(-micros, 1000n);
  return new Date(Number(millis)).toISOString();
}
