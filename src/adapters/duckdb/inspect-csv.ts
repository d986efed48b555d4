import type { CsvDescription } from '../../ports/csv-inspector.js';
import { type Layout, layoutOf, mostFrequent, parseText, type Row } from './inspect-dialect.js';
import { decoded, encodingOf } from './inspect-encoding.js';
import { hasHeader } from './inspect-header.js';
import { columnNames } from './inspect-names.js';
import { assertNoOtherKind, assertTable, unusable } from './inspect-refusals.js';
import { type FileSample, type FileSamples, readSamples } from './inspect-samples.js';
import { decimalOf, typeOf } from './inspect-types.js';

const MOST_COLUMNS = 2000;
const HEAD_SAMPLES = 500;
const MOST_SAMPLES = 1000;

/** What was found in the file before it is described. */
interface Findings {
  readonly layout: Layout;
  readonly encoding: string;
  /** Without blank lines; the last one is whole. */
  readonly head: readonly Row[];
  /** Rows of the middle and of the end. */
  readonly later: readonly (readonly Row[])[];
}

/**
 * Describes a CSV file by its first megabyte and samples of its middle and end, so that the file's size does not matter.
 *
 * @throws AppError `invalid_input` with a sentence that says why the file can't be used
 */
export async function describeCsv(path: string): Promise<CsvDescription> {
  const samples = await readSamples(path);
  return descriptionOf(findingsIn(samples), samples.size);
}

function findingsIn(samples: FileSamples): Findings {
  assertNoOtherKind(samples.head);
  const later = samples.later.map(({ bytes }) => bytes);
  const encoding = encodingOf(samples.head, later);
  const isWhole = samples.later.length === 0;
  const text = headText(samples.head, encoding, isWhole);
  const layout = layoutOf(text);
  const head = headRows(text, layout, isWhole);
  return { layout, encoding, head, later: samples.later.map((sample) => laterRows(sample, encoding, layout)) };
}

function headText(head: Buffer, encoding: string, isWhole: boolean): string {
  const text = withPlainBreaks(decoded(head, encoding));
  assertTable(text);
  if (!isWhole && !text.trimStart().includes('\n')) throw unusable('the first line is longer than 1 MiB');
  return text;
}

/** The last row of a part may go on behind it. */
function headRows(text: string, layout: Layout, isWhole: boolean): readonly Row[] {
  const { rows } = parseText(text, layout);
  if (isWhole) return rows;
  if (rows.length < 2) throw unusable('the first line is longer than 1 MiB');
  return rows.slice(0, -1);
}

/** Begins at the first whole line. If that is inside quotes, they don't add up, and the sample is left out. */
function laterRows({ bytes, isLast }: FileSample, encoding: string, layout: Layout): readonly Row[] {
  const text = withPlainBreaks(decoded(bytes, encoding));
  const { rows, isSound } = parseText(text.slice(text.indexOf('\n') + 1), layout);
  if (!isSound) return [];
  return isLast ? rows : rows.slice(0, -1);
}

function withPlainBreaks(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function descriptionOf({ layout, encoding, head, later }: Findings, size: number): CsvDescription {
  const count = columnCount(head);
  const decimal = decimalOf(head.slice(0, MOST_SAMPLES), layout.delimiter);
  const isHeaded = hasHeader(head, decimal);
  const body = fitting(isHeaded ? head.slice(1) : head, count);
  const others = later.map((rows) => fitting(rows, count));
  const all = [body, ...others].flat();
  const types = Array.from({ length: count }, (_, column) => typeOf(columnOf(all, column), decimal));
  return {
    dialect: { ...layout, encoding, hasHeader: isHeaded, decimal },
    columns: columnNames(isHeaded ? (head[0] ?? []) : [], count),
    types,
    sample: body[0] ?? [],
    samples: samplesOf(body, others),
    size,
  };
}

/** The header's cells; more when nearly all rows have more, as an unnamed first or last column makes them. */
function columnCount(head: readonly Row[]): number {
  const [first = [], ...body] = head;
  const usual = mostFrequent(body.map((row) => row.length));
  const isUsual = body.filter((row) => row.length === usual).length >= body.length * 0.9;
  const count = isUsual ? Math.max(first.length, usual) : first.length;
  if (count > MOST_COLUMNS) throw unusable(`the file has ${count} columns; at most ${MOST_COLUMNS} are possible`);
  return count;
}

/** Rows that are too short or too long are no samples, unless there are no others. */
function fitting(rows: readonly Row[], count: number): readonly Row[] {
  const exact = rows.filter((row) => row.length === count);
  return exact.length > 0 ? exact : rows.map((row) => Array.from({ length: count }, (_, column) => row[column] ?? ''));
}

function columnOf(rows: readonly Row[], column: number): readonly string[] {
  return rows.map((row) => row[column] ?? '');
}

function samplesOf(body: readonly Row[], later: readonly (readonly Row[])[]): readonly Row[] {
  const each = later.length === 0 ? 0 : Math.floor((MOST_SAMPLES - HEAD_SAMPLES) / later.length);
  const others = later.flatMap((rows) => rows.slice(0, each));
  return [...body.slice(0, MOST_SAMPLES - others.length), ...others];
}
