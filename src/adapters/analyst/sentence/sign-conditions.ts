import type { Comparison, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { onlyColumnAt } from './column-mentions.js';
import { comparedWith, type Condition } from './comparisons.js';
import { phraseSet, type Line, type PhraseSet } from './line.js';
import { theOnly } from './only.js';
import { operatorAt, unless } from './operators.js';
import type { Sentence } from './sentence.js';

const SIGNS: readonly (readonly [Comparison, PhraseSet])[] = [
  ['>', phraseSet('positive|above zero|greater than zero|more than zero|larger than zero|over zero')],
  ['<', phraseSet('negative|below zero|less than zero|under zero')],
  ['!=', phraseSet('nonzero|non zero|not zero|different from zero|other than zero|not equal to zero')],
  ['=', phraseSet('zero|equal to zero|exactly zero|equals zero')],
];

interface SignSaid {
  readonly operator: Comparison;
  readonly next: number;
}

/** `positive`, `non-zero`: how a figure stands to 0. */
export function signSaidAt(line: Line, at: number): SignSaid | null {
  let found: SignSaid | null = null;
  for (const [operator, phrases] of SIGNS) {
    const next = line.phrase(at, phrases);
    if (next !== null && next > (found?.next ?? at)) found = { operator, next };
  }
  return found;
}

function againstZero({ name }: ColumnFacts, operator: Comparison): Filter {
  return { kind: 'compare', column: name, operator, value: 0 };
}

/** `the fine is positive`: what is said of a column that was named. */
export function signOf(line: Line, column: ColumnFacts, at: number, negated: boolean): Condition | null {
  const sign = column.role === 'figure' ? signSaidAt(line, at) : null;
  return sign === null ? null : { filters: [againstZero(column, unless(negated, sign.operator))], next: sign.next };
}

const EXCLUDED = new Set(['excluded', 'omitted', 'ignored', 'disregarded', 'removed', 'aside', 'apart']);

/** `fault-free units`: none of what a column counts. */
export function freeOfAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const named = line.is(at + 1, 'free') ? onlyColumnAt(line, at) : null;
  if (named?.column.role !== 'figure' || named.next !== at + 1 || named.column.profile.min !== 0) return null;
  sentence.addFilters([againstZero(named.column, '=')]);
  return at + 2;
}

/** `positive fines`, `zero fines excluded`: a sign before its figure. The figure is read again where it is asked for. */
export function signedFigureAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const sign = signSaidAt(line, line.skip(at, new Set(['the', 'all', 'a'])));
  const named = sign === null ? null : onlyColumnAt(line, sign.next);
  if (sign === null || named?.column.role !== 'figure') return null;
  const isLeftOut = EXCLUDED.has(line.key(named.next));
  sentence.addFilters([againstZero(named.column, unless(isLeftOut, sign.operator))]);
  if (isLeftOut) return named.next + 1;
  return isDone(sentence, at, named.column) ? named.next : sign.next;
}

/** `accounts with a negative balance`, `the mean fine except zero fines`: nothing more is asked of the figure. */
function isDone(sentence: Sentence, at: number, column: ColumnFacts): boolean {
  const { line, rows, tail } = sentence;
  const isSaidOfRows = rows && line.is(at - 1, 'with', 'have', 'has', 'had', 'having', 'a');
  return tail && (isSaidOfRows || isKnown(sentence, column));
}

/** After `fine except zero` the figure is known already. */
function isKnown({ measures, columns }: Sentence, { name }: ColumnFacts): boolean {
  return columns.includes(name) || measures.some(({ column }) => column === name);
}

const WHERE = ['where', 'when', 'if', 'while', 'only', 'as', 'provided'];
const IT = ['it', 'they', 'this', 'that', 'these'];
const IS = new Set(['is', 'was', 'are', 'were', 'has', 'have', 'not']);

/** `the mean fine where it is above 2`, `the mean fine except zero`: of the one figure that was named. */
export function ofItselfAt(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const isZeroLeftOut = denied && line.is(at, 'zero', 'zeros', 'zeroes');
  const column = isZeroLeftOut || speaksOfIt(line, at) ? figureSaid(sentence) : null;
  if (column === null) return null;
  if (isZeroLeftOut) return { filters: [againstZero(column, '!=')], next: at + 1 };
  return signOf(line, column, at, denied) ?? comparedAt(sentence, column, at, denied);
}

/** Whether `where it is` stands right before. */
function speaksOfIt(line: Line, at: number): boolean {
  let place = at;
  while (IS.has(line.key(place - 1))) place -= 1;
  return line.is(place - 1, ...IT) && line.is(place - 2, ...WHERE);
}

function comparedAt(sentence: Sentence, column: ColumnFacts, at: number, negated: boolean): Condition | null {
  const operator = operatorAt(sentence.line, at);
  return operator === null ? null : comparedWith(sentence, column, { ...operator, negated });
}

/** The one figure that the question has named so far. */
function figureSaid(sentence: Sentence): ColumnFacts | null {
  const { measures, columns, rank } = sentence;
  const ranked = rank?.by.kind === 'column' ? [rank.by.column] : [];
  const named = new Set([...measures.flatMap(({ column }) => column ?? []), ...columns, ...ranked]);
  const figures = [...named]
    .flatMap((name) => sentence.columnNamed(name) ?? [])
    .filter(({ role }) => role === 'figure');
  return theOnly(figures);
}
