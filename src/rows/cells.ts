import {
  DuckDBArrayValue,
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  type DuckDBResult,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from '@duckdb/node-api';
import type { Cell, ColumnType } from '../ports/table.js';
import { cut } from '../shared/tame.js';
import { DAY_MS } from '../shared/durations.js';

const LONGEST_TEXT = 2000;
const SIZE_OF_OTHERS = 8;
/** Beyond it there is no Date. */
const FARTHEST_MS = 8.64e15;

const COLUMN_TYPES: readonly (readonly [names: RegExp, type: ColumnType])[] = [
  [/^BOOLEAN$/, 'boolean'],
  [/^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/, 'integer'],
  [/^(FLOAT|DOUBLE|DECIMAL)$/, 'number'],
  [/^(DATE|TIMESTAMP(_S|_MS|_NS|_TZ)?)$/, 'time'],
];

/** Types that we have no word for are shown as text. */
export function columnTypeOf({ typeId }: DuckDBType): ColumnType {
  const name = DuckDBTypeId[typeId];
  return COLUMN_TYPES.find(([names]) => names.test(name))?.[1] ?? 'text';
}

export async function valuesOf(
  connection: DuckDBConnection,
  sql: string,
  params?: readonly DuckDBValue[],
): Promise<readonly (readonly DuckDBValue[])[]> {
  return (await connection.runAndReadAll(sql, params && [...params])).getRows();
}

export async function countOf(connection: DuckDBConnection, relation: string): Promise<number> {
  const [row] = await valuesOf(connection, `SELECT count(*) FROM ${relation}`);
  return Number(row?.[0] ?? 0);
}

/** The rows of a result, some at a time. */
export async function* chunksOf(stream: DuckDBResult): AsyncGenerator<DuckDBDataChunk> {
  for (let chunk = await stream.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await stream.fetchChunk())
    yield chunk;
}

/** A value as JSON can hold it: times and days as ISO 8601, texts cut, what is no finite number null. */
export function cellFrom(value: DuckDBValue): Cell {
  if (value === null || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  // Beyond 2^53 the nearest number that there is.
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof DuckDBDecimalValue) return value.toDouble();
  const at = epochMsOf(value);
  if (at !== null) return Math.abs(at) <= FARTHEST_MS ? new Date(at).toISOString() : null;
  return cut(String(value), LONGEST_TEXT);
}

/** About how many characters it takes to write a value out, found without doing so. */
export function sizeOf(value: DuckDBValue): number {
  if (typeof value === 'string') return value.length;
  const isList = value instanceof DuckDBListValue || value instanceof DuckDBArrayValue;
  return isList ? value.items.reduce<number>((size, item) => size + sizeOf(item), 2) : SIZE_OF_OTHERS;
}

function epochMsOf(value: DuckDBValue): number | null {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue) return wholeMs(value.micros);
  if (value instanceof DuckDBTimestampNanosecondsValue) return wholeMs(value.nanos / 1000n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  return value instanceof DuckDBDateValue ? value.days * DAY_MS : null;
}

/** Towards the past, also before 1970. */
function wholeMs(micros: bigint): number {
  return Math.floor(Number(micros) / 1000);
}
