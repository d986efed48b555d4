import type { TableColumn } from '../plan/plan-columns.js';

/** What an export process is told; its working directory is its own folder. */
export interface ExportOrder {
  readonly base: string;
  /** All later inserts, as Parquet; null when there are none. */
  readonly later: string | null;
  /** All columns of the table, as they are with the later inserts. */
  readonly table: readonly TableColumn[];
  /** Those wanted, in the order wanted. */
  readonly columns: readonly TableColumn[];
  /** A value of the metadata field; null: all rows. */
  readonly asset: string | null;
  /** Inclusive, ISO 8601. */
  readonly from: string | null;
  /** Exclusive, ISO 8601. */
  readonly to: string | null;
  /** Layout of the time field; null: ISO 8601. */
  readonly timeFormat: string | null;
}
