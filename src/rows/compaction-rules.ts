/** Rows of a table by where they are. */
export interface RowCounts {
  readonly base: number;
  readonly later: number;
  /** Those of both that have outlived the lifespan. */
  readonly expired: number;
}

/** A table with fewer later rows than this part of its base is read nearly as fast as without them. */
const SHARE_LATER = 0.05;
/** From here on the later rows alone slow every plot. */
const MOST_LATER = 1_000_000;
/** Fewer expired rows cost less to skip than to write all others anew. */
const SHARE_EXPIRED = 0.1;
const MOST_EXPIRED = 1_000_000;

/** Whether the later rows have become so many that merging them pays. `afterRows` are few enough for any base. */
export function wantsCompaction({ base, later }: Pick<RowCounts, 'base' | 'later'>, afterRows: number): boolean {
  return later >= Math.min(Math.max(afterRows, base * SHARE_LATER), Math.max(afterRows, MOST_LATER));
}

/** Whether a compaction gains enough: from merging, or from leaving out what has expired. */
export function isWorthIt({ base, later, expired }: RowCounts, afterRows: number): boolean {
  if (wantsCompaction({ base, later }, afterRows)) return true;
  if (expired === 0) return false;
  return expired >= MOST_EXPIRED || expired > (base + later) * SHARE_EXPIRED;
}
