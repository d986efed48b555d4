import type { ColumnType } from '../../../ports/table.js';
import { formulaSafe } from '../../../shared/csv-text.js';
import { formatTime, parseLayout } from '../../../shared/time-format/time-format.js';
import type { MongoColumn, MongoRow } from './mongo-table.js';

type Writer = (value: unknown) => string;

export interface WantedCells {
  readonly columns: readonly MongoColumn[];
  /** Layout of the time field; null: ISO 8601. */
  readonly timeFormat: string | null;
}

const LINE_END = '\r\n';

/** Writes stored rows as records of a CSV file, each with its line break. A value that is not there is an empty field. */
export function recordWriter({ columns, timeFormat }: WantedCells): (row: MongoRow) => string {
  const writers = columns.map((column) => ({ field: column.field, write: writerFor(column, timeFormat) }));
  const alone = columns.length === 1;
  return (row) => {
    const cells = writers.map(({ field, write }) => {
      const value = row[field];
      return value === undefined || value === null ? '' : write(value);
    });
    // A record of one empty field would be an empty line, which readers pass over.
    return alone && cells[0] === '' ? `""${LINE_END}` : cells.join(',') + LINE_END;
  };
}

export function headerRecord(columns: readonly MongoColumn[]): string {
  return columns.map(({ name }) => textField(name)).join(',') + LINE_END;
}

function writerFor({ field, type }: MongoColumn, timeFormat: string | null): Writer {
  if (field === 't' && timeFormat !== null) {
    const layout = parseLayout(timeFormat);
    return (value) => textField(formatTime(layout, value as Date));
  }
  return WRITERS[type];
}

const WRITERS: Readonly<Record<ColumnType, Writer>> = {
  time: (value) => isoText(value as Date),
  integer: String,
  number: (value) => numberText(Number(value)),
  boolean: String,
  text: (value) => textField(String(value)),
};

/** An empty text is written in quotes: a field that is empty is a value that is not there. */
function textField(text: string): string {
  const safe = formulaSafe(text);
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** With as much of a fraction as there is. */
function isoText(time: Date): string {
  return time.toISOString().replace(/\.?0*Z$/, 'Z');
}

/** Up to here a number without a fraction is written as a whole number. */
const PLAINLY_WHOLE = 2 ** 53;
const [FIRST_LONG, FIRST_SHORT] = [1e16, 1e-4];

/** The shortest text that reads back as the same number; far from one in powers of ten, as the other row store writes it. */
export function numberText(number: number): string {
  const size = Math.abs(number);
  if (Number.isInteger(number) && size < PLAINLY_WHOLE) return String(number === 0 ? 0 : number);
  if (size >= FIRST_LONG || size < FIRST_SHORT) {
    return number.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  return Number.isInteger(number) ? `${number}.0` : String(number);
}
