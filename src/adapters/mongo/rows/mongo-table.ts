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
  /** The first stages of every pipeline: rows that have not outlived the lifespan, of batches that are complete. */
  readonly visible: readonly Stage[];
  /** Rows of the import and of complete batches, those that have outlived the lifespan included. */
  readonly rows: number;
}
