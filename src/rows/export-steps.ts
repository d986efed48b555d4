import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { balancedSum } from './balanced-sum.js';
import type { TableColumn } from '../plan/plan-columns.js';

/** Rows that lie together in a base, by their places in it; both are included. */
export interface Span {
  readonly first: number;
  readonly last: number;
}

export interface ExportedBase {
  readonly path: string;
  /** Its table, for a statement. */
  readonly data: string;
  /** How many columns it has. */
  readonly width: number;
  /** Those that are wanted. */
  readonly columns: readonly TableColumn[];
}

/** The database works on so many rows at once, and has their texts several times in memory while it does. */
const ROWS_AT_ONCE = 2048;
const BYTES_AT_ONCE = 8 * 1024 ** 2;
const FEWEST_ROWS = 4;
/** Many short cells are no reason to go in steps, which cost more memory then than they save. */
const SHORT_CELL = 16;
/** Places of the span that are looked at, and rows at each. */
const PLACES = 8;
const ROWS_AT_A_PLACE = 8;

/**
 * Parts of a span that can be worked on one after the other in bounded memory. The whole, unless its rows are long: what they take on the disk
 * and, because that may be compressed well, some of them are looked at.
 */
export async function stepsOf(connection: DuckDBConnection, base: ExportedBase, span: Span): Promise<readonly Span[]> {
  const length = Math.max(await storedLength(connection, base), await lengthOfSome(connection, base, span));
  const rows = Math.floor(BYTES_AT_ONCE / Math.max(length, 1));
  return rows >= ROWS_AT_ONCE ? [span] : cut(span, Math.max(rows, FEWEST_ROWS));
}

export function cut({ first, last }: Span, rows: number): readonly Span[] {
  const count = Math.max(Math.ceil((last - first + 1) / rows), 0);
  return Array.from({ length: count }, (_, index) => {
    const begin = first + index * rows;
    return { first: begin, last: Math.min(begin + rows - 1, last) };
  });
}

export function inSpan({ first, last }: Span): string {
  return `rowid BETWEEN ${first} AND ${last}`;
}

async function storedLength(connection: DuckDBConnection, base: ExportedBase): Promise<number> {
  const rows = await numberOf(connection, `SELECT count(*) FROM ${base.data}`);
  return (await stat(base.path)).size / Math.max(rows, ROWS_AT_ONCE) - base.width * SHORT_CELL;
}

async function lengthOfSome(connection: DuckDBConnection, base: ExportedBase, { first, last }: Span): Promise<number> {
  const texts = base.columns
    .filter(({ type }) => type === 'text')
    .map(({ physical }) => `coalesce(strlen(${physical}), 0)`);
  if (texts.length === 0) return 0;
  let longest = 0;
  for (let place = 0; place < PLACES; place++) {
    const begin = first + Math.floor(((last - first) * place) / PLACES);
    const some = inSpan({ first: begin, last: Math.min(begin + ROWS_AT_A_PLACE - 1, last) });
    const length = await numberOf(connection, `SELECT avg(${balancedSum(texts)}) FROM ${base.data} WHERE ${some}`);
    longest = Math.max(longest, length);
  }
  return longest;
}

async function numberOf(connection: DuckDBConnection, sql: string): Promise<number> {
  return Number((await connection.runAndReadAll(sql)).value(0, 0) ?? 0);
}
