import {
  PassageIndex,
  type PassageShelf,
  type IndexedPassage,
  type PassageHit,
  type PassageQuery,
} from '../../ports/passage-index.js';
import { readFileSync } from 'node:fs';
import { setImmediate as others } from 'node:timers/promises';
import { isFunctionWord, type Language, languageOf } from '../../shared/words/languages.js';
import { hashOf, isPair, stemOf, stemsOf, wordsOf } from '../../shared/words/words.js';
import { type AskedWord, type WordEntry, WordIndex } from './word-index.js';

/** Shelves in this process's memory: minisearch for the words, vectors compared one by one. */
export class MiniSearchPassageIndex extends PassageIndex {
  override newShelf(): PassageShelf {
    return new HybridShelf();
  }
}

/** A vector this far from length 1 is none. */
const TOLERANCE = 0.01;

function isVector(vector: Float32Array): boolean {
  return Math.abs(product(vector, vector) - 1) < TOLERANCE;
}

/** Of two vectors of length 1 the cosine of their angle. */
function product(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index += 1) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

/** What is read of one passage; those of our own cutter are far shorter. */
const MAX_TEXT = 20_000;
/** Milliseconds after which others get their turn. */
const TURN_MS = 10;
/** So many of the best by words are compared with those by vectors. */
const CANDIDATES = 200;
/** A passage must have so much of what is asked, unless a vector says that it fits. */
const MIN_COVERAGE = 0.2;
/** What scores less than this part of the best is not worth a place beside it. */
const MIN_OF_BEST = 0.3;
/** Of passages that say nearly the same. */
const MAX_ALIKE = 2;

interface Place {
  readonly group: string;
  readonly language: Language;
  readonly vector: Float32Array | null;
  readonly likeness: string;
}

/** Passages by words and by vectors, both in memory. */
class HybridShelf implements PassageShelf {
  private readonly words = new WordIndex();
  private readonly places = new Map<string, Place>();
  /** One set for each `add` that goes on: the groups that were removed meanwhile. */
  private readonly removedMeanwhile = new Set<Set<string>>();

  get size(): number {
    return this.places.size;
  }

  async add(passages: readonly IndexedPassage[]): Promise<void> {
    const removed = new Set<string>();
    this.removedMeanwhile.add(removed);
    try {
      let begin = performance.now();
      for (const passage of passages) {
        if (performance.now() - begin >= TURN_MS) {
          await others();
          begin = performance.now();
        }
        if (!removed.has(passage.group)) this.put(passage);
      }
    } finally {
      this.removedMeanwhile.delete(removed);
    }
  }

  removeGroup(group: string): void {
    for (const removed of this.removedMeanwhile) removed.add(group);
    for (const [id, place] of this.places) if (place.group === group) this.take(id);
  }

  search({ text, vector, vectorWeight, limit }: PassageQuery): readonly PassageHit[] {
    if (!(limit > 0)) return [];
    const byWords = this.byWords(text);
    const byVectors = vector !== null && vectorWeight > 0 ? this.byVectors(vector, vectorWeight, byWords) : [];
    return this.varied(fused([byWords, 1], [byVectors, vectorWeight]), limit);
  }

  private byWords(text: string): readonly PassageHit[] {
    const languages = new Set(Array.from(this.places.values(), ({ language }) => language));
    const hits = this.words.search(askedWords(text, [...languages]));
    const enough = (hits[0]?.score ?? 0) * MIN_OF_BEST;
    return hits.filter(({ coverage, score }) => coverage >= MIN_COVERAGE && score >= enough).slice(0, CANDIDATES);
  }

  /** Vectors that count less than words only tell between passages that words have found. */
  private byVectors(vector: Float32Array, weight: number, byWords: readonly PassageHit[]): readonly PassageHit[] {
    if (!isVector(vector)) return [];
    const trusted = weight >= 1;
    const known = new Set(byWords.map(({ id }) => id));
    const near: PassageHit[] = [];
    for (const id of trusted ? this.places.keys() : known) {
      const other = this.places.get(id)?.vector;
      if (other?.length === vector.length) near.push({ id, score: product(vector, other) });
    }
    const floor = trusted ? floorOf(near) : Infinity;
    return near
      .filter(({ id, score }) => score >= floor || known.has(id))
      .sort((a, b) => b.score - a.score)
      .slice(0, CANDIDATES);
  }

  private varied(hits: readonly PassageHit[], limit: number): readonly PassageHit[] {
    const chosen: PassageHit[] = [];
    const likenesses: string[] = [];
    for (const hit of hits) {
      if (chosen.length >= limit) break;
      const likeness = this.places.get(hit.id)?.likeness;
      if (likeness === undefined) continue;
      if (likenesses.filter((other) => areAlike(likeness, other)).length >= MAX_ALIKE) continue;
      chosen.push(hit);
      likenesses.push(likeness);
    }
    return chosen;
  }

  private put({ id, group, heading, text, vector }: IndexedPassage): void {
    this.take(id);
    const searchable = searchableOf(heading ?? '', text.slice(0, MAX_TEXT));
    this.words.add({ id, ...searchable });
    this.places.set(id, {
      group,
      language: searchable.language,
      vector: vector !== null && isVector(vector) ? vector : null,
      likeness: likenessOf(searchable.text),
    });
  }

  private take(id: string): void {
    if (this.places.delete(id)) this.words.remove(id);
  }
}

/** The stems by which a passage is found, without function words, by the rules of the language that it seems to be in. */
export function searchableOf(heading: string, text: string): Omit<WordEntry, 'id'> & { readonly language: Language } {
  const words = wordsOf(text);
  const language = languageOf(words);
  const stems = (all: readonly string[]): readonly string[] =>
    all.filter((word) => !isFunctionWord(word, [language])).map((word) => stemOf(word, language));
  return { language, heading: stems(wordsOf(heading)), text: stems(words) };
}

/** No model calls texts related below this. */
const MIN_COSINE = 0.35;
/** What is usual can be told from so many vectors. */
const ENOUGH = 16;
/** Where it can't be told: what related texts have with most models. */
const USUALLY_NEAR = 0.45;
/** Models differ in what unrelated texts have (0.1 with some, 0.75 with others): near is what goes this part of the way from there to 1. */
const PART_OF_THE_WAY = 0.3;

/** The cosine from which a vector is near. */
function floorOf(all: readonly PassageHit[]): number {
  if (all.length < ENOUGH) return USUALLY_NEAR;
  const cosines = Float32Array.from(all, ({ score }) => score).sort();
  const usual = cosines[cosines.length >> 1] ?? 0;
  return Math.max(MIN_COSINE, usual + (1 - usual) * PART_OF_THE_WAY);
}

const BINS = 32;
/** Share of common samples from which texts say the same in nearly the same words. */
const NEARLY = 0.9;

/**
 * A small trace of a passage's words by which near copies are known: the least hash of the words in each of 32 bins, 0 for none. What two
 * texts have in common of them estimates what they have in common.
 */
function likenessOf(words: readonly string[]): string {
  const least = new Uint32Array(BINS).fill(0xffffffff);
  for (const word of words) {
    const hash = hashOf(word);
    const bin = hash % BINS;
    least[bin] = Math.min(least[bin] ?? 0, hash);
  }
  return String.fromCharCode(...least.map((hash) => (hash === 0xffffffff ? 0 : 1 + (hash >>> 17))));
}

/** Whether two passages are copies, or so near that a reader of one learns little from the other. */
function areAlike(a: string, b: string): boolean {
  let filled = 0;
  let common = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    const sample = a.charCodeAt(bin);
    const other = b.charCodeAt(bin);
    if (sample === 0 && other === 0) continue;
    filled += 1;
    if (sample === other) common += 1;
  }
  return common >= filled * NEARLY;
}

/** What is read of a question: its beginning and its end, where the question itself usually is. */
const MAX_HEAD = 3000;
const MAX_TAIL = 1000;
const MAX_WORDS = 32;
/** Of a question with more words none needs others of the same meaning. */
const MAX_RELATED = 12;
const MAX_RESPELLED = 20;
/** Pairs with these hold Chinese and Japanese sentences together. */
const FUNCTION_PAIR = /\p{Script=Hiragana}|[的了吗呢吧是在和么哪]|[什怎]/u;

/** They say nothing after "how": how long, how many. */
const AFTER_HOW = /\bhow (?:many|much|long|often|soon|quickly|fast|far|old|big|large|high|deep)\b/giu;

/**
 * The words of a question that say what it is about. Nobody can tell the language of three words, so each comes with its stems by the
 * rules of every language that is on the shelf.
 */
export function askedWords(question: string, languages: readonly Language[]): readonly AskedWord[] {
  const isLong = question.length > MAX_HEAD + MAX_TAIL;
  const read = isLong ? `${question.slice(0, MAX_HEAD)} ${question.slice(-MAX_TAIL)}` : question;
  const words = [...new Set(wordsOf(read.replace(AFTER_HOW, ' ')))];
  const own = languageOf(wordsOf(read));
  const known = new Set([...languages, own]);
  const telling = words.filter((word) => !(isPair(word) ? FUNCTION_PAIR.test(word) : isFunctionWord(word, [own])));
  const asked = new Map<string, AskedWord>();
  for (const word of telling) {
    if (asked.size >= MAX_WORDS) break;
    const stems = stemsOf(word, known);
    const related = asked.size < MAX_RELATED ? (RELATED.get(stemOf(word, 'english')) ?? []) : [];
    asked.set(stems.join(' '), { stems, related, respelled: () => respelled(word, known) });
  }
  return [...asked.values()];
}

/** The stems of what was meant if two neighbouring letters were typed in the wrong order. */
function respelled(word: string, languages: Iterable<Language>): readonly string[] {
  if (word.length > MAX_RESPELLED) return [];
  const others = Array.from({ length: Math.max(0, word.length - 1) }, (_, place) => {
    return word.slice(0, place) + word.charAt(place + 1) + word.charAt(place) + word.slice(place + 2);
  });
  return others.filter((other) => other !== word).flatMap((other) => stemsOf(other, languages));
}

/**
 * Words of business English that people use for one another. A question says `vacation` where the handbook says `leave`; without a model
 * that knows meanings, this is what closes the gap.
 */
const RELATED = relatedByStem(readFileSync(new URL('./related-words.txt', import.meta.url), 'utf8'));

/** By an English stem those that mean nearly the same, itself not among them. */
function relatedByStem(groups: string): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>();
  for (const line of groups.trim().split('\n')) {
    const words = wordsOf(line).filter((word) => !isFunctionWord(word, ['english']));
    const stems = words.map((word) => stemOf(word, 'english'));
    for (const stem of stems) related.set(stem, new Set([...(related.get(stem) ?? []), ...stems]));
  }
  return new Map([...related].map(([stem, all]) => [stem, [...all].filter((other) => other !== stem)]));
}

/** How little the first place counts more than the second; the value of the method's authors. */
const K = 60;

/**
 * Reciprocal rank fusion: puts together rankings whose scores can't be compared. Hits of one score share a place, so that another
 * ranking decides between them. Best first.
 */
function fused(
  ...rankings: readonly (readonly [hits: readonly PassageHit[], weight: number])[]
): readonly PassageHit[] {
  const scores = new Map<string, number>();
  for (const [hits, weight] of rankings) {
    let shared = 0;
    for (const [place, { id, score }] of hits.entries()) {
      if (score !== hits[shared]?.score) shared = place;
      scores.set(id, (scores.get(id) ?? 0) + weight / (K + shared + 1));
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).sort((a, b) => b.score - a.score);
}
