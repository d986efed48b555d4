import type { ColumnProfile } from '../../ports/table.js';

export type ColumnRole = 'time' | 'figure' | 'category' | 'boolean';

/** What the analyst knows about a column before it reads a question. */
export interface ColumnFacts {
  readonly name: string;
  readonly role: ColumnRole;
  /** Words of the name in order, without the unit. */
  readonly words: readonly string[];
  readonly stems: readonly string[];
  /** Stems of the whole name, unit and all, in order. */
  readonly phrase: string;
  /** A name of several words written as one: `jobtitle`. */
  readonly joined: string | null;
  /** Stems of words that may be said with the name and change nothing: the unit, `usage`. */
  readonly extras: ReadonlySet<string>;
  readonly unit: string | null;
  /** A sum of it means something. */
  readonly additive: boolean;
  /** It tells rows apart: an order's number, a person's name. */
  readonly identifies: boolean;
  readonly profile: ColumnProfile;
}

export type Direction = 'asc' | 'desc';

/** A word of a column's name, and whether much of the adjective means much (`desc`) or little of it. */
export interface Hint {
  readonly word: string;
  readonly direction: Direction;
}
