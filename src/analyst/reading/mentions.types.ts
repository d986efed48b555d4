import type { ColumnFacts } from './table.js';
import type { ValueMatch } from './table-values.js';
import type { TimeMention } from './times.js';
import type { Token } from './words.js';

/** A place in the message: tokens `from` to `to`, without the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A column that words may mean. `share`: how much of its name they say; `words`: how many of them. */
export interface ColumnGuess {
  readonly column: ColumnFacts;
  readonly share: number;
  readonly words: number;
  /** Words of the name that stand elsewhere in the message. */
  readonly far: number;
  readonly rating: number;
}

export interface ColumnMention extends Span {
  readonly kind: 'column';
  readonly guesses: readonly ColumnGuess[];
  readonly best: number;
  /** It is only a word of degree such as `oldest`. */
  readonly isDegree: boolean;
  /** A value has the same words. */
  readonly inValue: boolean;
  /** It is also what the rows are called. */
  readonly isNoun: boolean;
  readonly isWeak: boolean;
  /** No word of it is like a word of a column: what it may be is only learned. */
  readonly isGuess: boolean;
}

export interface ValueGuess extends ValueMatch {
  readonly how: 'exact' | 'stem' | 'core' | 'group' | 'grouppart' | 'part' | 'near';
}

export interface ValueMention extends Span {
  readonly kind: 'value';
  readonly guesses: readonly ValueGuess[];
  /** Text that is no known value: quoted, or a name by its capital letter. */
  readonly text: string | null;
}

export interface NumberMention extends Span {
  readonly kind: 'number';
  readonly value: number;
  /** Without a `million` after it: the column may count in millions. */
  readonly plain: number;
  readonly isYear: boolean;
  readonly isWord: boolean;
  readonly isPercent: boolean;
  /** Something longer has it: a date, a value, a name of a column. */
  readonly isTaken: boolean;
}

export type PeriodMention = TimeMention & { readonly kind: 'time' };
export type Mention = ColumnMention | ValueMention | NumberMention | PeriodMention;

/** A message with all that it may mention of a table. */
export interface Linked {
  readonly message: string;
  /** When it was written, in milliseconds since 1970. */
  readonly now: number;
  readonly tokens: readonly Token[];
  readonly columns: readonly ColumnMention[];
  readonly values: readonly ValueMention[];
  readonly numbers: readonly NumberMention[];
  readonly times: readonly PeriodMention[];
  /** The message with its mentions as signs, and the sign that each token became. */
  readonly signs: readonly string[];
  readonly signOf: readonly number[];
}
