import type { Readable } from 'node:stream';
import type { AggregatePlan, RowsPlan } from './analysis-plan.js';
import type { RejectedLine } from './row-engine.js';
import type { PlotQuery } from './row-reader.js';
import type { QueryLimits, QueryResult, TableRef } from './table.js';

/** How rows are written: as CSV (RFC 4180, UTF-8, with a header line), as an Excel workbook or as Parquet. */
export const FILE_FORMATS = ['csv', 'xlsx', 'parquet'] as const;
export type FileFormat = (typeof FILE_FORMATS)[number];

/** A column's name, and the layout of its times. */
export type TimeFormatOf = readonly [column: string, layout: string];

/** Which rows are wanted as a file, and how. */
export interface ExportQuery extends Pick<PlotQuery, 'asset' | 'from' | 'to'> {
  /** Names of columns, in the order wanted. */
  readonly columns: readonly string[];
  /** Columns of times with the layouts, in any of the accepted languages, in which CSV has them; the others: ISO 8601. */
  readonly timeFormats: readonly TimeFormatOf[];
}

/** Which part of a result is wanted. The signal ends the work. */
export interface PageLimits extends QueryLimits {
  /** Rows before the page. */
  readonly skip: number;
  readonly signal: AbortSignal;
}

/** A part of a result. It has fewer rows than were asked for when there are no more, or when they are too large for one page. */
export interface ResultPage extends Pick<QueryResult, 'columns' | 'rows' | 'rowsScanned' | 'joins'> {
  /** Rows of the whole result. */
  readonly total: number;
}

/** A table's rows, the lines that never became any, and whole results of queries: for downloading, and for reading page by page. */
export abstract class RowDownloads {
  /**
   * The rows as a file, asset by asset, each in the order of time. In CSV a text that a spreadsheet would take for a formula has an apostrophe before
   * it; a workbook and Parquet keep types and texts as they are. Memory is bounded whatever the number of rows; who destroys the stream ends the work.
   *
   * @throws AppError `invalid_input` when a column is unknown, `rate_limited` when too many exports run; `unavailable` on the stream when it breaks off.
   */
  abstract exportRows(table: TableRef, query: ExportQuery, format: FileFormat): Promise<Readable>;
  /**
   * What the import of the generation left out, file by file in the order of lines: all, up to a million.
   *
   * @throws AppError `unavailable` when the list is damaged.
   */
  abstract rejectedLines(table: TableRef): Promise<AsyncIterable<RejectedLine>>;
  /**
   * A page of what a statement gives that a model or a person wrote, in the same sandbox as `RowReader.query`; or of a plan: of the rows
   * that it lists not all are looked at for it.
   *
   * @throws AppError as `RowReader.query`.
   */
  abstract resultPage(
    table: TableRef,
    asked: string | RowsPlan | AggregatePlan,
    limits: PageLimits,
  ): Promise<ResultPage>;
  /**
   * All that such a statement or plan gives, as a file like that of `exportRows`, times as texts in ISO 8601. The statement has run to its end when this resolves,
   * so that the file is whole; who reads slowly keeps no query waiting.
   *
   * @throws AppError as `RowReader.query`, `rate_limited` when too many exports run.
   */
  abstract resultFile(
    table: TableRef,
    asked: string | RowsPlan | AggregatePlan,
    format: FileFormat,
    signal: AbortSignal,
  ): Promise<Readable>;
}
