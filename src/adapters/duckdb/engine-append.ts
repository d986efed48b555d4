import type { DuckDBConnection } from '@duckdb/node-api';
import type { Cell } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { wellFormed } from '../../shared/well-formed.js';
import { type AttachedTable, sqlTime } from './attached-table.js';
import type { TableColumn } from './plan-compiler.columns.js';
import { STORED_TYPES } from './table-shape.js';

export type AppendRow = Readonly<Record<string, Cell>>;

/** Rows as one statement takes them. */
export interface AppendBatch {
  /** The rows as one JSON text of texts, in the order of the columns: one bound parameter, whatever is in them. */
  readonly json: string;
  /** Physical names of the columns of whole numbers that are to hold other numbers. */
  readonly wider: ReadonlySet<string>;
}

/** @throws AppError `invalid_input` naming the first row that does not fit. */
export function batchOf({ shape }: AttachedTable, rows: readonly AppendRow[]): AppendBatch {
  const required = [shape.time, shape.meta];
  const wider = new Set<string>();
  const texts = rows.map((row, index) => {
    for (const column of required) if (cellOf(row, column) === null) throw notAValue(index, column, 'has no value');
    return shape.columns.map((column) => {
      const text = textOf(cellOf(row, column), column, index);
      if (column.type === 'integer' && text !== null && !isWhole(text)) wider.add(column.physical);
      return text;
    });
  });
  return { json: JSON.stringify(texts), wider };
}

/** A name of a column may be one that every object has. */
function cellOf(row: AppendRow, { name }: TableColumn): Cell {
  return Object.hasOwn(row, name) ? (row[name] ?? null) : null;
}

/** Inserts the rows in one statement, and so all or none; when it returns they are in the log on the disk. */
export async function insertRows(
  connection: DuckDBConnection,
  { shape }: AttachedTable,
  delta: string,
  { json, wider }: AppendBatch,
): Promise<void> {
  const stored = shape.columns.map(({ physical, type }) => STORED_TYPES[wider.has(physical) ? 'number' : type]);
  const values = stored.map((type, index) => `CAST(r[${index + 1}] AS ${type})`);
  // Wider columns do no harm when the rows do not follow.
  for (const physical of wider)
    await connection.run(`ALTER TABLE ${delta}.data ALTER COLUMN ${physical} SET DATA TYPE ${STORED_TYPES.number}`);
  await connection.run(
    `INSERT INTO ${delta}.data SELECT ${values.join(', ')}
     FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [json],
  );
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
  const millis = new Date(String(cell)).getTime();
  if (Number.isNaN(millis)) throw notAValue(index, column, 'is not a time');
  return sqlTime(new Date(millis).toISOString());
}

function notAValue(index: number, { name }: TableColumn, problem: string): AppError {
  return new AppError('invalid_input', `row ${index + 1}: "${name}" ${problem}`);
}
