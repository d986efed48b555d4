/**
 * How well the built-in analyst answers: it reads the questions of the corpus' development part as the service does, in the conversations in
 * which they were asked, and its plans are compared with gold answers that were written as SQL by hand. Nothing was learned from those
 * tables or authors. Baseline: a program that answers everything with the number of rows.
 *
 *   npm run bench:analyst [-- --test] [--author a17] [--family rank] [--failures] [--wide]
 *
 * `--failures` prints each question that was not answered rightly, and how it was read. `--test` asks those that are kept apart: whoever
 * works on the analyst reads neither them nor what became of one of them, so that only totals are printed. `--wide` only reads, over a
 * table of 200 columns and 10,000 different values.
 */
import { parseArgs } from 'node:util';
import { groupedBy } from '../src/analyst/reading/words.js';
import { askAll, type Asked, type Outcome } from './reader/asked.js';
import { understandAll } from '../src/analyst/understand.js';
import { corpusQuestions, corpusTables, tablesIn } from './reader/corpus.js';
import { wideTable } from './reader/wide-table.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const { values: wanted } = parseArgs({
  options: { test: flag, author: text, family: text, failures: flag, wide: flag },
});
if (wanted.test && wanted.failures) throw new Error('what became of a question of the test part is not to be seen');

const percent = (part: number, whole: number): string =>
  whole === 0 ? '–' : `${part} (${((100 * part) / whole).toFixed(0)} %)`;

const OUTCOMES = ['right', 'wrong', 'offered', 'refused'] as const;
const COLUMNS = ['answerable', ...OUTCOMES, 'unanswerable', 'answered'];

function printCells(name: string, cells: readonly string[]): void {
  console.log(name.padEnd(30) + cells.map((cell) => cell.padStart(14)).join(''));
}

function count(all: readonly Asked[], outcome: Outcome): number {
  return all.filter((one) => one.outcome === outcome).length;
}

function printRow(name: string, all: readonly Asked[]): void {
  const answerable = all.filter(({ question }) => question.none === undefined);
  const outcomes = OUTCOMES.map((outcome) => percent(count(answerable, outcome), answerable.length));
  const unanswerable = all.length - answerable.length;
  const answered = percent(count(all, 'answered'), unanswerable);
  printCells(name, [String(answerable.length), ...outcomes, String(unanswerable), answered]);
}

function printTable(all: readonly Asked[]): void {
  printCells('', COLUMNS);
  const keys = wanted.test ? [] : [(one: Asked) => one.question.family, (one: Asked) => one.author];
  for (const keyOf of keys) {
    const groups = groupedBy(all, keyOf);
    for (const key of [...groups.keys()].sort()) printRow(key, groups.get(key) ?? []);
    console.log('');
  }
  const strange = all.filter(({ isKnownTable }) => !isKnownTable);
  if (strange.length < all.length) {
    printRow(
      'tables of the training',
      all.filter(({ isKnownTable }) => isKnownTable),
    );
    printRow('tables never seen', strange);
  }
  printRow('in all', all);
  const right = groupedBy(
    all.filter(({ outcome }) => outcome === 'right'),
    ({ grade }) => grade,
  );
  const [surplus, listed] = (['surplus', 'listed'] as const).map((grade) => right.get(grade)?.length ?? 0);
  console.log(
    `\nOf the right ones ${surplus} show columns that were not asked for; ${listed} list rows, under their number, where it was asked for.`,
  );
}

/** What would be answered, and how much of it rightly, if a reading had to be that sure. */
function printCurve(all: readonly Asked[]): void {
  console.log('');
  printCells('confidence at least', ['answered', 'right of it']);
  for (let tenth = 3; tenth <= 9; tenth++) {
    const sure = all.filter(({ first }) => first.confidence >= tenth / 10);
    const right = sure.filter(({ first }) => first.isRight).length;
    printCells((tenth / 10).toFixed(1), [percent(sure.length, all.length), percent(right, sure.length)]);
  }
}

function printTimes(milliseconds: readonly number[]): void {
  const times = milliseconds.toSorted((a, b) => a - b);
  const at = (share: number): string => (times[Math.ceil(share * times.length) - 1] ?? 0).toFixed(1);
  console.log(`\nreading one message: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, at most ${at(1)} ms`);
}

function printFailure({ question, outcome, parts }: Asked): void {
  console.log(`\n${question.id}  ${question.table}  ${question.family}  ${outcome.toUpperCase()}`);
  console.log(`  asked: ${question.q}${question.after === undefined ? '' : `   (after ${question.after})`}`);
  for (const gold of [question.sql ?? []].flat()) console.log(`  gold:  ${gold}`);
  if (question.none !== undefined) console.log(`  none:  ${question.none}`);
  for (const { understanding } of parts) {
    switch (understanding.kind) {
      case 'plan':
        console.log(`  read:  ${understanding.purpose}  (${understanding.confidence.toFixed(2)})`);
        break;
      case 'choice':
        for (const { purpose } of understanding.readings) console.log(`  maybe: ${purpose}`);
        break;
      case 'unclear':
        console.log(`  unread: ${understanding.unread.join(', ')}`);
    }
  }
}

/** Each question twice: the first time readies the program. */
async function readWide(): Promise<void> {
  const { briefing, questions } = await wideTable();
  const times = [...questions, ...questions].map(({ text: message, now }) => {
    const begun = performance.now();
    understandAll(message, briefing, [], now);
    return performance.now() - begun;
  });
  console.log(`${questions.length} questions over ${briefing.profile.columns.length} columns`);
  printTimes(times.slice(questions.length));
}

if (wanted.wide) {
  await readWide();
  process.exit(0);
}
const split = wanted.test ? 'test' : 'development';
const sets = [...(await corpusQuestions(split))].filter(([author]) => author === (wanted.author ?? author));
const trained = tablesIn(await corpusQuestions('train'));
const everything = await askAll(new Map(sets), { tables: await corpusTables(), trained, isSecret: wanted.test });
const all = everything.filter(({ question }) => question.family === (wanted.family ?? question.family));
if (all.length === 0) throw new Error('there is no such question');
if (wanted.failures) {
  all.filter(({ outcome }) => outcome !== 'right' && outcome !== 'declined').forEach(printFailure);
  console.log('');
}
printTable(all);
printCurve(all);
printTimes(all.map(({ milliseconds }) => milliseconds));
const lucky = all.filter(({ isRowCount }) => isRowCount).length;
console.log(`answering everything with the number of rows: ${((100 * lucky) / all.length).toFixed(1)} %`);
process.exit(0);
