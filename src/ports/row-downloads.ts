import type { Readable } from 'node:stream';
import type { RejectedLine } from './row-engine.js';
import type { TableRef } from './table.js';

/** Which rows are wanted as CSV, and how. */
export interface ExportQuery {
  /** A value of the metadata field; `null`: all rows. */
  readonly asset: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  /** Names of columns, in the order wanted. */
  readonly columns: readonly string[];
  /** How the time field is written, in any of the accepted layout languages; `null`: ISO 8601. */
  readonly timeFormat: string | null;
}

/** A table's rows, and the lines that never became any, for downloading. */
export abstract class RowDownloads {
  /**
   * The rows as CSV (RFC 4180, UTF-8, with a header line), asset by asset, each in the order of time. A text that a spreadsheet would take for a formula has an apostrophe before
   * it. Memory is bounded whatever the number of rows; who destroys the stream ends the work.
   *
   * @throws AppError `invalid_input` when a column is unknown, `rate_limited` when too many exports run; `unavailable` on the stream when it breaks off.
   */
  abstract exportCsv(table: TableRef, query: ExportQuery): Promise<Readable>;
  /**
   * What the import of the generation left out, file by file in the order of lines: all, up to a million.
   *
   * @throws AppError `unavailable` when the list is damaged.
   */
  abstract rejectedLines(table: TableRef): Promise<AsyncIterable<RejectedLine>>;
}
