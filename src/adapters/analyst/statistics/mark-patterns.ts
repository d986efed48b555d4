import type { Piece } from '../pieces.js';
import { keyOf } from '../pieces.js';
import { stem } from '../text.js';

interface Slot {
  /** Stems that fit; `null`: a number. */
  readonly words: ReadonlySet<string> | null;
  readonly optional: boolean;
}

interface Pattern<T> {
  readonly slots: readonly Slot[];
  readonly meaning: (numbers: readonly number[]) => T;
}

interface Match<T> {
  readonly meaning: T;
  readonly length: number;
}

/** Phrases and what they mean, found by their first word. */
export class PatternBook<T> {
  private readonly byFirst = new Map<string, Pattern<T>[]>();
  private readonly fromNumber: Pattern<T>[] = [];

  /**
   * Patterns are separated by `|`; a slot is a word, words separated by `/`, or `#` for a number, and `?` behind it makes it optional
   * wherever it stands. Words fit in singular and plural.
   */
  add(patterns: string, meaning: T | ((numbers: readonly number[]) => T)): this {
    for (const written of patterns.split('|')) {
      const slots = written.trim().split(' ').map(slotOf);
      const pattern = {
        slots,
        meaning: typeof meaning === 'function' ? (meaning as Pattern<T>['meaning']) : () => meaning,
      };
      this.index(pattern);
    }
    return this;
  }

  /** Stems of all words of all patterns. */
  get words(): ReadonlySet<string> {
    const all = [...this.byFirst.values(), this.fromNumber].flat();
    return new Set(all.flatMap(({ slots }) => slots.flatMap(({ words }) => [...(words ?? [])])));
  }

  /** The longest pattern that fits here. */
  match(pieces: readonly Piece[], at: number): Match<T> | null {
    let best: Match<T> | null = null;
    for (const { slots, meaning } of this.candidates(pieces[at])) {
      const fit = fitOf(slots, pieces, at);
      if (fit !== null && (best === null || fit.length > best.length))
        best = { meaning: meaning(fit.numbers), length: fit.length };
    }
    return best;
  }

  private candidates(piece: Piece | undefined): readonly Pattern<T>[] {
    const named = this.byFirst.get(stem(keyOf(piece) ?? '')) ?? [];
    return piece?.kind === 'number' ? [...this.fromNumber, ...named] : named;
  }

  private indexUnder(word: string, pattern: Pattern<T>): void {
    const known = this.byFirst.get(word);
    if (known === undefined) this.byFirst.set(word, [pattern]);
    else if (known.at(-1) !== pattern) known.push(pattern);
  }

  private index(pattern: Pattern<T>): void {
    for (const { words, optional } of pattern.slots) {
      if (words === null) this.fromNumber.push(pattern);
      else for (const word of words) this.indexUnder(word, pattern);
      if (!optional) return;
    }
  }
}

function slotOf(written: string): Slot {
  const optional = written.endsWith('?');
  const bare = optional ? written.slice(0, -1) : written;
  return { words: bare === '#' ? null : new Set(bare.split('/').map(stem)), optional };
}

interface Fit {
  readonly length: number;
  readonly numbers: readonly number[];
}

function fitOf(slots: readonly Slot[], pieces: readonly Piece[], start: number): Fit | null {
  const numbers: number[] = [];
  let at = start;
  for (const slot of slots) {
    const piece = pieces[at];
    if (fits(slot, piece)) {
      if (piece?.kind === 'number') numbers.push(piece.value);
      at += 1;
    } else if (!slot.optional) return null;
  }
  return { length: at - start, numbers };
}

function fits({ words }: Slot, piece: Piece | undefined): boolean {
  if (words === null) return piece?.kind === 'number';
  const key = keyOf(piece);
  return key !== null && words.has(stem(key));
}
