import type { DuckDBConnection } from '@duckdb/node-api';
import type { Cell } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { wellFormed } from '../shared/well-formed.js';
import { type AttachedTable, sqlTime } from './attached-table.js';
import type { WireBatch, WireRows } from './engine-protocol.js';
import type { TableColumn } from '../plan/plan-columns.js';
import { STORED_TYPES } from './table-shape.js';

/** Rows as one statement takes them. */
export interface AppendBatch {
  /** The rows as one JSON text of texts, in the order of the columns: one bound parameter, whatever is in them. */
  readonly json: string;
  /** Physical names of the columns of whole numbers that are to hold other numbers. */
  readonly wider: ReadonlySet<string>;
}

/** @throws AppError `invalid_input` naming the first row that does not fit. */
export function batchOf({ shape }: AttachedTable, { names, cells }: WireRows): AppendBatch {
  const required = new Set([shape.time, shape.meta]);
  const columns = shape.columns.map((column) => ({ column, place: names.indexOf(column.name) }));
  const wider = new Set<string>();
  const texts = cells.map((row, index) =>
    columns.map(({ column, place }) => {
      const cell = row[place] ?? null;
      if (cell === null && required.has(column)) throw notAValue(index, column, 'has no value');
      const text = textOf(cell, column, index);
      if (column.type === 'integer' && text !== null && !isWhole(text)) wider.add(column.physical);
      return text;
    }),
  );
  return { json: JSON.stringify(texts), wider };
}

/** The note of rows that were stored under the key not longer than a day before; null when there are none. */
export async function earlierNote(
  connection: DuckDBConnection,
  { basePart, deltas }: AttachedTable,
  { key, at }: WireBatch,
): Promise<string | null> {
  const parts = [...(basePart.hasBatches ? [basePart] : []), ...deltas];
  if (parts.length === 0) return null;
  const all = parts.map(({ name }) => `SELECT key, note, sent FROM ${name}.batches`).join(' UNION ALL ');
  const reader = await connection.runAndReadAll(
    `SELECT note FROM (${all}) WHERE key = $1::VARCHAR AND sent > $2::TIMESTAMP ORDER BY sent DESC LIMIT 1`,
    [key, sqlTime(keysSince(at))],
  );
  const [note] = reader.getRows()[0] ?? [];
  return typeof note === 'string' ? note : null;
}

const DAY_MS = 86_400_000;

/** Keys that were used before are not known any more. */
export function keysSince(now: string): string {
  return new Date(new Date(now).getTime() - DAY_MS).toISOString();
}

/** Inserts the rows, and the batch they are, in one transaction; when it returns they are in the log on the disk. */
export async function insertRows(
  connection: DuckDBConnection,
  { shape, delta }: AttachedTable,
  { json, wider }: AppendBatch,
  batch: WireBatch | null,
): Promise<void> {
  const target = delta ?? '';
  const stored = shape.columns.map(({ physical, type }) => STORED_TYPES[wider.has(physical) ? 'number' : type]);
  const values = stored.map((type, index) => `CAST(r[${index + 1}] AS ${type})`);
  // Wider columns do no harm when the rows do not follow.
  for (const physical of wider)
    await connection.run(`ALTER TABLE ${target}.data ALTER COLUMN ${physical} SET DATA TYPE ${STORED_TYPES.number}`);
  const insert = `INSERT INTO ${target}.data SELECT ${values.join(', ')}
     FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`;
  if (batch === null) {
    await connection.run(insert, [json]);
    return;
  }
  // What is not committed is undone when the connection is closed.
  await connection.run('BEGIN');
  await connection.run(insert, [json]);
  const { key, note, at } = batch;
  await connection.run(`INSERT INTO ${target}.batches VALUES ($1, $2, $3::TIMESTAMP)`, [key, note, sqlTime(at)]);
  await connection.run('COMMIT');
}

function textOf(cell: Cell, column: TableColumn, index: number): string | null {
  if (cell === null) return null;
  switch (column.type) {
    case 'time':
      return timeText(cell, column, index);
    case 'integer':
    case 'number':
      if (!Number.isFinite(Number(cell))) throw notAValue(index, column, 'is not a number');
      return String(cell);
    case 'boolean':
    case 'text':
      // Half a character can't be stored, and would take the whole batch with it.
      return wellFormed(String(cell));
  }
}

const DIGITS = /^[+-]?\d{1,19}$/;

function isWhole(text: string): boolean {
  return DIGITS.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function timeText(cell: Cell, column: TableColumn, index: number): string {
  const iso = String(cell);
  if (Number.isNaN(Date.parse(iso))) throw notAValue(index, column, 'is not a time');
  return sqlTime(iso);
}

function notAValue(index: number, { name }: TableColumn, problem: string): AppError {
  return new AppError('invalid_input', `row ${index + 1}: "${name}" ${problem}`);
}
