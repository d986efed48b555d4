import type { TableColumn } from '../plan/plan-columns.js';
import type { WireError } from './process-error.js';

/** The later rows in the draft's folder. */
export const LATER_ROWS = 'later.parquet';

/** What a compaction process is told; its working directory is the draft's folder. */
export interface CompactOrder {
  /** Says what the table is; its rows are taken as well, unless `isPart`. */
  readonly base: string;
  /** Only the later rows are made a file. */
  readonly isPart: boolean;
  /** How many later rows lie in the draft's folder. */
  readonly laterRows: number;
  /** Files of later rows that an earlier version has left. */
  readonly older: readonly string[];
  /** As they are with the later rows; null: as the files say. */
  readonly columns: readonly TableColumn[] | null;
  /** ISO 8601; older rows are left out. */
  readonly visibleFrom: string | null;
  readonly memoryMb: number;
}

export type CompactMessage =
  { readonly kind: 'done'; readonly rows: number } | { readonly kind: 'failed'; readonly error: WireError };
