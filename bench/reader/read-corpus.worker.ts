/** Reads questions for `corpus-readers.ts`, of authors whose tables it opens once, and learns from them. */
import { parentPort } from 'node:worker_threads';
import { evidenceOf } from '../../src/analyst/reading/confidence.js';
import { corpusTables, openTables, type TrueTable } from './corpus.js';
import type { Answer, Asking, Judgement, Message, Seen } from './corpus-readers.js';
import type { Ranking } from './learning.js';
import { exampleOf, Grades, learned, type Tried, tryAll } from './training.js';

const grades = new Grades();
const all = corpusTables();
const tables = new Map<string, TrueTable>();

function seenIn({ question, candidates, grades, asked }: Tried): Seen {
  const followUp =
    asked.before === null ? null : { features: asked.followUpFeatures, isFollowUp: question.after !== undefined };
  const example = question.none === undefined ? exampleOf({ candidates, grades }) : null;
  return { table: question.table, example, followUp };
}

function judgementsIn({ asked, candidates, grades: [first = 0] }: Tried): readonly Judgement[] {
  const [top] = candidates;
  return top === undefined ? [] : [{ evidence: evidenceOf(asked, top, candidates), isRight: first > 0 }];
}

async function answer({ id, questions, wanted }: Asking, ranking: Ranking): Promise<void> {
  const unopened = new Set(questions.map(({ table }) => table).filter((name) => !tables.has(name)));
  for (const [name, table] of await openTables(unopened, await all)) tables.set(name, table);
  const seen: Seen[] = [];
  const judgements: Judgement[] = [];
  const areAllGraded = wanted === 'examples';
  for await (const tried of tryAll(questions, tables, { ...ranking, grades, areAllGraded }))
    if (areAllGraded) seen.push(seenIn(tried));
    else judgements.push(...judgementsIn(tried));
  parentPort?.postMessage({ id, seen, judgements } satisfies Answer);
}

let last = Promise.resolve();
let ranking: Ranking | null = null;
parentPort?.on('message', (message: Message) => {
  last = last.then(async () => {
    if ('weights' in message) ranking = message;
    else if ('learning' in message)
      parentPort?.postMessage({ id: message.id, ranking: learned(message.seen, message.learning) } satisfies Answer);
    else if (ranking !== null) await answer(message, ranking);
  });
});
