import type { CompanyId, DatasourceId } from '../shared/ids.js';
import type { CsvDialect } from './csv-inspector.js';
import type { Cell, ColumnType, TableProfile, TableRef } from './table.js';

/** One CSV file of an import. */
export interface LoadFile {
  readonly path: string;
  /** The name its uploader gave it, for reports. */
  readonly name: string;
  readonly dialect: CsvDialect;
  /** The file's own columns in its own order. */
  readonly columns: readonly string[];
}

export interface LoadColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Layout of a column of times that is not the time field; not there: ISO 8601. */
  readonly timeFormat?: string | undefined;
  /** A text that is no value of the type is a missing one; else its row is rejected, or the type becomes a wider one. */
  readonly othersAreMissing?: boolean | undefined;
}

/** What is to be imported and how it is read. */
export interface LoadSource {
  readonly files: readonly LoadFile[];
  /** Every column of the table: all of the files' columns, and for a table that is no time series the generated time column. */
  readonly columns: readonly LoadColumn[];
  /** The column that rows are ordered by and plotted against. */
  readonly timeField: string;
  /** Layout of the time field's texts, in any of the accepted languages; `null`: the column is generated, all rows get `importedAt`. */
  readonly timeFormat: string | null;
  readonly importedAt: Date;
  readonly metaField: string;
  readonly values: readonly string[];
  /** Rows that stay beside those of the files; without it the files are all there is. */
  readonly kept?: KeptRows | undefined;
}

/** What is kept of an earlier generation: its rows, but for those whose keys a row of the files has too. */
export interface KeptRows {
  /** It takes no rows any more from here on; `reopen` ends that when nothing comes of the load. */
  readonly table: TableRef;
  /** Names of columns. None: all rows are kept. */
  readonly keys: readonly string[];
}

export interface RejectedLine {
  readonly file: string;
  /** Line of the file where the record begins, the header being line 1; null when it can't be told. */
  readonly line: number | null;
  readonly reason: string;
  /** The line as it stands, at most 500 characters. */
  readonly text: string;
}

export interface LoadReport {
  /** Of the generation: those of the files and those that were kept. */
  readonly rows: number;
  /** Rows of the files that took nobody's place. */
  readonly added: number;
  /** Earlier rows that gave way to rows of the files. */
  readonly replaced: number;
  readonly rejected: number;
  /** The first 100. */
  readonly rejectedSample: readonly RejectedLine[];
  readonly files: readonly {
    readonly name: string;
    readonly size: number;
    readonly rows: number;
    readonly rejected: number;
  }[];
  /** Distinct values of the metadata field, sorted, the first 1,000. */
  readonly assets: readonly string[];
  readonly profile: TableProfile;
}

export interface LoadWatch {
  /** At least every second while it runs; `percent` is 0 to 100, null when it can't be told. */
  readonly onProgress: (progress: { readonly percent: number | null; readonly rows: number }) => void;
  readonly signal: AbortSignal;
}

/** A row as typed values by column name; a missing name is null. The time field is a Date. */
export type TypedRow = Readonly<Record<string, Cell | Date>>;

/** A name for rows that are sent together, so that sending them again does not store them twice. */
export interface Batch {
  readonly key: string;
  /** Kept with the rows for whoever sends them again; at most 64 KiB. */
  readonly note: string;
  /** When they are sent; 24 hours later the key is forgotten. */
  readonly at: Date;
}

export interface Appended {
  /** The note of the rows that were stored under the same key in the last 24 hours; then nothing was stored now. */
  readonly earlierNote: string | null;
  /** The later rows have become so many that `compact` is worth its cost. */
  readonly wantsCompaction: boolean;
}

/** Stores the rows of datasources: an immutable generation from an import, and rows inserted later beside it. */
export abstract class RowEngine {
  /**
   * Builds the generation that `table` names from CSV files, all or nothing: it is complete and durable when the promise
   * resolves, and not there otherwise. Every record of the files is either a row or counted as rejected, and the rejected ones can be downloaded
   * (`RowDownloads`). Loading a generation again replaces it.
   *
   * With `kept`, columns have the types of the earlier generation; whole numbers alone may become numbers. A record without a value in a key, and one
   * whose keys a later record has too, are rejected. Keys of batches stay known.
   *
   * @throws AppError `invalid_input` when not one row fits or the files can't be read, `no_space` when the disk is (too) full,
   *   `unavailable` when the import process died; the signal's reason when aborted.
   */
  abstract load(table: TableRef, source: LoadSource, watch: LoadWatch): Promise<LoadReport>;
  /**
   * Adds rows to the generation, durable before it resolves, all or none. A number that a column of whole numbers can't hold
   * makes it a column of numbers from then on. Half a character in a text is replaced. Rows of a batch whose key was used in the last 24 hours
   * are not stored again.
   *
   * @throws AppError `invalid_input` when a value does not fit its column's type or the time or metadata field is empty,
   *   `conflict` when a load keeps the rows that are there, `not_found` when the generation is gone, `unavailable` or `timed_out`, after which the rows may be there or not.
   */
  abstract append(table: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended>;
  /** Lets rows come in again after a load that was to keep those of the generation. */
  abstract reopen(table: TableRef): Promise<void>;
  /**
   * Makes one of the generation and what was inserted later, without the rows that have outlived the lifespan. Readers and writers go on
   * meanwhile; what they see does not change. All or nothing. False: there was too little to gain, and nothing was done.
   *
   * @throws AppError `not_found` when the generation is gone, `no_space`, `unavailable`; the signal's reason when aborted.
   */
  abstract compact(table: TableRef, signal: AbortSignal): Promise<boolean>;
  /** Rows that can be seen now. */
  abstract count(table: TableRef): Promise<number>;
  /** Removes the datasource's generations below `keepFrom` (all, without it) and what broken imports left of them. */
  abstract remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void>;
  /** @throws AppError `unavailable` when the engine does not answer within two seconds. */
  abstract check(): Promise<void>;
}
