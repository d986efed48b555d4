import type { TableColumn } from '../../plan/plan-columns.js';
import type { CsvDialect } from '../../ports/csv-inspector.js';
import { balancedSum, quotedText } from '../sql-text.js';
import { STORED_TYPES, timestamp } from '../table-shape.js';
import {
  type ColumnReading,
  columnReading,
  isNullMarker,
  layoutReading,
  type TimeReading,
  withOthersMissing,
} from './casts.js';

/** How the database is told to read a file. */
export interface ReadSyntax {
  readonly delimiter: string;
  /** Doubled inside quotes; empty: none. */
  readonly quote: string;
  /** Lines before the first record. */
  readonly skip: number;
  /** The longest line, in bytes. */
  readonly longest: number;
}

/** A file as the import reads it: UTF-8, every record well-formed. */
export interface ReadableFile {
  /** Relative to the import's folder, in characters that no pattern knows. */
  readonly path: string;
  readonly dialect: Pick<CsvDialect, 'decimal' | 'fewestFields' | 'units' | 'footer'>;
  readonly columns: readonly string[];
  readonly syntax: ReadSyntax;
  /** Signs stand in it that the database takes for part of a number and we do not. */
  readonly hasOddSigns: boolean;
  /** Whether parts of it can be read at once: not when quotes span lines. */
  readonly parallel: boolean;
}

export interface TargetColumn extends TableColumn {
  /** How times that are not in ISO 8601 are read. */
  readonly timeReading?: TimeReading | undefined;
  /** A text that is no value is a missing one. */
  readonly othersAreMissing?: boolean | undefined;
  /** It can't get a wider type. */
  readonly isFixed?: boolean | undefined;
  /** Every row has a value in it. */
  readonly isKey?: boolean | undefined;
}

export interface TargetTable {
  readonly columns: readonly TargetColumn[];
  readonly time: TableColumn;
  readonly meta: TableColumn;
  /** What every row gets as its time; `null`: what stands in the time field. */
  readonly importedAt: Date | null;
}

/** One condition of a row, and why a record that fails it is none. */
interface Check {
  readonly holds: string;
  readonly reason: string;
  /** The column whose type is too narrow. */
  readonly tooNarrow?: number;
}

interface PlacedColumn {
  readonly index: number;
  readonly column: TargetColumn;
  readonly reading: ColumnReading;
  readonly text: string;
}

/**
 * Writes the statements that read CSV files as rows of a table. All fields are read as text, with one field more than there are columns: a missing
 * field is null (an empty one is not) and a surplus one shows in the extra field, so that every record is either a row or counted. A surplus
 * field that is empty counts too: with a delimiter in a text that lacks its quotes, all fields behind would be in the wrong columns.
 */
export class ImportSql {
  constructor(private readonly table: TargetTable) {}

  /** Selects the rows of files, typed, in the table's order of columns. */
  rows(files: readonly ReadableFile[]): string {
    const groups = new Map<string, ReadableFile[]>();
    for (const file of files) groups.set(likeness(file), [...(groups.get(likeness(file)) ?? []), file]);
    return [...groups.values()].map((group) => this.rowsOfAlike(group)).join(' UNION ALL ');
  }

  /** The same with the column `place`, which rises from record to record and from file to file; to be read by one thread. */
  placedRows(files: readonly ReadableFile[]): string {
    return files
      .map((file, index) => this.rowsOfAlike([file], `${index} * ${PLACES} + row_number() OVER ()`))
      .join(' UNION ALL ');
  }

  private rowsOfAlike(files: readonly ReadableFile[], place?: string): string {
    const file = files[0];
    if (!file) throw new Error('no file to read');
    const placed = this.placedIn(file);
    const stored = this.table.columns.map(
      (column, index) => `${this.storedOf(column, index, placed)} AS ${column.physical}`,
    );
    const [own, more] = place === undefined ? [[], undefined] : [['place'], `${place} AS place`];
    const texts = this.texts(files, file, placed, more);
    return `SELECT ${[...stored, ...own].join(', ')} FROM (${texts}) WHERE ${this.isRow(file, placed)}`;
  }

  /** In the order in which a record is told what is wrong with it. */
  checks(file: ReadableFile): readonly Check[] {
    const placed = this.placedIn(file);
    return [
      ...fieldChecks(file),
      ...this.timeChecks(placed),
      { holds: this.metaIsThere(placed), reason: REASONS.noMeta },
      ...this.checked(placed).flatMap(columnChecks),
      ...this.keysAreThere(placed).map((holds) => ({ holds, reason: REASONS.noKey })),
    ];
  }

  /** Selects number (from 1, in the order of the file) of every record that is no row, and as its code the place of the first check that it fails. */
  misfits(file: ReadableFile): string {
    const placed = this.placedIn(file);
    const cases = this.checks(file).map(({ holds }, place) => `WHEN (${holds}) IS NOT TRUE THEN ${place}`);
    const texts = this.texts([file], file, placed, 'row_number() OVER () AS record');
    // Asked first, the condition of a row spares nearly all records the questions that follow.
    const code = `CASE WHEN ${this.isRow(file, placed)} THEN NULL ${cases.join(' ')} END`;
    return `SELECT record, code FROM (SELECT record, ${code} AS code FROM (${texts})) WHERE code IS NOT NULL`;
  }

  /** A time that fits and a metadata value that fits are not missing either, which saves a question. */
  private isRow(file: ReadableFile, placed: readonly PlacedColumn[]): string {
    const general = [...fieldChecks(file), ...this.timeChecks(placed).slice(-1)].map(({ holds }) => holds);
    const values = [...valueConditions(this.checked(placed)), ...this.keysAreThere(placed)];
    return [...general, this.metaFits(placed), ...values].join(' AND ');
  }

  private keysAreThere(placed: readonly PlacedColumn[]): readonly string[] {
    const keys = this.table.columns.filter(({ isKey }) => isKey === true);
    return keys.map((key) => {
      const stored = placed.find(({ column }) => column === key)?.reading.stored ?? 'NULL';
      return `(${stored}) IS NOT NULL`;
    });
  }

  private placedIn(file: ReadableFile): readonly PlacedColumn[] {
    return this.table.columns.flatMap((column, index) => {
      const position = file.columns.indexOf(column.name);
      if (position === -1 || this.isGenerated(column)) return [];
      const text = `f${position}`;
      return [{ index, column, text, reading: readingOf(column, text, file, position) }];
    });
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
    return `SELECT ${['*', ...casts, ...(more === undefined ? [] : [more])].join(', ')} FROM ${textsOf(files, file)}`;
  }

  private storedOf(column: TableColumn, index: number, placed: readonly PlacedColumn[]): string {
    const { importedAt } = this.table;
    if (importedAt !== null && this.isTime(column)) return timestamp(importedAt);
    return placed.find((one) => one.index === index)?.reading.stored ?? `NULL::${STORED_TYPES[column.type]}`;
  }

  private timeChecks(placed: readonly PlacedColumn[]): readonly Check[] {
    if (this.table.importedAt !== null) return [];
    const time = placed.find(({ column }) => this.isTime(column));
    if (!time) return [{ holds: 'false', reason: REASONS.noTime }];
    return [
      { holds: `NOT ${isNullMarker(time.text)}`, reason: REASONS.noTime },
      { holds: time.reading.fits ?? 'true', reason: REASONS.badTime },
    ];
  }

  /** A metadata value that is no number where it should be one is that column's own misfit. */
  private metaIsThere(placed: readonly PlacedColumn[]): string {
    if (this.isTime(this.table.meta)) return 'true';
    const meta = this.metaIn(placed);
    if (!meta) return 'false';
    return meta.reading.fits === null ? `${meta.text} <> ''` : `NOT ${isNullMarker(meta.text)}`;
  }

  private metaFits(placed: readonly PlacedColumn[]): string {
    const fits = this.isTime(this.table.meta) ? null : this.metaIn(placed)?.reading.fits;
    return fits ?? this.metaIsThere(placed);
  }

  private metaIn(placed: readonly PlacedColumn[]): PlacedColumn | undefined {
    return placed.find(({ column }) => column.physical === this.table.meta.physical);
  }

  /** The columns whose texts may not fit. The time field has its own checks. */
  private checked(placed: readonly PlacedColumn[]): readonly PlacedColumn[] {
    return placed.filter(({ column, reading }) => !this.isTime(column) && reading.fits !== null);
  }

  private isTime(column: TableColumn): boolean {
    return column.physical === this.table.time.physical;
  }

  private isGenerated(column: TableColumn): boolean {
    return this.table.importedAt !== null && this.isTime(column);
  }
}

function readingOf(column: TargetColumn, text: string, file: ReadableFile, position: number): ColumnReading {
  const { dialect, hasOddSigns } = file;
  const style = { decimal: dialect.decimal, hasOddSigns, unit: dialect.units?.[position] };
  const { type, timeReading, isFixed, othersAreMissing } = column;
  const isInLayout = type === 'time' && timeReading !== undefined;
  const own = isInLayout ? layoutReading(column, text, timeReading) : columnReading(column, text, style);
  const reading = isFixed === true ? { ...own, isWider: null } : own;
  return othersAreMissing === true ? withOthersMissing(reading) : reading;
}

/** The quick look holds for nearly every row; only the others are looked at cell by cell. */
function valueConditions(placed: readonly PlacedColumn[]): readonly string[] {
  const numbers = placed.filter(({ reading }) => reading.quick !== null);
  const others = placed.filter(({ reading }) => reading.quick === null).map(fitsOrNull);
  if (numbers.length === 0) return others;

  const sum = numbers.flatMap(({ reading }) => reading.quick?.sum ?? []);
  const whole = numbers.flatMap(({ reading }) => reading.quick?.whole ?? []);
  const quick = [...(sum.length > 0 ? [`isfinite(${balancedSum(sum)})`] : []), ...whole].join(' AND ');
  return [`((${quick}) OR (${numbers.map(fitsOrNull).join(' AND ')}))`, ...others];
}

function fitsOrNull({ reading, text }: PlacedColumn): string {
  return `(${reading.fits ?? 'true'} OR ${isNullMarker(text)})`;
}

function columnChecks(placed: PlacedColumn): readonly Check[] {
  const { column, index, reading } = placed;
  const reason = notAValue(column);
  const holds = fitsOrNull(placed);
  if (reading.isWider === null) return [{ holds, reason }];
  const isNarrow = `(${holds} IS TRUE OR (${reading.isWider}) IS NOT TRUE)`;
  return [
    { holds: isNarrow, reason, tooNarrow: index },
    { holds, reason },
  ];
}

function fieldChecks({ dialect, columns }: ReadableFile): readonly Check[] {
  const { footer } = dialect;
  const isNone = footer && `f${footer.column} NOT IN (${footer.labels.map(quotedText).join(', ')})`;
  const checks = [
    { holds: `f${columns.length} IS NULL`, reason: REASONS.more },
    ...(isNone === undefined ? [] : [{ holds: isNone, reason: REASONS.footer }]),
  ];
  const fewest = Math.min(dialect.fewestFields, columns.length);
  return fewest < 2 ? checks : [{ holds: `f${fewest - 1} IS NOT NULL`, reason: REASONS.fewer }, ...checks];
}

/** Files of which it is the same can be read together. */
function likeness({ dialect, columns, syntax, parallel, hasOddSigns }: ReadableFile): string {
  const { decimal, fewestFields, units, footer } = dialect;
  return JSON.stringify([decimal, fewestFields, units, footer, columns, syntax, parallel, hasOddSigns]);
}

/** No text is null here but a field that is not there; the marker is one that no file has. */
const NO_MARKER = '\u0003\u0004';
/** What it would be by itself for lines of two megabytes. */
const BUFFER_BYTES = 32 * 1024 ** 2;

function readCsv(files: readonly ReadableFile[], { columns, syntax, parallel }: ReadableFile): string {
  const fields = Array.from({ length: columns.length + 1 }, (_, index) => `'f${index}': 'VARCHAR'`);
  const options = [
    `columns={${fields.join(', ')}}`,
    'auto_detect=false',
    'header=false',
    `skip=${syntax.skip}`,
    `delim=${quotedText(syntax.delimiter)}`,
    `quote=${quotedText(syntax.quote)}`,
    `escape=${quotedText(syntax.quote)}`,
    `nullstr=${quotedText(NO_MARKER)}`,
    'null_padding=true',
    'strict_mode=false',
    `parallel=${String(parallel)}`,
    `max_line_size=${syntax.longest}`,
    `buffer_size=${BUFFER_BYTES}`,
  ];
  return `read_csv([${files.map(({ path }) => quotedText(path)).join(', ')}], ${options.join(', ')})`;
}

/** What is read from: fields that a short row may lack are empty in it. */
function textsOf(files: readonly ReadableFile[], file: ReadableFile): string {
  const { fewestFields } = file.dialect;
  const optional = file.columns.flatMap((_, index) =>
    index < fewestFields ? [] : [`coalesce(f${index}, '') AS f${index}`],
  );
  const read = readCsv(files, file);
  return optional.length === 0 ? read : `(SELECT * REPLACE (${optional.join(', ')}) FROM ${read})`;
}

/** Why a record is no row, in the words of a report. */
export const REASONS = {
  fewer: 'fewer fields than the header',
  more: 'more fields than the header',
  footer: 'it sums up the rows above',
  noTime: 'no timestamp',
  badTime: 'the timestamp does not fit the layout',
  noMeta: 'no value in the metadata field',
  noKey: 'no value in a key',
  repeated: 'a later row has the same key',
  quote: 'a quote is not closed or not doubled',
  bytes: 'invalid bytes',
  length: 'the line is too long',
} as const;

function notAValue({ name, type }: TableColumn): string {
  return `not a ${type === 'integer' ? 'number' : type} in "${name}"`;
}

/** Places of the records of one file, at most. */
const PLACES = 2 ** 40;
/** The code of a record that gives way to a later one. */
const REPEATED = -1;

/** Selects number and code of the records of a file, the first being 0, that are in `repeated`. */
export function repeatedIn(file: number): string {
  const place = `place - ${file} * ${PLACES}`;
  return `SELECT ${place} AS record, ${REPEATED} AS code FROM repeated WHERE ${place} BETWEEN 1 AND ${PLACES - 1}`;
}
