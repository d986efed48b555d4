/** Rows of a table by where they are. */
export interface RowCounts {
  readonly base: number;
  /** All that are not in the base. */
  readonly later: number;
  /** Those of both that have outlived the lifespan. */
  readonly expired: number;
  /** Batches that are in no file, their rows, and the letters that they are kept in. */
  readonly batches: number;
  readonly unfiled: number;
  readonly letters: number;
}

/** What is made: a new base of everything, or a part of the later rows. */
export type Compaction = 'base' | 'part';

/** A table with fewer later rows than this part of its base is read nearly as fast as without them. */
const SHARE_LATER = 0.05;
/** From here on the later rows alone slow every plot. */
const MOST_LATER = 1_000_000;
/** Fewer expired rows cost less to skip than to write all others anew. */
const SHARE_EXPIRED = 0.1;
const MOST_EXPIRED = 1_000_000;
/** What an instance reads before its first answer stays below so many batches, rows and letters. */
const MOST_BATCHES = 200;
const MOST_UNFILED = 50_000;
const MOST_LETTERS = 8_000_000;
/** Such a base is made anew as quickly as a part. */
const SMALL_BASE = 200_000;

/** Which compaction gains enough; null: none. `afterRows` are few enough for any base. */
export function compactionFor(counts: RowCounts, afterRows: number): Compaction | null {
  const { base, later, expired, batches, unfiled, letters } = counts;
  if (later >= Math.min(Math.max(afterRows, base * SHARE_LATER), Math.max(afterRows, MOST_LATER))) return 'base';
  if (expired > 0 && (expired >= MOST_EXPIRED || expired > (base + later) * SHARE_EXPIRED)) return 'base';
  if (batches < MOST_BATCHES && unfiled < MOST_UNFILED && letters < MOST_LETTERS) return null;
  return base <= SMALL_BASE ? 'base' : 'part';
}
