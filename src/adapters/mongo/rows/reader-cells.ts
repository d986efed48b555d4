import { mongo } from 'mongoose';
import type { Cell, ColumnType } from '../../../ports/table.js';
import { isRecord, type JsonValue } from '../../../shared/json.js';

/** Longest text of a cell. */
const LONGEST_TEXT = 2000;

/** A value of an answer as JSON can hold it: times as ISO 8601, texts cut, lists and documents as JSON, what is no finite number null. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return cut(value);
  if (value instanceof Date) return isoOf(value);
  const number = numberOf(value);
  if (number !== null) return finite(number);
  return cut(JSON.stringify(plain(value)));
}

/** The type of a column with such a value; null: the value says nothing. */
export function typeOf(value: unknown): ColumnType | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return 'boolean';
  if (value instanceof Date) return 'time';
  if (value instanceof mongo.Int32 || value instanceof mongo.Long) return 'integer';
  return numberOf(value) === null ? 'text' : 'number';
}

/** Beyond 2^53 the nearest number that there is. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof mongo.Double || value instanceof mongo.Int32) return value.value;
  if (value instanceof mongo.Long) return value.toNumber();
  return value instanceof mongo.Decimal128 ? Number(value.toString()) : null;
}

function plain(value: unknown): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  const number = numberOf(value);
  if (number !== null) return finite(number);
  if (typeof value !== 'object') return typeof value === 'string' ? value : value === true;
  if (value instanceof Date) return isoOf(value);
  // Of the server's other types none comes out of what may be asked.
  if (!isRecord(value) || '_bsontype' in value) return null;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plain(one)]));
}

function finite(number: number): number | null {
  // Zero has no sign in an answer.
  return Number.isFinite(number) ? number + 0 : null;
}

function isoOf(time: Date): string | null {
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function cut(text: string): string {
  return text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text;
}
