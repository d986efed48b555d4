/**
 * How well passages are found: judged questions over the texts in `retrieval/texts` (sources: `retrieval/SOURCES.md`), of which half were held
 * out when the search was tuned. Baseline: BM25 alone. `npm run bench:retrieval`
 */
import { readdir, readFile } from 'node:fs/promises';
import MiniSearch from 'minisearch';
import { HashingEmbedder } from '../src/adapters/embedding/hashing-embedder.js';
import { MiniSearchPassageIndex, askedWords, searchableOf } from '../src/adapters/passages/minisearch-passage-index.js';
import { WordIndex } from '../src/adapters/passages/word-index.js';
import { cutPassages } from '../src/features/context-files/passages/passage-cutter.js';
import type { DocumentBlock } from '../src/ports/document-reader.js';
import type { IndexedPassage } from '../src/ports/passage-index.js';
import { isFunctionWord } from '../src/shared/words/languages.js';
import { stemOf, wordsOf } from '../src/shared/words/words.js';
import { mean } from './timing.js';

interface Question {
  readonly question: string;
  /** The file that holds the answer. */
  readonly text: string;
  /** Under which heading of it, where the quotes alone don't tell. */
  readonly heading?: string;
  /** A passage answers the question when one of these stands in it. */
  readonly quotes: readonly string[];
  readonly heldOut: boolean;
}

/** Answers a question with the ids of passages, best first. */
type System = (question: string) => Promise<readonly string[]>;

const LIMIT = 10;
const FIRST = 5;
const PATIENT = new AbortController().signal;
const TEXTS = new URL('retrieval/texts/', import.meta.url);

/** The passages of all texts as the service cuts them. A line that begins with `#` is a heading, an empty line ends a paragraph. */
async function corpus(): Promise<readonly IndexedPassage[]> {
  const passages: IndexedPassage[] = [];
  for (const file of (await readdir(TEXTS)).sort()) {
    const group = file.replace('.txt', '');
    for (const { text, heading } of cutPassages(blocksOf(await readFile(new URL(file, TEXTS), 'utf8'))))
      passages.push({ id: `${group}.${passages.length}`, group, heading, text, vector: null });
  }
  // The heading says what a passage is about that does not say so itself.
  const texts = passages.map(({ heading, text }) => (heading === null ? text : `${heading}\n${text}`));
  const vectors = await new HashingEmbedder().embed(texts, PATIENT);
  return passages.map((passage, index) => ({ ...passage, vector: vectors[index] ?? null }));
}

function blocksOf(text: string): readonly DocumentBlock[] {
  let heading: string | null = null;
  const blocks: DocumentBlock[] = [];
  for (const paragraph of text.split(/\n{2,}/)) {
    if (paragraph.startsWith('# ')) heading = paragraph.slice(2).trim();
    else if (paragraph.trim() !== '') blocks.push({ text: paragraph.trim(), page: null, heading });
  }
  return blocks;
}

/** The ids of the passages that answer it. @throws when there is none. */
function answersTo({ question, text, heading, quotes }: Question): ReadonlySet<string> {
  const found = passages.filter(
    (passage) =>
      passage.group === text &&
      (heading === undefined || passage.heading === heading) &&
      quotes.some((quote) => passage.text.replace(/\s+/g, ' ').includes(quote)),
  );
  if (found.length === 0) throw new Error(`no passage answers: ${question}`);
  return new Set(found.map(({ id }) => id));
}

/** minisearch over stems without function words: no near spellings, no vectors, no floor. */
function bm25(): System {
  const index = new MiniSearch<IndexedPassage>({
    fields: ['heading', 'text'],
    tokenize: (text) => [...wordsOf(text)],
    processTerm: (word) => (isFunctionWord(word, ['english']) ? null : stemOf(word, 'english')),
  });
  index.addAll(passages);
  return (question) => Promise.resolve(index.search(question).map(({ id }) => String(id)));
}

/** The words of the service without its list of words that mean nearly the same, which the author of the questions wrote. */
function wordsWithoutRelated(): System {
  const index = new WordIndex();
  for (const { id, heading, text } of passages) index.add({ id, ...searchableOf(heading ?? '', text) });
  return (question) => {
    const asked = askedWords(question, ['english']).map((word) => ({ ...word, related: [] }));
    return Promise.resolve(index.search(asked).map(({ id }) => id));
  };
}

/** As the service does it. */
async function served(): Promise<System> {
  const embedder = new HashingEmbedder();
  const shelf = new MiniSearchPassageIndex().newShelf();
  await shelf.add(passages);
  return async (text) => {
    const [vector = null] = await embedder.embed([text], PATIENT);
    return shelf.search({ text, vector, vectorWeight: embedder.weight, limit: LIMIT }).map(({ id }) => id);
  };
}

/** Share of the answers that are among the first five; of five when there are more. */
function recall(found: readonly string[], answers: ReadonlySet<string>): number {
  return found.slice(0, FIRST).filter((id) => answers.has(id)).length / Math.min(FIRST, answers.size);
}

/** Normalised discounted cumulative gain of the first ten: 1 when all answers stand first, less the lower they stand. */
function ndcg(found: readonly string[], answers: ReadonlySet<string>): number {
  const gainOf = (hits: readonly boolean[]): number =>
    hits.reduce((sum, isHit, place) => sum + (isHit ? 1 / Math.log2(place + 2) : 0), 0);
  const best = Array.from({ length: Math.min(LIMIT, answers.size) }, () => true);
  return gainOf(found.slice(0, LIMIT).map((id) => answers.has(id))) / gainOf(best);
}

const passages = await corpus();
const file = await readFile(new URL('retrieval/questions.json', import.meta.url), 'utf8');
const questions = JSON.parse(file) as readonly Question[];
const systems = {
  'BM25 (stems)': bm25(),
  'words, none related': wordsWithoutRelated(),
  'as the service does it': await served(),
};
console.log(`${passages.length} passages`);
for (const heldOut of [false, true]) {
  const asked = questions.filter((one) => one.heldOut === heldOut);
  console.log(`\n${heldOut ? 'HELD-OUT' : 'development'} half: ${asked.length} questions`);
  console.log(`${''.padEnd(24)}recall@5   nDCG@10`);
  for (const [name, system] of Object.entries(systems)) {
    const found = await Promise.all(asked.map(({ question }) => system(question)));
    const of = (measure: typeof recall): string =>
      mean(asked.map((one, index) => measure(found[index] ?? [], answersTo(one)))).toFixed(3);
    console.log(`${name.padEnd(24)}${of(recall)}      ${of(ndcg)}`);
  }
}
