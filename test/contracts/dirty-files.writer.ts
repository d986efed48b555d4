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

const STATIONS = ['North Gate', 'Old Mill', 'Harbour', 'Hill', 'Market Square'];
const CITIES = ['Zürich', 'Orléans', 'Malmö', 'Köln', 'Vigo', 'Sète', 'Århus'];
const REMARKS = ['wind, rain; hail | snow', '', 'he said "fine" again', 'dry'];

/** Eighty rows of nine columns of all types, with texts that must be quoted and some that have two lines. */
export const STATION_TABLE: CleanTable = {
  name: 'stations',
  columns: ['id', 'taken_at', 'station', 'city', 'temperature', 'visits', 'is_open', 'remark', 'note'],
  rows: Array.from({ length: 80 }, (_, index) => [
    String(1001 + index),
    takenAt(index),
    STATIONS[index % STATIONS.length] ?? '',
    CITIES[index % CITIES.length] ?? '',
    String((((index * 37) % 400) - 100) / 10),
    String((index * 131) % 977),
    String(index % 3 === 0),
    REMARKS[index % REMARKS.length] ?? '',
    index % 10 === 3 ? `first line ${index}\nsecond line` : `n-${index}`,
  ]),
};

const PRODUCTS = ['lamp', 'chair', 'table', 'shelf', 'sofa', 'desk', 'stool'];

/** Forty rows of six columns that never need a quote: codes with leading zeros, prices, days. */
export const PRODUCT_TABLE: CleanTable = {
  name: 'products',
  columns: ['sku', 'product', 'price', 'stock', 'listed', 'grade'],
  rows: Array.from({ length: 40 }, (_, index) => [
    String(417 + index * 13).padStart(6, '0'),
    `${PRODUCTS[index % PRODUCTS.length] ?? ''}${index}`,
    String(((index * 977) % 5000) / 100),
    String((index * 7) % 90),
    `2024-0${1 + (index % 9)}-${String(1 + (index % 28)).padStart(2, '0')}`,
    'ABC'[index % 3] ?? '',
  ]),
};

export const TABLES: readonly CleanTable[] = [STATION_TABLE, PRODUCT_TABLE];

function takenAt(index: number): string {
  const minutes = index * 15;
  const [day, hour, minute] = [1 + Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  return `2024-03-${two(day)} ${two(hour)}:${two(minute)}:00`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
