import type { TypedRow } from '../../../ports/row-engine.js';
import type { Cell } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { wellFormed } from '../../../shared/well-formed.js';
import { fitsTimeSeries } from './collection-shape.js';
import type { MongoColumn, TableTimes } from './mongo-table.js';
import type { TableDocument } from './row-documents.js';
import { double, whole } from './row-values.js';

/** Rows as they are stored, and what they do to their table. */
export interface CheckedRows {
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  /** Places of the columns of whole numbers that are to hold other numbers. */
  readonly wider: readonly number[];
  readonly times: TableTimes | null;
}

type Table = Pick<TableDocument, 'columns' | 'time' | 'meta' | 'plain'>;

/** @throws AppError `invalid_input` naming the first row that does not fit. */
export function checkedRows(table: Table, rows: readonly TypedRow[]): CheckedRows {
  const wider = new Set<number>();
  const documents = rows.map((row, index) => {
    const stored: Record<string, unknown> = {};
    for (const [place, column] of table.columns.entries()) {
      const value = valueIn(row, column, { table, index });
      if (value instanceof Wider) wider.add(place);
      if (value !== null) stored[column.field] = value instanceof Wider ? double(value.number) : value;
    }
    if (!table.plain) assertInSeries(stored['t'], table, index);
    return stored;
  });
  return { documents, wider: [...wider], times: timesOf(documents) };
}

function timesOf(documents: CheckedRows['documents']): TableTimes | null {
  if (documents.length === 0) return null;
  const times = documents.map(({ t }) => Number(t));
  return { first: new Date(Math.min(...times)), last: new Date(Math.max(...times)) };
}

/** Null: the row has no value. */
function valueIn(row: TypedRow, column: MongoColumn, { table, index }: { table: Table; index: number }): unknown {
  // A name of a column may be one that every object has.
  const cell = Object.hasOwn(row, column.name) ? (row[column.name] ?? null) : null;
  if (cell !== null) return storedValue(cell, column, index);
  if (column.name === table.time || column.name === table.meta) throw notAValue(index, column, 'has no value');
  return null;
}

/** A number that is not whole, in a column of whole numbers. */
class Wider {
  constructor(readonly number: number) {}
}

function storedValue(cell: Cell | Date, column: MongoColumn, index: number): unknown {
  switch (column.type) {
    case 'time':
      return timeOf(cell, column, index);
    case 'number':
      return double(numberOf(cell, column, index));
    case 'integer':
      return wholeOf(cell, column, index);
    case 'boolean':
      return booleanOf(cell, column, index);
    case 'text':
      return wellFormed(cell instanceof Date ? cell.toISOString() : String(cell));
  }
}

function timeOf(cell: Cell | Date, column: MongoColumn, index: number): Date {
  const time = cell instanceof Date ? cell : new Date(String(cell));
  if (Number.isNaN(time.getTime())) throw notAValue(index, column, 'is not a time');
  return time;
}

function numberOf(cell: Cell | Date, column: MongoColumn, index: number): number {
  const number = cell instanceof Date || cell === '' ? NaN : Number(cell);
  if (!Number.isFinite(number)) throw notAValue(index, column, 'is not a number');
  return number;
}

const DIGITS = /^[+-]?\d{1,19}$/;

function wholeOf(cell: Cell | Date, column: MongoColumn, index: number): unknown {
  const number = numberOf(cell, column, index);
  const text = String(cell);
  if (!DIGITS.test(text)) return new Wider(number);
  if (Number.isSafeInteger(number)) return whole(number);
  return BigInt.asIntN(64, BigInt(text)) === BigInt(text) ? whole(BigInt(text)) : new Wider(number);
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false };

function booleanOf(cell: Cell | Date, column: MongoColumn, index: number): boolean {
  const text = String(cell).toLowerCase();
  const known = Object.hasOwn(BOOLEANS, text) ? BOOLEANS[text] : undefined;
  if (known === undefined) throw notAValue(index, column, 'is not true or false');
  return known;
}

function assertInSeries(time: unknown, { time: name }: Table, index: number): void {
  if (time instanceof Date && fitsTimeSeries(time.getTime())) return;
  throw new AppError(
    'invalid_input',
    `row ${index + 1}: "${name}" is before 1970 or after 2038, which this datasource can't hold: import such rows with a file`,
  );
}

function notAValue(index: number, { name }: MongoColumn, problem: string): AppError {
  return new AppError('invalid_input', `row ${index + 1}: "${name}" ${problem}`);
}
