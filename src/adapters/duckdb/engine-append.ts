import type { DuckDBConnection } from '@duckdb/node-api';
import type { Cell } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { type AttachedTable, sqlTime } from './attached-table.js';
import type { TableColumn } from './plan-compiler.columns.js';
import { STORED_TYPES } from './table-shape.js';

export type AppendRow = Readonly<Record<string, Cell>>;

/** The rows as one JSON text of texts, in the order of the columns: one bound parameter, whatever is in them. */
export function appendJson({ shape }: AttachedTable, rows: readonly AppendRow[]): string {
  const required = [shape.time, shape.meta];
  return JSON.stringify(
    rows.map((row, index) => {
      for (const column of required)
        if ((row[column.name] ?? null) === null) throw notAValue(index, column, 'has no value');
      return shape.columns.map((column) => textOf(row[column.name] ?? null, column, index));
    }),
  );
}

/** Inserts the rows in one statement, and so all or none; when it returns they are in the log on the disk. */
export async function insertRows(
  connection: DuckDBConnection,
  { shape }: AttachedTable,
  delta: string,
  json: string,
): Promise<void> {
  const values = shape.columns.map(({ type }, index) => `CAST(r[${index + 1}] AS ${STORED_TYPES[type]})`);
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
      if (!Number.isInteger(Number(cell))) throw notAValue(index, column, 'is not a whole number');
      return String(cell);
    case 'number':
      if (!Number.isFinite(Number(cell))) throw notAValue(index, column, 'is not a number');
      return String(cell);
    case 'boolean':
    case 'text':
      return String(cell);
  }
}

function timeText(cell: Cell, column: TableColumn, index: number): string {
  const millis = new Date(String(cell)).getTime();
  if (Number.isNaN(millis)) throw notAValue(index, column, 'is not a time');
  return sqlTime(new Date(millis).toISOString());
}

function notAValue(index: number, { name }: TableColumn, problem: string): AppError {
  return new AppError('invalid_input', `row ${index + 1}: "${name}" ${problem}`);
}
