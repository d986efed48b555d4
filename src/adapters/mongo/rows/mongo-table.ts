import type { mongo } from 'mongoose';
import type { ColumnType } from '../../../ports/table.js';

/** One stored row: `t` the time field, `m` the metadata value, `c<position>` every other column, `b` the batch it came with. */
export type MongoRow = Readonly<Record<string, unknown>>;

/** A stage of an aggregation pipeline. */
export type Stage = Readonly<Record<string, unknown>>;

/**
 * A column, and the field its values are stored under: `t` for the time field, `m` for the metadata field, `c0`, `c1` … by position
 * for the others; a time field that is the metadata field too is `t` alone. Numbers are doubles, integers 32-bit or 64-bit whole numbers,
 * times dates, texts strings; a row without a value has no such field. A column of integers that has become one of numbers has both. The
 * header's own name is data and never part of a stage.
 */
export interface MongoColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly field: string;
  /** About where the numbers of a column lie; not there where it is not known. */
  readonly scale?: ColumnScale;
}

/** So far from `middle`, at most about `spread`, were the numbers that were imported. Figures are right with any scale, but have more digits with a fitting one. */
export interface ColumnScale {
  readonly middle: number;
  readonly spread: number;
}

/**
 * A generation as it can be read now. Who reads it passes what the driver throws through `rowsError` (or works in `inDatabase`): the collection
 * may be replaced and dropped meanwhile. It is a time series, or, where the times lie outside 1970 to 2038, a plain collection of the same fields.
 */
export interface MongoTable {
  readonly collection: mongo.Collection<MongoRow>;
  readonly columns: readonly MongoColumn[];
  readonly time: MongoColumn;
  readonly meta: MongoColumn;
  /** Names of the measures. */
  readonly values: readonly string[];
  /** Of the first row and of the last one; null: it is not known. */
  readonly times: TableTimes | null;
  /** The first stages of every pipeline: rows that have not outlived the lifespan, of batches that are complete. */
  readonly visible: readonly Stage[];
  /** The same in less time, if nobody inserts while it is read; null: somebody does. */
  readonly quiet: QuietTable | null;
  /** Rows of the import and of complete batches, those that have outlived the lifespan included. */
  readonly rows: number;
}

export interface TableTimes {
  readonly first: Date;
  readonly last: Date;
}

/**
 * A table without rows that are to be passed over. Its rows need not be looked at one by one for their batches: the server works on them by the
 * bucket then, in a half or a third of the time.
 */
export interface QuietTable {
  readonly visible: readonly Stage[];
  /** Whether no rows have come, and none are on their way, since the table was opened. If not, what was read without asking is worth nothing. */
  isStill(): Promise<boolean>;
}
