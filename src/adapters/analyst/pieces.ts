import type { Aggregate, TimeBucket, TimePart } from '../../ports/analysis-plan.js';
import type { ColumnFacts, Direction, Hint } from './column-facts.js';

export type Operator = '<' | '<=' | '>' | '>=' | '=' | '!=' | 'between';

interface Said {
  /** As it was written. */
  readonly text: string;
}

/** What a piece of a question means. Passes turn words into meanings; a `word` at the end is one that nobody understood. */
export type Meaning =
  | {
      readonly kind: 'word';
      readonly key: string;
      readonly glued: boolean;
      /** The key is a guess at what was mistyped. */
      readonly guessed?: boolean;
    }
  | {
      readonly kind: 'number';
      readonly key: string;
      readonly glued: boolean;
      readonly value: number;
      readonly unit: string | null;
    }
  /** An ISO date, month or moment. */
  | { readonly kind: 'date'; readonly key: string }
  | { readonly kind: 'quoted' }
  | { readonly kind: 'filler' }
  | {
      readonly kind: 'column';
      readonly column: ColumnFacts;
      /** `max temp` names temp_max and says what is to be done with it. */
      readonly implied: Aggregate | null;
    }
  | { readonly kind: 'ambiguous'; readonly columns: readonly ColumnFacts[] }
  | {
      readonly kind: 'value';
      readonly column: string;
      readonly values: readonly (string | boolean)[];
      /** Set when all values that contain this are meant. */
      readonly part: string | null;
      /** The figure that the same word may name: rain is a kind of weather and an amount. */
      readonly figure: ColumnFacts | null;
    }
  | {
      readonly kind: 'time';
      readonly from: string | null;
      readonly to: string | null;
      readonly unit: TimeBucket;
      readonly note: string | null;
    }
  | { readonly kind: 'bucket'; readonly bucket: TimeBucket; readonly noun: boolean }
  | { readonly kind: 'part'; readonly part: TimePart }
  | { readonly kind: 'aggregate'; readonly aggregate: Aggregate }
  | {
      readonly kind: 'superlative';
      readonly direction: Direction;
      /** Words of the columns that an adjective speaks of, with the direction they turn it to; `null` for `highest`. */
      readonly hints: readonly Hint[] | null;
      readonly form: 'extreme' | 'most' | 'comparative';
    }
  | { readonly kind: 'newest'; readonly direction: Direction }
  | { readonly kind: 'frequent'; readonly direction: Direction }
  | { readonly kind: 'top'; readonly direction: Direction }
  | { readonly kind: 'operator'; readonly operator: Operator; readonly hints: readonly Hint[] | null }
  | { readonly kind: 'negation' }
  | { readonly kind: 'empty'; readonly negated: boolean }
  | { readonly kind: 'group' }
  | { readonly kind: 'count' }
  | { readonly kind: 'amount' }
  | { readonly kind: 'rows' }
  | { readonly kind: 'asker'; readonly asks: 'which' | 'when' | 'who' }
  | { readonly kind: 'list' }
  | { readonly kind: 'distinct' }
  | { readonly kind: 'compare' }
  | { readonly kind: 'trend'; readonly drawn: boolean }
  | { readonly kind: 'join'; readonly or: boolean };

export type Piece = Meaning & Said;
export type PieceKind = Piece['kind'];
export type PieceOf<K extends PieceKind> = Extract<Piece, { kind: K }>;

/** The word or number as it is looked up; `null` for what has a meaning already. */
export function keyOf(piece: Piece | undefined): string | null {
  if (piece?.kind === 'word' || piece?.kind === 'number') return piece.key;
  return null;
}

export interface Span {
  readonly keys: readonly string[];
  readonly text: string;
  readonly before: Piece | undefined;
  readonly after: Piece | undefined;
  readonly pieces: readonly Piece[];
}

/** Replaces runs of words that nobody understood yet by what `match` says they mean, longest runs first, from left to right. */
export function rewrite(
  pieces: readonly Piece[],
  longest: number,
  match: (span: Span) => Meaning | null,
): readonly Piece[] {
  const out: Piece[] = [];
  let at = 0;
  while (at < pieces.length) {
    const found = matchAt(pieces, at, longest, match);
    const kept = pieces[at];
    if (found !== null) out.push(found.piece);
    else if (kept !== undefined) out.push(kept);
    at += found?.length ?? 1;
  }
  return out;
}

function matchAt(
  pieces: readonly Piece[],
  at: number,
  longest: number,
  match: (span: Span) => Meaning | null,
): { readonly piece: Piece; readonly length: number } | null {
  const run: Piece[] = [];
  const keys: string[] = [];
  for (const piece of pieces.slice(at, at + longest)) {
    const key = keyOf(piece);
    if (key === null) break;
    run.push(piece);
    keys.push(key);
  }
  for (let length = run.length; length > 0; length -= 1) {
    const span = run.slice(0, length);
    const text = span.map((piece) => piece.text).join(' ');
    const meaning = match({
      keys: keys.slice(0, length),
      text,
      before: pieces[at - 1],
      after: pieces[at + length],
      pieces: span,
    });
    if (meaning !== null) return { piece: { ...meaning, text }, length };
  }
  return null;
}
