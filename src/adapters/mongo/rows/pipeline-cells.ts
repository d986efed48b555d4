import { mongo } from 'mongoose';
import type { Cell } from '../../../ports/table.js';

/** Longest text of a cell. */
const LONGEST_TEXT = 2000;

/** A value as JSON can hold it: times as ISO 8601, texts cut, what is missing or no finite number null. */
export function cellOf(value: unknown): Cell {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  return numberOf(value);
}

/** Beyond 2^53 the nearest number that there is. */
function numberOf(value: unknown): number | null {
  const number = value instanceof mongo.Decimal128 ? Number(value.toString()) : Number(value);
  return Number.isFinite(number) ? number : null;
}
