import { type FileHandle, open } from 'node:fs/promises';
import type { CsvDescription, CsvFooter, WrittenCsv } from '../../ports/csv-inspector.js';
import type { ColumnType } from '../../ports/table.js';
import type { AppError } from '../../shared/app-error.js';
import { type DecimalSign, plainNumber } from '../../shared/number-notation.js';
import { decoded } from '../../shared/text-encoding.js';
import type { Layout } from '../import/record-scanner.js';
import { layoutOf, separatorLine } from './dialect.js';
import { assertNoOtherKind, assertTable, encodingOf, unusable } from './encoding.js';
import { columnNames } from './header.js';
import { type FoundRow, type Row, splitText } from './records.js';
import { assertWidth, tableOf, type TableShape } from './table.js';
import { type FoundType, foundTypeOf, unitOf } from './types.js';

/** Names are kept with a datasource, and shown with it: characters of all together. */
const LONGEST_HEADER = 1024 ** 2;
const HEAD_SAMPLES = 500;
const MOST_SAMPLES = 1000;
/** Of a sample that begins between quotes more lines make no sense, or have another length. */
const MOST_FAULTS = 0.02;
const LEAST_FITTING = 0.5;
const FIRST_LINE = /^[^\n\r]*(?:\r\n?|\n)?/;

/** What was found in the file before it is described. */
interface Findings {
  readonly layout: Layout;
  readonly encoding: string;
  readonly table: TableShape;
  /** Rows of the middle and of the end. */
  readonly later: readonly (readonly Row[])[];
}

/**
 * Describes a CSV file by its first megabyte and samples of its middle and end, so that the file's size does not matter.
 *
 * @throws AppError `invalid_input` with a sentence that says why the file can't be used
 */
export async function describeCsv(
  path: string,
  written?: WrittenCsv,
  usualDecimal?: DecimalSign,
): Promise<CsvDescription> {
  const samples = await readSamples(path);
  const findings = written === undefined ? findingsIn(samples, usualDecimal) : findingsInWritten(samples, written);
  return descriptionOf(findings, samples.size, written);
}

/** What parts the fields needs no guess. */
const WRITTEN: Layout = { delimiter: ',', quote: '"', escape: '"', trims: false };

function findingsInWritten(samples: FileSamples, { isTable }: WrittenCsv): Findings {
  if (samples.head.length === 0) throw unusable('the file is empty');
  const isWhole = samples.later.length === 0;
  const text = decoded(samples.head, 'utf-8');
  const { rows } = splitText(text, WRITTEN, { isCut: !isWhole });
  if (rows.length === 0) throw unusable('there is nothing in it');
  assertWholeLine(rows, isWhole);
  const table = isTable ? wholeTable(rows) : tableOf(rows, text, { layout: WRITTEN, decimal: '.' });
  const later = samples.later.map((sample) => laterRows(sample, 'utf-8', WRITTEN, table));
  return { layout: WRITTEN, encoding: 'utf-8', table, later };
}

function wholeTable([first, ...body]: readonly FoundRow[]): TableShape {
  const header = first?.cells ?? [];
  const columns = header.length;
  assertWidth(columns);
  return { preambleLines: 0, headerRows: 1, header, columns, fewestFields: columns, decimal: '.', body };
}

function findingsIn(samples: FileSamples, usualDecimal: DecimalSign | undefined): Findings {
  assertNoOtherKind(samples.head);
  const bytes = samples.later.map((sample) => sample.bytes);
  const encoding = encodingOf(samples.head, bytes);
  const isWhole = samples.later.length === 0;
  const text = headText(samples.head, encoding, isWhole);
  const layout = layoutOf(text);
  const { rows } = splitText(text, layout, { isCut: !isWhole });
  assertWholeLine(rows, isWhole);
  const table = tableOf(separatorLine(text) === null ? rows : rows.filter(({ line }) => line > 1), text, {
    layout,
    usualDecimal,
  });
  const later = samples.later.map((sample) => laterRows(sample, encoding, layout, table));
  return { layout, encoding, table, later };
}

function headText(head: Buffer, encoding: string, isWhole: boolean): string {
  const text = decoded(head, encoding);
  assertTable(text);
  if (!isWhole && !/[\r\n]/.test(text.trimStart())) throw longLine();
  return text;
}

function assertWholeLine(rows: readonly FoundRow[], isWhole: boolean): void {
  if (!isWhole && rows.length < 2) throw longLine();
}

function longLine(): AppError {
  return unusable('the first line is longer than 1 MiB');
}

/** Begins at the first whole line. If that is inside quotes, its lines don't fit, and the sample is left out. */
function laterRows({ bytes, isLast }: FileSample, encoding: string, layout: Layout, table: TableShape): readonly Row[] {
  const text = decoded(bytes, encoding).replace(FIRST_LINE, '');
  const { rows, faults } = splitText(text, layout, { isCut: !isLast });
  const found = fittingRows(rows, table);
  const isSound = faults.length <= rows.length * MOST_FAULTS && found.length >= rows.length * LEAST_FITTING;
  return isSound ? found : [];
}

function descriptionOf(
  { layout, encoding, table, later }: Findings,
  size: number,
  written?: WrittenCsv,
): CsvDescription {
  const known = written?.types ?? [];
  const { columns: count, fewestFields, decimal, preambleLines, headerRows, header } = table;
  const exact = fittingRows(table.body, table);
  const rows = [exact.length > 0 ? exact : table.body.map(({ cells }) => padded(cells, count)), ...later];
  const footer =
    written?.isTable !== true ? footerOf({ rows: rows.flat(), decimal, isWhole: later.length === 0 }) : undefined;
  const [body = [], ...others] = rows.map((part) => part.filter((row) => !isFooter(row, footer)));
  const all = [body, ...others].flat();
  const found = Array.from({ length: count }, (_, column) =>
    typeFrom(known[column] ?? null, foundTypeOf(columnOf(all, column), decimal)),
  );
  const units = found.map(({ unit }) => unit);
  const hasUnits = units.some((unit) => unit !== '');
  return {
    dialect: {
      ...{ ...layout, encoding, preambleLines, headerRows, fewestFields, decimal, footer },
      ...(hasUnits && { units }),
    },
    columns: namesOf(header, count),
    types: found.map(({ type }) => type),
    timeFormats: found.map(({ timeFormat }) => timeFormat),
    sample: body[0] ?? [],
    samples: samplesOf(body, others),
    size,
  };
}

/** What is known counts, but a text may be a time. */
function typeFrom(known: ColumnType | null, found: FoundType): FoundType {
  return known === null || (known === 'text' && found.type === 'time')
    ? found
    : { ...found, type: known, timeFormat: null };
}

function namesOf(header: Row, count: number): readonly string[] {
  const names = columnNames(header, count);
  const length = names.reduce((total, name) => total + name.length, 0);
  if (length > LONGEST_HEADER) throw unusable('the names of the columns are too long together');
  return names;
}

/** Rows that are too short or too long are no samples. */
function fittingRows(rows: readonly FoundRow[], { columns, fewestFields }: TableShape): readonly Row[] {
  return rows.flatMap(({ cells }) => {
    const fits = cells.length >= fewestFields && cells.length <= columns;
    return fits ? [padded(cells, columns)] : [];
  });
}

function padded(cells: Row, count: number): Row {
  return cells.length === count ? cells : Array.from({ length: count }, (_, column) => cells[column] ?? '');
}

function columnOf(rows: readonly Row[], column: number): readonly string[] {
  return rows.map((row) => row[column] ?? '');
}

function samplesOf(body: readonly Row[], later: readonly (readonly Row[])[]): readonly Row[] {
  const each = later.length === 0 ? 0 : Math.floor((MOST_SAMPLES - HEAD_SAMPLES) / later.length);
  const others = later.flatMap((rows) => rows.slice(0, each));
  return [...body.slice(0, MOST_SAMPLES - others.length), ...others];
}

const HEAD_BYTES = 1024 ** 2;
const SAMPLE_BYTES = 256 * 1024;

interface FileSamples {
  readonly size: number;
  readonly head: Buffer;
  /** From the middle and the end, each beginning anywhere in a line; none when the head is the whole file. */
  readonly later: readonly FileSample[];
}

interface FileSample {
  readonly bytes: Buffer;
  /** It reaches to the end of the file. */
  readonly isLast: boolean;
}

/** Reads at most one and a half megabytes, wherever the file ends. */
async function readSamples(path: string): Promise<FileSamples> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const head = await readAt(file, 0, Math.min(size, HEAD_BYTES));
    const later: FileSample[] = [];
    for (const start of laterStarts(size)) {
      const bytes = await readAt(file, start, Math.min(SAMPLE_BYTES, size - start));
      later.push({ bytes, isLast: start + bytes.length >= size });
    }
    return { size, head, later };
  } finally {
    await file.close();
  }
}

/** Even offsets, so that the bytes of UTF-16 stay together. */
function laterStarts(size: number): readonly number[] {
  const end = Math.max(HEAD_BYTES, size - SAMPLE_BYTES - (size % 2));
  const middle = Math.floor(size / 4) * 2;
  if (size <= HEAD_BYTES) return [];
  return middle >= HEAD_BYTES && middle + SAMPLE_BYTES <= end ? [middle, end] : [end];
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Rows at the end that may sum up those above them. */
const MOST_ROWS = 3;
const LEAST_ABOVE = 2;
/** Figures are rounded before they are summed up, or after. */
const ROUNDED = 1 / 1000;
const LABEL =
  /^(?:(?:grand |sub)?totals?|sum|averages?|mean|Σ|(?:gesamt|end)?summe|gesamt(?:ergebnis)?|insgesamt|durchschnitt|mittelwert) ?:?$/i;

/** The rows of a table, how its numbers are written, and whether all rows are here. */
interface TableRows {
  readonly rows: readonly Row[];
  readonly decimal: DecimalSign;
  readonly isWhole: boolean;
}

/**
 * The last rows that sum up those above them: they are called so, in a column that says it nowhere else, and have a sum of a column, or leave a cell
 * empty that every other row fills. `Total` in a full row without a sum is a name as any other.
 */
function footerOf({ rows, decimal, isWhole }: TableRows): CsvFooter | undefined {
  const last = rows.slice(-MOST_ROWS);
  const column = Math.max(...last.map((row) => row.findIndex(isLabel)));
  const labelled = last.filter((row) => isLabel(row[column] ?? ''));
  const above = rows.filter((row) => !labelled.includes(row));
  if (labelled.length === 0 || above.length < LEAST_ABOVE || above.some((row) => isLabel(row[column] ?? '')))
    return undefined;
  const isProven = (row: Row): boolean =>
    row.some((cell, index) => {
      if (index === column) return false;
      const values = above.map((other) => other[index] ?? '');
      if (cell.trim() === '') return values.every((value) => value.trim() !== '');
      return isWhole && isSum(cell, values, decimal);
    });
  const labels = labelled.filter(isProven).map((row) => row[column] ?? '');
  return labels.length === 0 ? undefined : { column, labels };
}

function isFooter(row: Row, footer: CsvFooter | undefined): boolean {
  return footer?.labels.includes(row[footer.column] ?? '') ?? false;
}

function isLabel(cell: string): boolean {
  return LABEL.test(cell.trim());
}

function isSum(cell: string, values: readonly string[], decimal: DecimalSign): boolean {
  const unit = unitOf([cell, ...values], decimal);
  const numberIn = (text: string): number => Number(plainNumber(text, decimal, unit) ?? 0);
  const value = numberIn(cell);
  const sum = values.reduce((total, text) => total + numberIn(text), 0);
  return value !== 0 && Math.abs(sum - value) <= Math.abs(value) * ROUNDED;
}
