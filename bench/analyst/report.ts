import { quantile } from '../device-rows.js';
import type { Asked, Outcome } from './asked.js';
import { GROUPS } from './question.js';

const SHOWN_ROWS = 6;
const SHOWN_WORDS = 700;

/** Prints shares by group and kind. `lucky`: what the baseline made of the same questions, in the same order. */
export function printReport(all: readonly Asked[], lucky: readonly Asked[]): void {
  console.log(line(['', 'asked', 'exact', 'right', 'wrong', 'refused', 'failed', 'unread', 'by luck']));
  for (const group of GROUPS) {
    const some = all.filter(({ question }) => question.group === group);
    if (some.length === 0) continue;
    const byLuck = lucky.filter(({ question }) => question.group === group);
    console.log(figures(group.toUpperCase(), some, byLuck));
    for (const kind of [...new Set(some.map(({ question }) => question.kind))].sort()) {
      const ofKind = (one: Asked): boolean => one.question.kind === kind;
      console.log(figures(`  ${kind}`, some.filter(ofKind), byLuck.filter(ofKind)));
    }
  }
  console.log(
    '\nexact: right and nothing else; right: exact ones and those with surplus columns or another rounding; wrong: told as the answer, or, of\n' +
      'unanswerable questions, answered at all; unread: questions with words that the reader says it did not read',
  );
  printTimes(all);
}

function figures(name: string, some: readonly Asked[], lucky: readonly Asked[]): string {
  const count = (...outcomes: readonly Outcome[]): number =>
    some.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const luck = lucky.filter(({ outcome }) => outcome === 'exact' || outcome === 'right').length;
  return line([
    name,
    some.length,
    share(count('exact'), some.length),
    share(count('exact', 'right'), some.length),
    share(count('wrong'), some.length),
    share(count('refused'), some.length),
    share(count('failed'), some.length),
    share(some.filter(({ unread }) => unread.length > 0).length, some.length),
    share(luck, lucky.length),
  ]);
}

function share(part: number, whole: number): string {
  return whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`;
}

function line(cells: readonly (string | number)[]): string {
  const [name = '', ...rest] = cells;
  return String(name).padEnd(28) + rest.map((cell) => String(cell).padStart(10)).join('');
}

function printTimes(all: readonly Asked[]): void {
  const told = (name: string, times: readonly number[]): void => {
    const [p50, p95] = [quantile(times, 0.5).toFixed(1), quantile(times, 0.95).toFixed(1)];
    console.log(`${name}: p50 ${p50} ms, p95 ${p95} ms, longest ${Math.max(...times).toFixed(1)} ms`);
  };
  console.log('');
  told(
    'reading alone',
    all.map(({ readMs }) => readMs),
  );
  told(
    'whole answers, charts drawn',
    all.map(({ answerMs }) => answerMs),
  );
}

/** Prints what was asked, wanted and told. */
export function printAsked({ question, outcome, answerKind, response, queries, gold, unread }: Asked): void {
  console.log(
    `\n${outcome.toUpperCase()}  ${question.id}  (${question.group}, ${question.kind}; table ${question.table})`,
  );
  console.log(`  asked:  ${question.question}`);
  if (question.expect.kind !== 'refuse') console.log(`  gold:   ${question.expect.sql}`);
  console.log(`  wanted: ${wantedOf(gold)}`);
  console.log(`  told (${answerKind}): ${response.replaceAll(/\s*\n\s*/g, ' | ').slice(0, SHOWN_WORDS)}`);
  for (const { plan, result } of queries) {
    console.log(`  plan:   ${JSON.stringify(plan)}`);
    console.log(`  rows:   ${String(result.rows.length)}: ${rowsOf(result.rows)}`);
  }
  if (unread.length > 0) console.log(`  unread: ${unread.join(', ')}`);
}

function wantedOf(gold: Asked['gold']): string {
  switch (gold.kind) {
    case 'refuse':
      return 'a refusal or a question back';
    case 'rows':
      return `${String(gold.wanted.rows.length)} rows: ${rowsOf(gold.wanted.rows)}`;
    case 'figures': {
      const { cells, verdict, decimals } = gold.wanted;
      const judged = verdict === null ? '' : `, ${verdict.about}: ${verdict.holds ? 'yes' : 'no'}`;
      return `${JSON.stringify(cells)}${decimals === null ? '' : ` at ${String(decimals)} decimals`}${judged}`;
    }
  }
}

function rowsOf(rows: readonly (readonly unknown[])[]): string {
  return `${JSON.stringify(rows.slice(0, SHOWN_ROWS))}${rows.length > SHOWN_ROWS ? ' …' : ''}`;
}
