import MiniSearch from 'minisearch';
import { HashingEmbedder } from '../../src/adapters/embedding/hashing-embedder.js';
import {
  MiniSearchPassageIndex,
  askedWords,
  searchableOf,
} from '../../src/adapters/passages/minisearch-passage-index.js';
import { isFunctionWord } from '../../src/shared/words/languages.js';
import { WordIndex } from '../../src/adapters/passages/word-index.js';
import { stemOf, wordsOf } from '../../src/shared/words/words.js';
import type { IndexedPassage } from '../../src/ports/passage-index.js';

/** Answers a question with the ids of passages, best first, at most ten. */
export type System = (question: string) => Promise<readonly string[]>;

const LIMIT = 10;
const PATIENT = new AbortController().signal;

/** minisearch over stems without function words: no near spellings, no vectors, no floor. */
export function bm25(passages: readonly IndexedPassage[]): System {
  const index = new MiniSearch<IndexedPassage>({
    fields: ['heading', 'text'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: (word) => (isFunctionWord(word, ['english']) ? null : stemOf(word, 'english')),
  });
  index.addAll(passages);
  return (question) =>
    Promise.resolve(
      index
        .search(question)
        .slice(0, LIMIT)
        .map(({ id }) => String(id)),
    );
}

/** All passages by the cosine of the local embedder's vectors. */
export async function vectorsAlone(passages: readonly IndexedPassage[]): Promise<System> {
  const embedder = new HashingEmbedder();
  const known = await withVectors(passages);
  return async (question) => {
    const [asked] = await embedder.embed([question], PATIENT);
    const near = known.map(({ id, vector }) => ({ id, cosine: product(vector ?? [], asked ?? []) }));
    return near
      .sort((a, b) => b.cosine - a.cosine)
      .slice(0, LIMIT)
      .map(({ id }) => id);
  };
}

/** The words of the service without its list of words that mean nearly the same, which the author of the questions wrote. */
export function wordsWithoutRelated(passages: readonly IndexedPassage[]): System {
  const index = new WordIndex();
  for (const { id, heading, text } of passages) index.add({ id, ...searchableOf(heading ?? '', text) });
  return (question) => {
    const asked = askedWords(question, ['english']).map((word) => ({ ...word, related: [] }));
    return Promise.resolve(
      index
        .search(asked)
        .slice(0, LIMIT)
        .map(({ id }) => id),
    );
  };
}

/** As the service does it. */
export async function hybrid(passages: readonly IndexedPassage[], vectors = true): Promise<System> {
  const embedder = new HashingEmbedder();
  const shelf = new MiniSearchPassageIndex().newShelf();
  await shelf.add(vectors ? await withVectors(passages) : passages);
  return async (text) => {
    const [vector = null] = vectors ? await embedder.embed([text], PATIENT) : [];
    return shelf.search({ text, vector, vectorWeight: embedder.weight, limit: LIMIT }).map(({ id }) => id);
  };
}

/** The heading says what a passage is about that does not say so itself. */
export async function withVectors(passages: readonly IndexedPassage[]): Promise<readonly IndexedPassage[]> {
  const texts = passages.map(({ heading, text }) => (heading === null ? text : `${heading}\n${text}`));
  const vectors = await new HashingEmbedder().embed(texts, PATIENT);
  return passages.map((passage, index) => ({ ...passage, vector: vectors[index] ?? null }));
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
