/**
 * How well answers check themselves. Answers that are right (those of the built-in analyst, whose figures all come from its results) go
 * through the check that a model's words go through: what it holds against them are false alarms. Then one figure at a time is replaced by one
 * that is made up: what passes is missed. Baseline: a check for the figures as they stand in the results and nothing else.
 *
 *   npx tsx bench/self-check.ts
 */
import { answerWords } from '../src/analyst/answer-text/answer-words.js';
import { factsOf } from '../src/analyst/reading/table.js';
import { AnswerText } from '../src/answering/answer-text.js';
import { CheckedText } from '../src/answering/checked-text.js';
import { writtenFigures, type WrittenFigure } from '../src/answering/figure-check.js';
import type { Briefing } from '../src/ports/chat-model.js';
import type { QueryResult } from '../src/ports/table.js';
import { askAll, type Asked } from './reader/asked.js';
import { corpusQuestions, corpusTables } from './reader/corpus.js';
import { randomFrom } from './device-rows.js';

/** Of one answer so many figures are replaced, one at a time. */
const MOST_REPLACED = 6;

interface Sample {
  readonly briefing: Briefing;
  readonly results: readonly QueryResult[];
  readonly text: string;
}

type Falsify = (figure: string, random: () => number) => string;

const FALSIFIED: Readonly<Record<string, Falsify>> = {
  'another size (3 to 60 % off)': (figure, random) =>
    scaled(figure, 1 + (0.03 + random() * 0.57) * (random() < 0.5 ? 1 : -1)),
  'ten times as much': (figure) => scaled(figure, 10),
  'two digits swapped': (figure) => figure.replace(/(\d)(\d)/, '$2$1'),
  'the last digit changed': (figure) => figure.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 3) % 10)),
};

function scaled(figure: string, factor: number): string {
  const plain = figure.replace(/,(?=\d{3})/g, '');
  const decimals = /\.(\d+)/.exec(plain)?.[1]?.length ?? 0;
  return plain.replace(/\d+(?:\.\d+)?/, (digits) => (Number(digits) * factor).toFixed(decimals));
}

/** The figures that the check holds against a text. */
function strangeIn(text: string, { briefing, results }: Sample): readonly string[] {
  const checked = new CheckedText(new AnswerText(briefing.passages.length), briefing, () => true);
  for (const result of results) checked.learn(result);
  checked.write(text);
  checked.settle(false);
  return checked.unverified;
}

function standsNowhere({ values, tolerance }: WrittenFigure, results: readonly QueryResult[]): boolean {
  const cells = results.flatMap(({ rows }) => rows.flat()).filter((cell) => typeof cell === 'number');
  return !values.some((value) => cells.some((cell) => Math.abs(Math.abs(cell) - Math.abs(value)) <= tolerance));
}

/** The right answers to the questions of the corpus' development part. */
async function answered(): Promise<readonly Sample[]> {
  const sets = await corpusQuestions('development');
  const all = await askAll(sets, { tables: await corpusTables(), trained: new Set(), isSecret: false });
  const samples: Sample[] = [];
  for (const asked of all) if (asked.outcome === 'right') samples.push(await sampleOf(asked));
  return samples;
}

async function sampleOf({ question, table, history, parts }: Asked): Promise<Sample> {
  const { briefing } = table;
  const [results, words]: [QueryResult[], string[]] = [[], []];
  for (const { understanding } of parts) {
    if (understanding.kind !== 'plan') continue;
    const result = await table.answer(understanding.plan);
    if (result === null) continue;
    results.push(result);
    words.push(...answerWords(understanding, { plan: understanding.plan, result, facts: factsOf(briefing) }));
  }
  return {
    briefing: { question: question.q, history, table: briefing, passages: [], now: table.moment },
    results,
    text: words.join('\n\n'),
  };
}

interface Missed {
  readonly isMissed: boolean;
  readonly isMissedByBaseline: boolean;
}

/** What becomes of each figure of an answer when it is replaced by a falsified one. */
function replacedIn(sample: Sample, falsify: Falsify, random: () => number): readonly Missed[] {
  const { text, results } = sample;
  return writtenFigures(text)
    .slice(0, MOST_REPLACED)
    .flatMap(({ text: figure }) => {
      const made = falsify(figure, random);
      const [one] = writtenFigures(made);
      if (made === figure || one === undefined) return [];
      const at = text.indexOf(figure);
      const changed = text.slice(0, at) + made + text.slice(at + figure.length);
      // An answer of the analyst has figures that the check knows nothing of: they must not make the replaced one look found.
      const isMissed = strangeIn(changed, sample).length <= strangeIn(text, sample).length;
      return [{ isMissed, isMissedByBaseline: !standsNowhere(one, results) }];
    });
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} % (${part} of ${whole})`;

const samples = await answered();
const figures = samples.reduce((sum, { text }) => sum + writtenFigures(text).length, 0);
const alarms = samples.map((sample) => strangeIn(sample.text, sample));
const bareAlarms = samples.map(({ text, results }) =>
  writtenFigures(text).filter((figure) => standsNowhere(figure, results)),
);
console.log(`${samples.length} right answers with ${figures} figures`);
console.log(`false alarms, figures: ${percent(alarms.flat().length, figures)}`);
console.log(`  baseline:            ${percent(bareAlarms.flat().length, figures)}`);

for (const [name, falsify] of Object.entries(FALSIFIED)) {
  const random = randomFrom(7);
  const all = samples.flatMap((sample) => replacedIn(sample, falsify, random));
  const missed = percent(all.filter(({ isMissed }) => isMissed).length, all.length);
  const byBaseline = percent(all.filter(({ isMissedByBaseline }) => isMissedByBaseline).length, all.length);
  console.log(`missed, ${name}: ${missed}; it stands in the results all the same: ${byBaseline}`);
}
