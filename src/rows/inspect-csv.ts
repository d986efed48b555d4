import type { CsvDescription } from '../ports/csv-inspector.js';
import { layoutOf, separatorLine } from './inspect-dialect.js';
import { decoded, encodingOf } from './inspect-encoding.js';
import { columnNames } from './inspect-names.js';
import { type FoundRow, type Layout, linesOf, type Row, splitText } from './inspect-records.js';
import { assertNoOtherKind, assertTable, unusable } from './inspect-refusals.js';
import { type FileSample, type FileSamples, readSamples } from './inspect-samples.js';
import { type TableShape, tableOf } from './inspect-table.js';
import { typeOf } from './inspect-types.js';

/** Names are kept with a datasource, and shown with it: characters of all together. */
const LONGEST_HEADER = 1024 ** 2;
const HEAD_SAMPLES = 500;
const MOST_SAMPLES = 1000;
/** Of a sample that begins between quotes more lines make no sense, or have another length. */
const MOST_FAULTS = 0.02;
const LEAST_FITTING = 0.5;

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
export async function describeCsv(path: string): Promise<CsvDescription> {
  const samples = await readSamples(path);
  return descriptionOf(findingsIn(samples), samples.size);
}

function findingsIn(samples: FileSamples): Findings {
  assertNoOtherKind(samples.head);
  const bytes = samples.later.map((sample) => sample.bytes);
  const encoding = encodingOf(samples.head, bytes);
  const isWhole = samples.later.length === 0;
  const lines = linesOf(headText(samples.head, encoding, isWhole));
  const layout = layoutOf(lines);
  const { rows } = splitText(lines, layout, { isCut: !isWhole });
  const whole = isWhole ? rows : wholeRows(rows);
  const table = tableOf(separatorLine(lines) === null ? whole : whole.filter(({ line }) => line > 1), layout, lines);
  const later = samples.later.map((sample) => laterRows(sample, encoding, layout, table));
  return { layout, encoding, table, later };
}

function headText(head: Buffer, encoding: string, isWhole: boolean): string {
  const text = decoded(head, encoding);
  assertTable(text);
  if (!isWhole && !/[\r\n]/.test(text.trimStart())) throw unusable('the first line is longer than 1 MiB');
  return text;
}

/** The last row of a part may go on behind it. */
function wholeRows(rows: readonly FoundRow[]): readonly FoundRow[] {
  if (rows.length < 2) throw unusable('the first line is longer than 1 MiB');
  return rows.slice(0, -1);
}

/** Begins at the first whole line. If that is inside quotes, its lines don't fit, and the sample is left out. */
function laterRows({ bytes, isLast }: FileSample, encoding: string, layout: Layout, table: TableShape): readonly Row[] {
  const { text, starts, ends } = linesOf(decoded(bytes, encoding));
  const lines = { text, starts: starts.slice(1), ends: ends.slice(1) };
  const { rows, faults } = splitText(lines, layout, { isCut: !isLast });
  const whole = isLast ? rows : rows.slice(0, -1);
  const found = fittingRows(whole, table);
  const isSound = faults.length <= whole.length * MOST_FAULTS && found.length >= whole.length * LEAST_FITTING;
  return isSound ? found : [];
}

function descriptionOf({ layout, encoding, table, later }: Findings, size: number): CsvDescription {
  const { columns: count, fewestFields, decimal, preambleLines, headerRows, header } = table;
  const exact = fittingRows(table.body, table);
  const body = exact.length > 0 ? exact : table.body.map(({ cells }) => padded(cells, count));
  const all = [body, ...later].flat();
  const types = Array.from({ length: count }, (_, column) => typeOf(columnOf(all, column), decimal));
  return {
    dialect: { ...layout, encoding, preambleLines, headerRows, fewestFields, decimal },
    columns: namesOf(header, count),
    types,
    sample: body[0] ?? [],
    samples: samplesOf(body, later),
    size,
  };
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
