import type { CsvDialect } from '../../ports/csv-inspector.js';
import { type ColumnReading, columnReading, isNullMarker } from './import-casts.js';
import { codeOf } from './import-reasons.js';
import type { TimeReading } from './import-time.js';
import type { TableColumn } from './plan-compiler.columns.js';
import { quotedText } from './sandbox-names.js';
import { STORED_TYPES } from './table-shape.js';

/** A file as the import reads it: UTF-8, every record well-formed. */
export interface ReadableFile {
  /** Relative to the import's folder, in characters that no pattern knows. */
  readonly path: string;
  readonly dialect: CsvDialect;
  readonly columns: readonly string[];
  readonly hasHeader: boolean;
  /** Whether parts of it can be read at once: not when quotes span lines. */
  readonly parallel: boolean;
}

export interface TargetTable {
  readonly columns: readonly TableColumn[];
  readonly time: TableColumn;
  readonly meta: TableColumn;
  /** `null`: every row gets `importedAt`. */
  readonly timeReading: TimeReading | null;
  readonly importedAt: Date;
}

/** One condition of a row and the code under which a record that fails it is counted. */
interface Check {
  readonly holds: string;
  readonly code: number;
}

interface PlacedColumn {
  readonly index: number;
  readonly column: TableColumn;
  readonly reading: ColumnReading;
  readonly text: string;
}

/**
 * Writes the statements that read CSV files as rows of a table. All fields are read as text, with one field more than the header has: a missing
 * field is null (an empty one is not) and a surplus one shows in the extra field, so that every record is either a row or counted.
 */
export class ImportSql {
  constructor(private readonly table: TargetTable) {}

  /** Selects the rows of files that are alike, typed, in the table's order of columns. */
  rows(files: readonly ReadableFile[]): string {
    const file = files[0];
    if (!file) throw new Error('no file to read');
    const placed = this.placedIn(file);
    const stored = this.table.columns.map(
      (column, index) => `${this.storedOf(column, index, placed)} AS ${column.physical}`,
    );
    const holds = [...this.generalChecks(file).map((check) => check.holds), ...valueConditions(this.checked(placed))];
    return `SELECT ${stored.join(', ')} FROM (${this.texts(files, file, placed)}) WHERE ${holds.join(' AND ')}`;
  }

  /** Selects number (from 1, in the order of the file) and code of every record that is no row. */
  misfits(file: ReadableFile): string {
    const placed = this.placedIn(file);
    const checks = [...this.generalChecks(file), ...this.checked(placed).flatMap(columnChecks)];
    const cases = checks.map(({ holds, code }) => `WHEN (${holds}) IS NOT TRUE THEN ${code}`);
    const texts = this.texts([file], file, placed, 'row_number() OVER () AS record');
    // Asked first, the condition of a row spares nearly all records the questions that follow.
    const code = `CASE WHEN ${this.isRow(file, placed)} THEN NULL ${cases.join(' ')} END`;
    return `SELECT record, code FROM (SELECT record, ${code} AS code FROM (${texts})) WHERE code IS NOT NULL`;
  }

  private isRow(file: ReadableFile, placed: readonly PlacedColumn[]): string {
    const general = this.generalChecks(file).map(({ holds }) => holds);
    return [...general, ...valueConditions(this.checked(placed))].join(' AND ');
  }

  private placedIn(file: ReadableFile): readonly PlacedColumn[] {
    return this.table.columns.flatMap((column, index) => {
      const position = file.columns.indexOf(column.name);
      if (position === -1 || (this.isTime(column) && this.table.timeReading === null)) return [];
      const text = `f${position}`;
      return [{ index, column, text, reading: this.readingOf(column, text, file.dialect.decimal) }];
    });
  }

  private readingOf(column: TableColumn, text: string, decimal: '.' | ','): ColumnReading {
    const { timeReading } = this.table;
    if (!this.isTime(column) || timeReading === null) return columnReading(column, text, decimal);
    const name = `v${column.physical}`;
    const fits = timeReading.fits(text, name);
    return { cast: { expression: timeReading.value(text), name }, stored: name, fits, quick: null, isWider: null };
  }

  private texts(
    files: readonly ReadableFile[],
    file: ReadableFile,
    placed: readonly PlacedColumn[],
    more?: string,
  ): string {
    const casts = placed.flatMap(({ reading }) =>
      reading.cast ? [`${reading.cast.expression} AS ${reading.cast.name}`] : [],
    );
    return `SELECT ${['*', ...casts, ...(more === undefined ? [] : [more])].join(', ')} FROM ${readCsv(files, file)}`;
  }

  private storedOf(column: TableColumn, index: number, placed: readonly PlacedColumn[]): string {
    if (this.isTime(column) && this.table.timeReading === null)
      return `TIMESTAMP ${quotedText(this.table.importedAt.toISOString().slice(0, -1))}`;
    return placed.find((one) => one.index === index)?.reading.stored ?? `NULL::${STORED_TYPES[column.type]}`;
  }

  /** In the order in which a record is told what is wrong with it. */
  private generalChecks(file: ReadableFile): readonly Check[] {
    const last = file.columns.length - 1;
    return [
      { holds: `f${last} IS NOT NULL`, code: codeOf('fewer') },
      { holds: `f${last + 1} IS NULL`, code: codeOf('more') },
      ...this.timeChecks(file),
      { holds: this.metaIsThere(file), code: codeOf('noMeta') },
    ];
  }

  private timeChecks(file: ReadableFile): readonly Check[] {
    if (this.table.timeReading === null) return [];
    const time = this.placedIn(file).find(({ column }) => this.isTime(column));
    if (!time) return [{ holds: 'false', code: codeOf('noTime') }];
    return [
      { holds: `NOT ${isNullMarker(time.text)}`, code: codeOf('noTime') },
      { holds: time.reading.fits ?? 'true', code: codeOf('badTime') },
    ];
  }

  /** A metadata value that is no number where it should be one is that column's own misfit. */
  private metaIsThere(file: ReadableFile): string {
    if (this.isTime(this.table.meta)) return 'true';
    const meta = this.placedIn(file).find(({ column }) => column.physical === this.table.meta.physical);
    if (!meta) return 'false';
    return meta.column.type === 'text' ? `${meta.text} <> ''` : `NOT ${isNullMarker(meta.text)}`;
  }

  /** The columns whose texts may not fit. The time field has its own checks. */
  private checked(placed: readonly PlacedColumn[]): readonly PlacedColumn[] {
    return placed.filter(({ column, reading }) => !this.isTime(column) && reading.fits !== null);
  }

  private isTime(column: TableColumn): boolean {
    return column.physical === this.table.time.physical;
  }
}

/** The quick look holds for nearly every row; only the others are looked at cell by cell. */
function valueConditions(placed: readonly PlacedColumn[]): readonly string[] {
  const numbers = placed.filter(({ reading }) => reading.quick !== null);
  const others = placed.filter(({ reading }) => reading.quick === null).map(fitsOrNull);
  if (numbers.length === 0) return others;

  const sum = numbers.flatMap(({ reading }) => reading.quick?.sum ?? []);
  const whole = numbers.flatMap(({ reading }) => reading.quick?.whole ?? []);
  const quick = [...(sum.length > 0 ? [`isfinite(${sum.join(' + ')})`] : []), ...whole].join(' AND ');
  return [`((${quick}) OR (${numbers.map(fitsOrNull).join(' AND ')}))`, ...others];
}

function fitsOrNull({ reading, text }: PlacedColumn): string {
  return `(${reading.fits ?? 'true'} OR ${isNullMarker(text)})`;
}

function columnChecks(placed: PlacedColumn): readonly Check[] {
  const { index, reading } = placed;
  const fits = fitsOrNull(placed);
  const notAValue = { holds: fits, code: codeOf({ column: index, wider: false }) };
  if (reading.isWider === null) return [notAValue];
  return [
    { holds: `(${fits} IS TRUE OR (${reading.isWider}) IS NOT TRUE)`, code: codeOf({ column: index, wider: true }) },
    notAValue,
  ];
}

/** No text is null here but a field that is not there; the marker is one that no file has. */
const NO_MARKER = '\u0001\u0002';

function readCsv(files: readonly ReadableFile[], { dialect, columns, hasHeader, parallel }: ReadableFile): string {
  const fields = Array.from({ length: columns.length + 1 }, (_, index) => `'f${index}': 'VARCHAR'`);
  const options = [
    `columns={${fields.join(', ')}}`,
    'auto_detect=false',
    `header=${String(hasHeader)}`,
    `delim=${quotedText(dialect.delimiter)}`,
    `quote=${quotedText(dialect.quote)}`,
    `escape=${quotedText(dialect.quote)}`,
    `nullstr=${quotedText(NO_MARKER)}`,
    'null_padding=true',
    'strict_mode=false',
    `parallel=${String(parallel)}`,
    'max_line_size=2097152',
  ];
  return `read_csv([${files.map(({ path }) => quotedText(path)).join(', ')}], ${options.join(', ')})`;
}
