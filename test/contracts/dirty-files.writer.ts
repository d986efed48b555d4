import iconv from 'iconv-lite';
import type { CsvDialect } from '../../src/ports/csv-inspector.js';

export interface CleanTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A file that is not written as it should be, and what must come out of it. */
export interface DirtyFile {
  readonly name: string;
  /** Which kind of dirt it has. */
  readonly pollution: string;
  readonly content: Buffer;
  readonly expected: ExpectedTable;
}

export interface ExpectedTable {
  /** None: the file can't be used, and a sentence says so. */
  readonly columns: readonly string[];
  /** As text, each as long as `columns`, without the rejected ones. */
  readonly rows: readonly (readonly string[])[];
  /** Physical lines, from 1, on which what is rejected begins. */
  readonly rejectedLines: readonly number[];
  /** What must be found of the way the file is written. */
  readonly dialect: Partial<CsvDialect>;
}

/** How a file is written. */
export interface Style {
  readonly delimiter: string;
  readonly quote: string;
  readonly escape: string;
  readonly lineEnd: string;
  readonly quoted: 'needed' | 'texts' | 'all' | 'none';
}

export const PLAIN: Style = { delimiter: ',', quote: '"', escape: '"', lineEnd: '\n', quoted: 'needed' };

/** One cell as it stands in a file. */
export function cellText(cell: string, style: Style): string {
  const { delimiter, quote, escape, quoted } = style;
  if (quoted === 'none') return cell;
  const isText = cell !== '' && !/^[-+.\d]+$/.test(cell);
  const isNeeded = [delimiter, quote, '\r', '\n'].some((sign) => cell.includes(sign));
  const isQuoted = isNeeded || quoted === 'all' || (quoted === 'texts' && isText);
  return isQuoted ? quote + cell.replaceAll(quote, escape + quote) + quote : cell;
}

/** A row as it stands in a file, without its line end. */
export function recordText(cells: readonly string[], style: Style): string {
  return cells.map((cell) => cellText(cell, style)).join(style.delimiter);
}

export function recordsOf(table: CleanTable, style: Style): readonly string[] {
  return [table.columns, ...table.rows].map((cells) => recordText(cells, style));
}

/** Every record with the line end behind it. */
export function textOf(records: readonly string[], { lineEnd }: Style): string {
  return records.map((record) => record + lineEnd).join('');
}

/** The physical line on which a record begins. */
export function lineOf(records: readonly string[], index: number): number {
  const inner = records.slice(0, index).map((record) => record.split(/\r\n|\r|\n/).length);
  return 1 + inner.reduce((total, lines) => total + lines, 0);
}

export function encoded(text: string, encoding: string, addBOM = false): Buffer {
  return iconv.encode(text, encoding, { addBOM });
}

/** What was written, all of it. */
export function whole(table: CleanTable, dialect: Partial<CsvDialect> = {}): ExpectedTable {
  return { columns: table.columns, rows: table.rows, rejectedLines: [], dialect };
}

export function dirtyFile(
  [pollution, name]: readonly [pollution: string, name: string],
  content: string | Buffer,
  expected: ExpectedTable,
): DirtyFile {
  return { name: `${pollution}: ${name}`, pollution, content: Buffer.from(content), expected };
}

/** Columns without names. */
export function unnamed(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `column${index + 1}`);
}
