import type { ColumnFacts } from '../column-facts.js';

/** What comes of a sentence that makes a column. */
export type Defined =
  | { readonly kind: 'made'; readonly columns: readonly ColumnFacts[] }
  /** It makes a column, but how was not read. */
  | { readonly kind: 'unread'; readonly what: string };
