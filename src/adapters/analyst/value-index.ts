import { LRUCache } from 'lru-cache';
import type { ColumnProfile } from '../../ports/table.js';
import { stem, wordsOf } from './text.js';

export interface KnownValue {
  readonly column: string;
  readonly value: string;
}

/** Columns and their values in which a text was found. */
export type Matches = ReadonlyMap<string, readonly string[]>;

const MAX_VALUE_WORDS = 8;
/** Of a table with many text columns only the most frequent values are known, so that preparing it holds nobody up. */
const MAX_VALUES = 6000;
const MIN_SHARE = 20;

/** Finds the values of a table's text columns by what people write: any case, without punctuation, singular or plural. */
export class ValueIndex {
  private readonly whole = new Map<string, KnownValue[]>();
  private readonly initials = new Map<string, KnownValue[]>();
  private readonly containing = new Map<string, Containing[]>();
  private readonly tokens = new Set<string>();
  /** People, and pasted texts, repeat themselves. */
  private readonly found = new LRUCache<string, Matches>({ max: 500 });

  constructor(columns: readonly ColumnProfile[]) {
    const texts = columns.filter(({ type }) => type === 'text');
    const share = Math.max(Math.floor(MAX_VALUES / Math.max(texts.length, 1)), MIN_SHARE);
    for (const { name, topValues } of texts) {
      for (const { value } of topValues.slice(0, share)) this.add({ column: name, value });
    }
  }

  /** Words of values, as they are written there. */
  get words(): ReadonlySet<string> {
    return this.tokens;
  }

  /** Values that these words name in full. */
  named(words: readonly string[]): Matches {
    return byColumn(this.whole.get(phraseOf(words)) ?? []);
  }

  /** Values of several words that these capitals abbreviate: `US`. */
  abbreviated(capitals: string): Matches {
    return byColumn(this.initials.get(capitals.toLowerCase()) ?? []);
  }

  /** Values in which these words stand beside each other. */
  containingWords(words: readonly string[]): Matches {
    const stems = words.map(stem);
    const rarest = stems.map((word) => this.containing.get(word) ?? []).sort((a, b) => a.length - b.length)[0] ?? [];
    if (rarest.length === 0) return NOTHING;
    const phrase = stems.join(' ');
    const known = this.found.get(phrase) ?? byColumn(standingIn(rarest, ` ${phrase} `));
    this.found.set(phrase, known);
    return known;
  }

  private add(known: KnownValue): void {
    const words = wordsOf(known.value);
    if (words.length === 0) return;
    const phrase = phraseOf(words);
    append(this.whole, phrase, known);
    const entry = { known, phrase: ` ${phrase} ` };
    for (const word of new Set(words.slice(0, MAX_VALUE_WORDS))) {
      this.tokens.add(word);
      append(this.containing, stem(word), entry);
    }
    if (words.length > 1) append(this.initials, words.map((word) => word.charAt(0)).join(''), known);
  }
}

interface Containing {
  readonly known: KnownValue;
  readonly phrase: string;
}

const NOTHING: Matches = new Map();

/** The values that hold the phrase; of two columns one each, because nobody chooses between columns anyway. */
function standingIn(candidates: readonly Containing[], phrase: string): readonly KnownValue[] {
  const found: KnownValue[] = [];
  for (const candidate of candidates) {
    if (!candidate.phrase.includes(phrase)) continue;
    const [first] = found;
    if (first !== undefined && first.column !== candidate.known.column) return [first, candidate.known];
    found.push(candidate.known);
  }
  return found;
}

function phraseOf(words: readonly string[]): string {
  return words.map(stem).join(' ');
}

function append<T>(map: Map<string, T[]>, key: string, entry: T): void {
  const entries = map.get(key);
  if (entries === undefined) map.set(key, [entry]);
  else entries.push(entry);
}

function byColumn(known: readonly KnownValue[]): Matches {
  const found = new Map<string, string[]>();
  for (const { column, value } of known) append(found, column, value);
  return found;
}
