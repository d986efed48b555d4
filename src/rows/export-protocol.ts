import type { TableColumn } from '../plan/plan-columns.js';
import type { WireError } from './process-error.js';

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

/** The last thing that the process says: without it, what it wrote is not all. */
export type ExportMessage = { readonly kind: 'done' } | { readonly kind: 'failed'; readonly error: WireError };

/** Name of the later inserts in the process' own folder, where nobody removes them before it has read them. */
export const LATER_FILE = 'later.parquet';
