import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { TableColumn } from '../plan/plan-columns.js';
import type { TypedRow } from '../ports/row-engine.js';
import type { Cell } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import type { RowTable } from './row-table.schema.js';
import { sqlTime } from './table-shape.js';

export interface BatchRows {
  /** For each row its cells as texts, in the order of the columns. */
  readonly texts: readonly (readonly (string | null)[])[];
  /** Physical names of the columns of whole numbers that are to hold other numbers. */
  readonly wider: ReadonlySet<string>;
}

/** @throws AppError `invalid_input` naming the first row that does not fit. */
export function batchRows(
  columns: readonly TableColumn[],
  { timeField, metaField }: Pick<RowTable, 'timeField' | 'metaField'>,
  rows: readonly TypedRow[],
): BatchRows {
  const wider = new Set<string>();
  const texts = rows.map((row, index) =>
    columns.map((column) => {
      const { name } = column;
      // A name of a column may be one that every object has.
      const cell = (Object.hasOwn(row, name) ? row[name] : null) ?? null;
      if (cell === null && (name === timeField || name === metaField)) throw notAValue(index, column, 'has no value');
      const text = textOf(cell, column, index);
      if (column.type === 'integer' && text !== null && !isWhole(text)) wider.add(column.physical);
      return text;
    }),
  );
  return { texts, wider };
}

const pack = promisify(deflateRaw);
const unpack = promisify(inflateRaw);
/** Fewer letters are not worth the work. */
const WORTH_PACKING = 2000;
/** The fastest: rows are much alike. */
const LEVEL = { level: 1 };
const PACKED = 'z';
const PLAIN = 'j';

/** A text for a document: JSON, packed when it is long. */
export async function packedRows({ texts }: BatchRows): Promise<string> {
  const json = JSON.stringify(texts);
  if (json.length < WORTH_PACKING) return PLAIN + json;
  return PACKED + (await pack(json, LEVEL)).toString('base64');
}

/** The JSON of a packed text. */
export async function unpackedRows(data: string): Promise<string> {
  if (data.startsWith(PLAIN)) return data.slice(1);
  return (await unpack(Buffer.from(data.slice(1), 'base64'))).toString();
}

function textOf(cell: Cell | Date, column: TableColumn, index: number): string | null {
  if (cell === null) return null;
  switch (column.type) {
    case 'time':
      return timeText(cell, column, index);
    case 'integer':
    case 'number':
      if (cell instanceof Date || !Number.isFinite(Number(cell))) throw notAValue(index, column, 'is not a number');
      return String(cell);
    case 'boolean':
    case 'text':
      // Half a character can't be stored, and would take the whole batch with it.
      return (cell instanceof Date ? cell.toISOString() : String(cell)).toWellFormed();
  }
}

const DIGITS = /^[+-]?\d{1,19}$/;

function isWhole(text: string): boolean {
  return DIGITS.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

function timeText(cell: Cell | Date, column: TableColumn, index: number): string {
  const time = cell instanceof Date ? cell : new Date(String(cell));
  if (Number.isNaN(time.getTime())) throw notAValue(index, column, 'is not a time');
  return sqlTime(time);
}

function notAValue(index: number, { name }: TableColumn, problem: string): AppError {
  return new AppError('invalid_input', `row ${index + 1}: "${name}" ${problem}`);
}
