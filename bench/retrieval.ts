/**
 * How well passages are found, and how fast. Judged questions over the texts in `retrieval/texts` (sources: `retrieval/SOURCES.md`); every
 * second question was held out when the search was tuned. `npm run bench:retrieval [-- quality|speed]`
 */
import type { IndexedPassage } from '../src/ports/passage-index.js';
import { answersTo, corpus, mistyped, questions, type Question } from './retrieval/corpus.js';
import { mean, ndcg, recall } from './retrieval/measures.js';
import { measureSpeed } from './retrieval/speed.js';
import { bm25, hybrid, vectorsAlone, wordsWithoutRelated, type System } from './retrieval/systems.js';

interface Figures {
  readonly recall: number;
  readonly ndcg: number;
}

interface Asked {
  readonly question: string;
  readonly answers: ReadonlySet<string>;
}

async function figuresOf(system: System, asked: readonly Asked[]): Promise<Figures> {
  const results = await Promise.all(
    asked.map(async ({ question, answers }) => {
      const found = await system(question);
      return { recall: recall(found, answers, 5), ndcg: ndcg(found, answers, 10) };
    }),
  );
  return { recall: mean(results.map((one) => one.recall)), ndcg: mean(results.map((one) => one.ndcg)) };
}

function printTable(title: string, rows: readonly (readonly [string, Figures])[]): void {
  const base = rows[0]?.[1] ?? { recall: 1, ndcg: 1 };
  console.log(`\n${title}`);
  console.log(`${''.padEnd(24)}recall@5   nDCG@10   of BM25's: recall   nDCG`);
  for (const [name, figures] of rows) {
    const ratios = [figures.recall / base.recall, figures.ndcg / base.ndcg].map((ratio) => ratio.toFixed(3));
    console.log(
      `${name.padEnd(24)}${figures.recall.toFixed(3)}      ${figures.ndcg.toFixed(3)}              ${ratios.join('    ')}`,
    );
  }
}

async function measureQuality(passages: readonly IndexedPassage[], all: readonly Question[]): Promise<void> {
  const systems: readonly (readonly [string, System])[] = [
    ['BM25 (stems)', bm25(passages)],
    ['vectors (local)', await vectorsAlone(passages)],
    ['words, none related', wordsWithoutRelated(passages)],
    ['words of the service', await hybrid(passages, false)],
    ['hybrid of the service', await hybrid(passages)],
  ];
  const halves = [
    ['development half', all.filter((_, index) => index % 2 === 0)],
    ['HELD-OUT half', all.filter((_, index) => index % 2 === 1)],
    ['all', all],
  ] as const;
  console.log(`${passages.length} passages, ${all.length} questions`);
  for (const [half, some] of halves) {
    const asked = (kind: Question['kind']): readonly Asked[] =>
      some
        .filter((one) => one.kind === kind)
        .map((one) => ({ question: one.question, answers: answersTo(one, passages) }));
    const plain = asked('plain');
    const sets = [
      ['as asked', plain],
      ['misspelt by hand', asked('misspelt')],
      ['one typing error each', plain.map((one, turn) => ({ ...one, question: mistyped(one.question, turn) }))],
    ] as const;
    for (const [name, set] of sets) {
      const rows = await Promise.all(
        systems.map(async ([system, ask]) => [system, await figuresOf(ask, set)] as const),
      );
      printTable(`${half}, ${name}: ${set.length} questions`, rows);
    }
    console.log(
      `\n${half}, unanswerable: ${asked('unanswerable').length} questions, share with any passage, passages each`,
    );
    for (const [system, ask] of systems) {
      const found = await Promise.all(asked('unanswerable').map(async ({ question }) => (await ask(question)).length));
      console.log(
        `${system.padEnd(24)}${mean(found.map((count) => Math.sign(count))).toFixed(3)}      ${mean(found).toFixed(1)}`,
      );
    }
  }
}

const what = process.argv[2] ?? 'all';
const passages = await corpus();
if (what !== 'speed') await measureQuality(passages, await questions());
if (what !== 'quality') await measureSpeed(passages);
