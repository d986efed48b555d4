import { Envelope, onWire } from '../../../http/envelope.wire.js';
import { OptionalText, OptionalTexts, Text } from '../../../http/fields.js';
import { AppError } from '../../../shared/app-error.js';
import { detectTimeFormats, layoutsOf, parseLayout } from '../../../shared/time-format/time-format.js';
import { timeColumns } from '../datasource-config.js';
import { chosenFiles, hasRows, type DescribedFile } from './described-file.js';
import type { ReceivedUpload } from './upload.service.js';

const SHOWN_ROWS = 20;
const SHOWN_SHEETS = 50;
const LONGEST_CELL = 200;

export class UploadKeyBody {
  /** The generated key from the upload, not the original name. */
  @Text(1, 128) readonly filename!: string;
}

/** Which files of an upload are taken. */
export class ChosenFilesBody extends UploadKeyBody {
  /** The original name. */
  @OptionalText(0, 1000) readonly file?: string;
  /** Names of the upload's files that are taken, such as a sheet. Without it: all files, of a workbook its first sheet with a table. */
  @OptionalTexts(1000) readonly files?: string[];
}

/** How a CSV file is written. */
export class DialectView {
  readonly delimiter!: string;
  /** What fields may be wrapped in; empty: nothing. */
  readonly quote!: string;
  /** What stands before a quote inside a quoted field. */
  readonly escape!: string;
  readonly encoding!: string;
  readonly has_header!: boolean;
  /** Lines of titles, remarks or nothing that stand above the table. */
  readonly preamble_lines!: number;
  /** Rows that name the columns; of several rows the names are joined. */
  readonly header_rows!: number;
  /** The least fields that a row may have; those that it lacks at its end are empty. */
  readonly fewest_fields!: number;
  /** Blanks around fields are not part of them. */
  readonly trims!: boolean;
  /** What numbers have before their fraction: a point or a comma. */
  readonly decimal!: string;
}

/** A column that can be the time of the rows, decided from all sampled rows. */
export class TimeColumnView {
  readonly column!: string;
  /** In Unicode tokens. */
  readonly timeformat!: string;
  /** The other readings, when no sampled row tells day and month apart. */
  readonly ambiguous!: string[];
  /** A time of the file; where there are several readings, one that they read differently. */
  readonly example!: string;
  /** The part of the sampled rows, from 0 to 1, whose time has this layout; an import rejects the others. */
  readonly share!: number;
  /** The first of the others; empty when there are none. */
  readonly misfit!: string;
}

/** A sheet of a workbook that has rows; one of them becomes the datasource. */
export class SheetView {
  /** What the creation of a datasource names among its `files`. */
  readonly file!: string;
  /** Up to twenty rows. */
  readonly rows!: string[][];
  readonly times!: TimeColumnView[];
}

export class UploadResponse extends Envelope {
  /** Generated storage key: what the creation of a datasource names. */
  readonly filename!: string;
  /** Column names, one array per CSV file, in archive order. */
  readonly columns!: string[][];
  /** The first data row of the first file that has one. */
  readonly sample!: string[];
  /** Up to twenty rows of that file, from its beginning; long cells are cut. */
  readonly rows!: string[][];
  readonly times!: TimeColumnView[];
  /** The file's original name. */
  readonly file!: string;
  /** Names of the tables: in an archive their paths there, of a workbook its sheets, hidden ones last. */
  readonly files!: string[];
  /** The first fifty sheets of workbooks with rows; first that which is taken if none is chosen: `sample`, `rows` and `times` are its own. */
  readonly sheets!: SheetView[];
  /** Bytes. */
  readonly size!: number;
  readonly dialects!: DialectView[];
  /** Detected type of each column, one array per CSV file: number, integer, boolean, time or text. */
  readonly types!: string[][];
}

export function uploadView({ upload, files }: ReceivedUpload): Omit<UploadResponse, keyof Envelope> {
  const taken = chosenFiles(files, []);
  const first = taken.find(hasRows);
  const sheets = files
    .filter((file) => file.workbook !== undefined && hasRows(file))
    .toSorted((one, other) => Number(taken.includes(other)) - Number(taken.includes(one)))
    .slice(0, SHOWN_SHEETS);
  return {
    filename: upload.storageKey,
    columns: files.map(({ columns }) => [...columns]),
    sample: [...(first?.samples[0] ?? [])],
    rows: shownRows(first),
    times: timesOf(taken),
    sheets: sheets.map((sheet) => ({ file: sheet.name, rows: shownRows(sheet), times: timesOf([sheet]) })),
    file: upload.originalName,
    files: files.map(({ name }) => name),
    size: upload.size,
    dialects: files.map(dialectView),
    types: files.map(({ types }) => [...types]),
  };
}

function shownRows(file: DescribedFile | undefined): string[][] {
  const rows = file?.samples.slice(0, SHOWN_ROWS) ?? [];
  return rows.map((row) => row.map((text) => text.slice(0, LONGEST_CELL).toWellFormed()));
}

function timesOf(files: readonly DescribedFile[]): TimeColumnView[] {
  return timeColumns(files).map((one) =>
    onWire(one, 'column', 'timeformat', 'ambiguous', 'example', 'share', 'misfit'),
  );
}

function dialectView({ dialect }: DescribedFile): DialectView {
  return {
    ...onWire(dialect, 'delimiter', 'quote', 'escape', 'encoding', 'preambleLines', 'headerRows', 'fewestFields'),
    ...onWire(dialect, 'trims', 'decimal'),
    has_header: dialect.headerRows > 0,
  };
}

export class DetectTimeFormatBody {
  /** One value of the timestamp column. */
  @Text(1, 100) readonly timestamp!: string;
}

/** The same layout in three languages; `unix` and `unix_ms` have the one name in all. */
export class TimeLayoutsView {
  readonly go!: string;
  readonly strftime!: string;
  readonly unicode!: string;
}

export class DetectTimeFormatResponse extends Envelope {
  /** In Unicode tokens, or `unix` or `unix_ms`. */
  readonly timeformat!: string;
  readonly layouts!: TimeLayoutsView;
  /** The other readings in Unicode tokens, when day and month can't be told apart. */
  readonly ambiguous!: string[];
}

/** @throws AppError `invalid_input` when no layout fits. */
export function detectedTimeFormat({
  timestamp,
}: DetectTimeFormatBody): Omit<DetectTimeFormatResponse, keyof Envelope> {
  // An import trims its cells too.
  const { best, ambiguous } = detectTimeFormats([timestamp.trim()]);
  if (best === null) throw new AppError('invalid_input', 'time format not recognised');
  return { timeformat: best, layouts: layoutsOf(parseLayout(best)), ambiguous: [...ambiguous] };
}
