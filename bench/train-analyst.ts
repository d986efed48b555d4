/**
 * Learns the weights of the built-in analyst's reader from the questions of the corpus, in 70 minutes on two cores and with
 * the same result every time.
 *
 *   npm run train:analyst [-- --rounds 2]
 *
 * Each round reads all questions with the weights so far, works the likeliest readings out on the tables, and learns which were right. How
 * sure a reading is, is learned on questions of authors whom the ranking has not seen. Writes `src/analyst/reading/weights.bin` and beside
 * it what it was made of, by which a test sees that it is stale.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { confidenceFeatures, openWordPlace } from '../src/analyst/reading/confidence.js';
import { columnHitsIn } from '../src/analyst/reading/column-mentions.js';
import { factsOf, type TableFacts } from '../src/analyst/reading/table.js';
import { nameWords, tokensOf } from '../src/analyst/reading/words.js';
import {
  type CorpusQuestion,
  corpusQuestions,
  corpusTables,
  openTables,
  READING,
  sourceSum,
  tablesIn,
  type TrueTable,
} from './reader/corpus.js';
import { growTrees, type Judged } from './reader/confidence-trees.js';
import { CorpusReaders, type Judgement, type Seen, type Sets } from './reader/corpus-readers.js';
import { packWeights } from './reader/packed-weights.js';
import { learned } from './reader/training.js';

const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '2' } },
});
const LEARNING = { epochs: 8, rate: 0.5, steady: 3, decay: 0.02, least: 3, margin: 2, leftOut: 0.2, rateInLayer: 0.05 };
/** In the rounds that look for readings no layer is learned. */
const ROUND = { ...LEARNING, leastInLayer: Infinity };
const LAST = { ...LEARNING, leastInLayer: 12 };

const FOLDS = 4;

/** Written by a program over the tables of all authors. */
const PATTERNS = 'patterns';

/** The fold of each table, which is judged by what was learned of the other folds. All tables of an author are in one: the author is a stranger there. */
function foldsOf(sets: Sets): ReadonlyMap<string, number> {
  let groups: { readonly tables: Set<string>; questions: number }[] = [];
  for (const [author, questions] of sets) {
    if (author === PATTERNS) continue;
    const tables = new Set(questions.map(({ table }) => table));
    const isShared = (group: (typeof groups)[number]): boolean => [...tables].some((table) => group.tables.has(table));
    const joined = { tables, questions: questions.length };
    for (const group of groups.filter(isShared)) {
      for (const table of group.tables) joined.tables.add(table);
      joined.questions += group.questions;
    }
    groups = [...groups.filter((group) => !isShared(group)), joined];
  }
  const sizes = Array.from({ length: FOLDS }, () => 0);
  const folds = new Map<string, number>();
  for (const { tables, questions } of groups.sort((a, b) => b.questions - a.questions)) {
    const fold = sizes.indexOf(Math.min(...sizes));
    sizes[fold] = (sizes[fold] ?? 0) + questions;
    for (const table of tables) folds.set(table, fold);
  }
  return folds;
}

/** How often right and wrong readings leave a word unexplained. */
type OpenCounts = Map<string, { right: number; wrong: number }>;

/** The weights with how much oftener right readings leave a word unexplained. */
function withOpenWords(weights: Float32Array, counts: OpenCounts): Float32Array {
  const marked = Float32Array.from(weights);
  for (const [stem, count] of counts) {
    const odds = oddsOf(count);
    if (odds !== 0) marked[openWordPlace(stem)] = odds;
  }
  return marked;
}

function oddsOf({ right, wrong } = { right: 0, wrong: 0 }): number {
  return right + wrong < 2 ? 0 : Math.max(-3, Math.min(3, Math.log((right + 0.5) / (wrong + 0.5))));
}

function countOpenWords(counts: OpenCounts, { evidence, isRight }: Judgement, by: 1 | -1): void {
  for (const stem of new Set(evidence.open)) {
    const count = counts.get(stem) ?? { right: 0, wrong: 0 };
    count[isRight ? 'right' : 'wrong'] += by;
    counts.set(stem, count);
  }
}

const STRAYS = 3;

/** Questions beside those that are asked of a table of which they know nothing: no reading of them is right. */
function withStrays(sets: Sets, tables: ReadonlyMap<string, TrueTable>): Sets {
  const all = [...sets.values()].flat().filter(({ sql, after }) => typeof sql === 'string' && after === undefined);
  let next = 0;
  const strays = [...new Set(all.map(({ table }) => table))].flatMap((name) => {
    const facts = factsOf(tables.get(name)!.briefing);
    const found: CorpusQuestion[] = [];
    for (let tried = 0; tried < all.length && found.length < STRAYS; tried++) {
      // A prime takes authors and tables by turns.
      const { id, q, table, sql } = all[(next += 7919) % all.length]!;
      if (table !== name && isStrange(String(sql), facts))
        found.push({ id: `${name}:${id}`, table: name, q, family: 'none', none: `it is about ${table}` });
    }
    return found;
  });
  return new Map([...sets, ['strays', strays]]);
}

/** Whether a query names a column that the table has nothing like. */
function isStrange(sql: string, facts: TableFacts): boolean {
  const names = [...sql.matchAll(/"([^"]+)"/g)].map(([, name = '']) => nameWords(name).join(' '));
  return names.some((name) => columnHitsIn(name, tokensOf(name), facts).every(({ share }) => share < 0.4));
}

/** Judges readings of tables that the weights were not learned of; each by the open words of all others. */
async function judge(
  sets: Sets,
  tables: ReadonlyMap<string, TrueTable>,
  seen: readonly Seen[],
  readers: CorpusReaders,
): Promise<{ judged: readonly Judged[]; words: OpenCounts }> {
  const folds = foldsOf(sets);
  const rest = Array.from({ length: FOLDS }, (_, fold) => seen.filter(({ table }) => folds.get(table) !== fold));
  const rankings = await readers.learned(rest, LAST);
  const pending = rankings.map((ranking, fold) => {
    const own = new Map(
      [...sets].map(([author, questions]) => [author, questions.filter(({ table }) => folds.get(table) === fold)]),
    );
    return readers.judgements(withStrays(own, tables), ranking);
  });
  const all = (await Promise.all(pending)).flat();
  const words: OpenCounts = new Map();
  for (const judgement of all) countOpenWords(words, judgement, 1);
  const judged = all.map((judgement) => {
    countOpenWords(words, judgement, -1);
    const features = confidenceFeatures(judgement.evidence, (stem) => oddsOf(words.get(stem)));
    countOpenWords(words, judgement, 1);
    return { features, isRight: judgement.isRight };
  });
  return { judged, words };
}

const begun = performance.now();
const say = (text: string): void => {
  console.log(`${Math.round((performance.now() - begun) / 1000)} s  ${text}`);
};
const sets = await corpusQuestions('train');
const tables = await openTables(tablesIn(sets), await corpusTables());
const readers = new CorpusReaders();
let seen: readonly Seen[] = [];
for (let round = 1; round <= Number(given.rounds); round++) {
  // What is expected before anything was learned needs few questions to be mended.
  const asked = round === 1 ? new Map([...sets].filter((_, index) => index % 5 === 0)) : sets;
  seen = await readers.examples(asked, learned(seen, ROUND));
  const found = seen.filter(({ example }) => example !== null).length;
  say(
    `round ${round}: a right reading was found for ${found} of ${[...asked.values()].flat().filter(({ none }) => none === undefined).length} questions`,
  );
}
const judging = judge(sets, tables, seen, readers);
// While the workers learn without each part of the questions.
const { weights, layer } = learned(seen, LAST);
const { judged, words } = await judging;
say('judged');
const confidence = growTrees(judged);
say(`${judged.filter(({ isRight }) => isRight).length} of ${judged.length} readings of unseen tables are right`);
const packed = packWeights({ ranking: withOpenWords(weights, words), layer, confidence });
await writeFile(new URL('weights.bin', READING), packed);
await writeFile(new URL('weights.sum', READING), `${await sourceSum()}\n`);
say(`${packed.length} bytes`);
process.exit(0);
