import MiniSearch from 'minisearch';
import { isPair } from '../../shared/words/words.js';

export interface WordEntry {
  readonly id: string;
  /** Stems. */
  readonly heading: readonly string[];
  readonly text: readonly string[];
}

export interface AskedWord {
  /** All that stand for it. */
  readonly stems: readonly string[];
  /** Of words that mean nearly the same. */
  readonly related: readonly string[];
  /** Stems that it would have if its letters stood in another order. */
  readonly respelled: () => readonly string[];
}

export interface WordHit {
  readonly id: string;
  readonly score: number;
  /** How much of what the question says is in the passage, from 0 to 1; rare words count more. */
  readonly coverage: number;
}

const HEADING_BOOST = 1.2;
/** A near spelling counts for so much of the right one. */
const NEAR = 0.8;
/** So does a longer word that begins with it. */
const LONGER = 0.5;
/** And one that means nearly the same. */
const RELATED = 0.6;
const MIN_FUZZY = 4;
const LONG = 8;
/** Looking for near spellings is dear, and a question with more strange words is not one of typing errors. */
const MAX_STRANGE = 8;
/** Of the words that no passage has: a long story before a question does not make its answer worse. */
const MAX_MISSING = 4;
const MISSING_PAIR = 0.25;
/** In a small collection hardly a word is rare. */
const MIN_PASSAGES = 50;

/** Ranks passages by words: BM25 over stems, and near spellings of words that no passage has. */
export class WordIndex {
  private readonly index = new MiniSearch<Record<keyof WordEntry, string>>({
    fields: ['heading', 'text'],
    tokenize: (text) => text.split(' '),
    processTerm: (term) => (term === '' ? null : term),
  });

  add({ id, heading, text }: WordEntry): void {
    this.index.add({ id, heading: heading.join(' '), text: text.join(' ') });
  }

  remove(id: string): void {
    this.index.discard(id);
  }

  /** Best first. */
  search(asked: readonly AskedWord[]): readonly WordHit[] {
    const terms = termsOf(asked);
    if (terms.size === 0) return [];
    const exact = this.ranked(terms, new Set());
    const counts = countsOf(exact);
    const strange = asked
      .filter(({ stems }, word) => !counts.has(word) && stems.some(mayBeMistyped))
      .slice(0, MAX_STRANGE);
    if (strange.length === 0) return this.covered(exact, asked, counts);
    for (const word of strange) {
      for (const stem of word.respelled())
        if (!terms.has(stem)) terms.set(stem, { word: asked.indexOf(word), weight: NEAR });
    }
    const near = this.ranked(terms, new Set(strange.flatMap(({ stems }) => stems)));
    return this.covered(near, asked, countsOf(near));
  }

  private ranked(terms: ReadonlyMap<string, Term>, strange: ReadonlySet<string>): readonly Ranked[] {
    const found = this.index.search([...terms.keys()].join(' '), {
      boost: { heading: HEADING_BOOST },
      boostTerm: (term) => terms.get(term)?.weight ?? 1,
      fuzzy: (term) => (strange.has(term) ? (term.length < LONG ? 1 : 2) : false),
      prefix: (term) => strange.has(term),
      weights: { fuzzy: NEAR, prefix: LONGER },
    });
    return found.map(({ id, score, queryTerms }) => {
      const words = new Set(queryTerms.map((term) => terms.get(term)?.word ?? 0));
      // The library multiplies by the number of terms; several of them can be one word here.
      return { id: String(id), score: score / queryTerms.length, words };
    });
  }

  private covered(
    hits: readonly Ranked[],
    asked: readonly AskedWord[],
    counts: ReadonlyMap<number, number>,
  ): readonly WordHit[] {
    const weights = asked.map((word, place) => this.rarity(word, counts.get(place) ?? 0));
    const found = weights.filter((_, place) => counts.has(place));
    const missing = weights.filter((_, place) => !counts.has(place)).slice(0, MAX_MISSING);
    const all = [...found, ...missing].reduce((sum, weight) => sum + weight, 0);
    const covered = hits.map(({ id, score, words }) => {
      const coverage = [...words].reduce((sum, word) => sum + (weights[word] ?? 0), 0) / all;
      return { id, score: score * (1 + coverage), coverage };
    });
    return covered.sort((a, b) => b.score - a.score);
  }

  private rarity({ stems }: AskedWord, count: number): number {
    const passages = Math.max(this.index.documentCount, MIN_PASSAGES);
    // A pair of characters that is nowhere mostly belongs to two words.
    const part = count === 0 && stems.some(isPair) ? MISSING_PAIR : 1;
    return part * Math.log(1 + (passages - count + 0.5) / (count + 0.5));
  }
}

/** Which word of the question a term stands for, and how well. */
interface Term {
  readonly word: number;
  readonly weight: number;
}

function termsOf(asked: readonly AskedWord[]): Map<string, Term> {
  const terms = new Map<string, Term>();
  for (const [word, { stems }] of asked.entries()) for (const stem of stems) terms.set(stem, { word, weight: 1 });
  for (const [word, { related }] of asked.entries()) {
    for (const stem of related) if (!terms.has(stem)) terms.set(stem, { word, weight: RELATED });
  }
  return terms;
}

interface Ranked {
  readonly id: string;
  readonly score: number;
  readonly words: ReadonlySet<number>;
}

function countsOf(hits: readonly Ranked[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const { words } of hits) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** A code or a number that is almost the same is another one. */
function mayBeMistyped(stem: string): boolean {
  return stem.length >= MIN_FUZZY && /^\p{L}+$/u.test(stem);
}
