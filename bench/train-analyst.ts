/**
 * Learns the weights of the built-in analyst's reader from the questions of the corpus, in minutes and with the same result every time.
 *
 *   npm run train:analyst [-- --rounds 3]
 *
 * Each round reads all questions with the weights so far, works the likeliest readings out on the tables, and learns which were right. How
 * sure a reading is, is learned on questions whose tables the ranking has not seen. Writes `src/analyst/reading/weights.bin` and beside
 * it what it was made of, by which a test sees that it is stale.
 */
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benignPlace, confidenceFeatures, type Evidence, evidenceOf } from '../src/analyst/reading/confidence.js';
import { packWeights } from '../src/analyst/reading/weights.js';
import {
  type CorpusQuestion,
  corpusQuestions,
  corpusTables,
  READING,
  sourceSum,
  type TrueTable,
} from './reader/corpus.js';
import {
  exampleOf,
  type Example,
  type FollowUp,
  Grades,
  learn,
  learnFollowUps,
  openTables,
  type Tried,
  tryAll,
  type Trying,
} from './reader/training.js';
import { priorWeights } from './reader/training-prior.js';

const { values: given } = parseArgs({
  options: { rounds: { type: 'string', default: '3' }, grades: { type: 'string' } },
});
const LEARNING = { epochs: 8, rate: 0.1, decay: 0.02, least: 3 };

/** A question of the corpus as both learners see it. */
interface Seen {
  readonly table: string;
  readonly example: Example | null;
  readonly followUp: FollowUp | null;
}

interface Judged {
  readonly features: Float32Array;
  readonly isRight: boolean;
}

type Sets = ReadonlyMap<string, readonly CorpusQuestion[]>;

/** Reads all questions, each author's as conversations of their own. */
async function* tryAuthors(
  sets: Sets,
  tables: ReadonlyMap<string, TrueTable>,
  trying: Trying,
): AsyncGenerator<Tried, void> {
  for (const [author, questions] of sets) yield* tryAll(questions, author, tables, trying);
}

async function readAll(sets: Sets, tables: ReadonlyMap<string, TrueTable>, trying: Trying): Promise<readonly Seen[]> {
  const seen: Seen[] = [];
  for await (const tried of tryAuthors(sets, tables, trying)) {
    const { question, asked } = tried;
    const followUp =
      asked.before === null ? null : { features: asked.followUpFeatures, isFollowUp: question.after !== undefined };
    seen.push({ table: question.table, example: question.none === undefined ? exampleOf(tried) : null, followUp });
  }
  return seen;
}

function learned(seen: readonly Seen[]): Float32Array {
  const prior = priorWeights();
  learnFollowUps(
    seen.flatMap(({ followUp }) => followUp ?? []),
    prior,
  );
  return learn(
    seen.flatMap(({ example }) => example ?? []),
    prior,
    LEARNING,
  );
}

/** Tables by halves, so that one can judge what was learned of the other. */
function half(table: string): number {
  return (createHash('md5').update(table).digest()[0] ?? 0) % 2;
}

/** How often right readings leave a word unexplained. */
type BenignCounts = ReadonlyMap<string, number>;

/** The weights with the words marked that right readings leave unexplained more than twice. */
function withBenign(weights: Float32Array, counts: BenignCounts): Float32Array {
  const marked = Float32Array.from(weights);
  for (const [stem, count] of counts) if (count > 2) marked[benignPlace(stem)] = 1;
  return marked;
}

function isRight({ grades: [first = 0] }: Tried): boolean {
  return first > 0;
}

interface Judgement {
  readonly evidence: Evidence;
  readonly isRight: boolean;
}

/** What tells how sure the first reading of each question is, and whether it is right. */
async function judgementsOf(
  sets: Sets,
  tables: ReadonlyMap<string, TrueTable>,
  trying: Trying,
): Promise<readonly Judgement[]> {
  const found: Judgement[] = [];
  for await (const tried of tryAuthors(sets, tables, trying)) {
    const evidence = evidenceOf(tried.asked, tried.candidates);
    if (evidence !== null) found.push({ evidence, isRight: isRight(tried) });
  }
  return found;
}

function benignCounts(judgements: readonly Judgement[]): BenignCounts {
  const counts = new Map<string, number>();
  for (const { evidence, isRight } of judgements)
    if (isRight) for (const stem of evidence.open) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  return counts;
}

/** Judges readings of tables that the weights were not learned of. */
async function judge(
  sets: Sets,
  tables: ReadonlyMap<string, TrueTable>,
  seen: readonly Seen[],
  grades: Grades,
): Promise<{ judged: readonly Judged[]; benign: BenignCounts }> {
  const judged: Judged[] = [];
  const benign = new Map<string, number>();
  for (const side of [0, 1]) {
    const own = new Map(
      [...sets].map(([author, questions]) => [author, questions.filter(({ table }) => half(table) === side)]),
    );
    const weights = learned(seen.filter(({ table }) => half(table) !== side));
    const judgements = await judgementsOf(own, tables, { weights, grades });
    const counts = benignCounts(judgements);
    for (const [stem, count] of counts) benign.set(stem, (benign.get(stem) ?? 0) + count);
    const marked = withBenign(weights, counts);
    for (const { evidence, isRight } of judgements)
      judged.push({ features: confidenceFeatures(evidence, marked), isRight });
  }
  return { judged, benign };
}

/** Logistic regression by plain gradient descent. */
function calibrate(judged: readonly Judged[]): Float32Array {
  const size = judged[0]?.features.length ?? 0;
  const weights = new Float64Array(size);
  for (let round = 0; round < 1500; round++) {
    const gradient = new Float64Array(size);
    for (const { features, isRight } of judged) {
      let score = 0;
      for (let index = 0; index < size; index++) score += weights[index]! * features[index]!;
      const miss = (isRight ? 1 : 0) - 1 / (1 + Math.exp(-score));
      for (let index = 0; index < size; index++) gradient[index]! += miss * features[index]!;
    }
    for (let index = 0; index < size; index++)
      weights[index]! += 0.5 * (gradient[index]! / judged.length - 0.0005 * weights[index]!);
  }
  return Float32Array.from(weights);
}

const begun = performance.now();
const say = (text: string): void => {
  console.log(`${Math.round((performance.now() - begun) / 1000)} s  ${text}`);
};
const sets = await corpusQuestions('train');
const tables = await openTables(new Set([...sets.values()].flat().map(({ table }) => table)), await corpusTables());
const folder = await mkdtemp(join(tmpdir(), 'analyst-'));
const grades = new Grades(given.grades ?? join(folder, 'grades'));
let weights = priorWeights();
let seen: readonly Seen[] = [];
for (let round = 1; round <= Number(given.rounds); round++) {
  seen = await readAll(sets, tables, { weights, grades });
  weights = learned(seen);
  const found = seen.filter(({ example }) => example !== null).length;
  say(
    `round ${round}: a right reading was found for ${found} of ${[...sets.values()].flat().filter(({ none }) => none === undefined).length} questions`,
  );
}
const { judged, benign } = await judge(sets, tables, seen, grades);
weights = withBenign(weights, benign);
const confidence = calibrate(judged);
say(`${judged.filter(({ isRight }) => isRight).length} of ${judged.length} readings of unseen tables are right`);
if (given.grades !== undefined) grades.save();
await rm(folder, { recursive: true });
const packed = packWeights({ ranking: weights, confidence });
await writeFile(new URL('weights.bin', READING), packed);
await writeFile(new URL('weights.sum', READING), `${await sourceSum()}\n`);
say(`${packed.length} bytes`);
process.exit(0);
