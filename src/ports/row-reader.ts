import type { ColumnPair, QueryLimits, QueryResult, TableProfile, TableRef } from './table.js';
import type { AnalysisPlan } from './analysis-plan.js';

export interface PlotQuery {
  /** A value of the metadata field; `null`: all rows. */
  readonly asset: string | null;
  /** Inclusive. */
  readonly from: Date | null;
  /** Exclusive. */
  readonly to: Date | null;
  /** A numeric column. */
  readonly column: string;
  /** Most points wanted, 10 to 10,000. */
  readonly points: number;
}

export interface PlotPoint {
  readonly timestamp: string;
  readonly value: number;
}

export interface PlotBucket extends PlotPoint {
  readonly min: number;
  readonly max: number;
  readonly count: number;
}

export interface PlotSeries {
  /** Rows in range that have a value. */
  readonly total: number;
  /** How long a bucket is in milliseconds, whole unless it is less than one; 0: the points are rows. A part of the range without rows has no bucket. */
  readonly bucketMs: number;
  /** In time order: every row when `total` fits in `points`, else one bucket (`value` its mean) per equal part of the range. */
  readonly points: readonly PlotPoint[] | readonly PlotBucket[];
}

export interface MetadataQuery {
  /** A literal part of the value, upper and lower case alike in every script; empty: all values. */
  readonly search: string;
  readonly skip: number;
  readonly limit: number;
}

export interface MetadataValues {
  /** Sorted by code points. */
  readonly values: readonly string[];
  /** How many values match in all. */
  readonly total: number;
}

/** How the rows of one table are paired with those of another by key columns. Keys with an empty part pair with nothing. */
export interface JoinSide {
  readonly rows: number;
  /** Different keys. */
  readonly distinct: number;
  /** Rows of the key that most rows have. */
  readonly most: number;
  /** Rows that have a partner. */
  readonly paired: number;
}

export interface JoinMeasure {
  readonly left: JoinSide;
  readonly right: JoinSide;
  /** Keys that both have. */
  readonly shared: number;
  /** A few of them, as texts, and a few of the left table that the right one lacks. */
  readonly examples: readonly string[];
  readonly missing: readonly string[];
}

/** Answers questions about a table's rows, of which it sees base and later inserts as one. */
export abstract class RowReader {
  /** @throws AppError `invalid_input` when the column is unknown or not numeric. */
  abstract plot(table: TableRef, query: PlotQuery): Promise<PlotSeries>;
  abstract profile(table: TableRef): Promise<TableProfile>;
  /** The distinct values of the metadata field among the rows that can be seen. */
  abstract distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues>;
  /**
   * Runs a plan, which cannot do but read.
   *
   * @throws AppError `invalid_input` when the plan names an unknown column or does not fit its type, `timed_out`, `unavailable`.
   */
  abstract analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult>;
  /**
   * Runs one statement that a model or a person wrote, in SQL, over the table `data` and those that it may be joined with, in a sandbox
   * that sees nothing else.
   *
   * @throws AppError `invalid_input` when it is wrong or not allowed (the message may go back to its writer), `timed_out`, `unavailable`.
   */
  abstract query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult>;
  /**
   * Measures on all rows how two tables belong together by pairs of columns.
   *
   * @throws AppError `invalid_input` when a column is unknown or two can't be equal, `timed_out`, `unavailable`.
   */
  abstract measureJoin(pair: TablePair, limits: QueryLimits): Promise<JoinMeasure>;
}

export interface TablePair {
  readonly left: TableRef;
  readonly right: TableRef;
  readonly on: readonly ColumnPair[];
}
