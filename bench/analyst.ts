/**
 * How well the built-in analyst answers: questions about small tables, asked as the service asks them but for HTTP, against gold answers that
 * were written as SQL by hand and run on a DuckDB of their own. Baseline: a program that answers everything with the number of rows.
 *
 *   npm run bench:analyst [-- --group table] [--kind filter] [--table orders] [--id orders-t01,…] [--failures] [--held-out [--author 4]]
 *
 * `--failures` prints each question that was not answered rightly, with what was wanted and told; `--id` prints those questions whatever became of
 * them. `--held-out` asks those that are kept apart: whoever works on the analyst does not read them, nor what became of them. With `--author` only
 * those of one of their four authors, who came one after the other.
 */
import { parseArgs } from 'node:util';
import { BuiltInAnalyst } from '../src/adapters/analyst/built-in-analyst.js';
import { ask, type Asked } from './analyst/asked.js';
import { GoldAnswers } from './analyst/gold.js';
import { developmentQuestions, heldOutQuestions } from './analyst/question-files.js';
import type { Question } from './analyst/question.js';
import { printAsked, printReport } from './analyst/report.js';
import { RowCounter } from './analyst/row-counter.js';
import { BenchWorld, type ImportedTable } from './analyst/world.js';

const text = { type: 'string' } as const;
const { values: wanted } = parseArgs({
  options: {
    'held-out': { type: 'boolean' },
    group: text,
    kind: text,
    table: text,
    id: text,
    failures: { type: 'boolean' },
    author: text,
  },
});
const ids = wanted.id?.split(',');

function isWanted(question: Question): boolean {
  const named = (['group', 'kind', 'table'] as const).every(
    (name) => question[name] === (wanted[name] ?? question[name]),
  );
  return named && (ids?.includes(question.id) ?? true);
}

async function askAll(
  world: BenchWorld,
  questions: readonly Question[],
  tables: ReadonlyMap<string, ImportedTable>,
): Promise<{ readonly all: readonly Asked[]; readonly lucky: readonly Asked[] }> {
  const golds = await GoldAnswers.open();
  const [analyst, baseline] = [world.answeringWith(new BuiltInAnalyst()), world.answeringWith(new RowCounter())];
  const [all, lucky]: [Asked[], Asked[]] = [[], []];
  for (const [name, table] of tables) {
    await golds.use(table.table, table.path);
    for (const question of questions.filter((one) => one.table === name)) {
      const known = { table, gold: await golds.of(question) };
      all.push(await ask(analyst, question, known));
      lucky.push(await ask(baseline, question, known));
    }
  }
  return { all, lucky };
}

const known = wanted['held-out'] === true ? heldOutQuestions(wanted.author) : developmentQuestions();
const questions = (await known).filter(isWanted);
if (questions.length === 0) throw new Error('there is no such question');
const world = await BenchWorld.open();
try {
  const tables = await world.importAll(new Set(questions.map(({ table }) => table)));
  const lost = questions.filter(({ table }) => !tables.has(table));
  if (lost.length > 0) throw new Error(`there is no table for ${lost.map(({ id }) => id).join(', ')}`);
  const { all, lucky } = await askAll(world, questions, tables);
  const isRight = ({ outcome }: Asked): boolean => outcome === 'exact' || outcome === 'right';
  if (wanted.failures === true || ids !== undefined) {
    all.filter((one) => ids !== undefined || !isRight(one)).forEach(printAsked);
    console.log('');
  }
  printReport(all, lucky);
} finally {
  await world.close();
}
