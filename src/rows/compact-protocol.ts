import type { SealedTable } from './engine-protocol.js';
import type { WireError } from './process-error.js';

/** The later inserts in the draft's folder. */
export const LATER_ROWS = 'later.parquet';
export const LATER_BATCHES = 'batches.parquet';

/** What a compaction process is told; its working directory is the draft's folder. */
export interface CompactOrder {
  readonly sealed: SealedTable;
  /** ISO 8601; older rows are left out. */
  readonly visibleFrom: string | null;
  readonly memoryMb: number;
}

export type CompactMessage =
  { readonly kind: 'done'; readonly rows: number } | { readonly kind: 'failed'; readonly error: WireError };
