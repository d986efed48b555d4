import type { Comparison } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { VALUE_ALIASES } from '../synonyms.js';
import { stem } from '../text.js';
import { timeUnitOf } from '../time-words.js';
import { columnsMeasuredIn, convert, isMeasure } from '../units.js';
import { onlyOf, type ColumnHere } from './column-mentions.js';
import type { Condition } from './comparisons.js';
import { subjectAt } from './hints.js';
import { allConverted, numberList, oneNumber, numbersFilter, rangeFilter } from './number-lists.js';
import { theOnly } from './only.js';
import { operatorAt, rangeAt, trailingOperatorAt, unless } from './operators.js';
import type { Sentence } from './sentence.js';
import { yearColumns } from './time-conditions.js';

const BEFORE_COLUMN = new Set(['of', 'in', 'the', 'a']);

/** `more than 5 doors`, `under $20`, `2, 3 or 4 doors`, `3 or more doors`, `between 3 and 5 doors`. */
export function numberFirst(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const found = operatorAt(line, at);
  if (found === null) return plainNumber(sentence, at, denied);
  const again = comparedAgain(sentence, at);
  return found.operator === 'between'
    ? rangeFirst(sentence, found.next, { denied, again })
    : numbersFirst(sentence, { operator: found.operator, next: found.next }, { denied, again });
}

/** `40 to 49` after a verb that says of what: `aged 40 to 49`; `2 or 3 doors`. */
function plainNumber(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const manner = { denied, again: null };
  const span = rangeAt(sentence.line, at, 'to') === null ? null : rangeFirst(sentence, at, manner);
  return span ?? numbersFirst(sentence, { operator: '=', next: at }, manner);
}

interface Manner {
  readonly denied: boolean;
  /** What was compared just before, and may be meant again. */
  readonly again: ColumnFacts | null;
}

/** `gpa above 3 or below 2`: a comparison that is joined to another one goes on about the same column. */
function comparedAgain(sentence: Sentence, at: number): ColumnFacts | null {
  const { line, filters } = sentence;
  const isJoined = [1, 2].some((back) => line.is(at - back, 'or', 'and', 'but'));
  const filter = isJoined ? filters.flatMap((one) => (one.kind === 'any' ? one.of.flat() : [one])).at(-1) : undefined;
  return filter?.kind === 'compare' || filter?.kind === 'between'
    ? (sentence.columnNamed(filter.column) ?? null)
    : null;
}

function numbersFirst(
  sentence: Sentence,
  { operator, next }: { readonly operator: Comparison; readonly next: number },
  { denied, again }: Manner,
): Condition | null {
  const list = isOrdering(operator) ? oneNumber(sentence, next) : numberList(sentence, next);
  if (list === null) return null;
  const sign = trailingOperatorAt(sentence.line, list.next) ?? { operator, next: list.next };
  const named = figureAfter(sentence, sign.next, { unit: list.numbers[0].unit, again });
  if (named === null) return null;
  const values = allConverted(sentence, list.numbers, named.column);
  return values === null ? null : compared(named, values, unless(denied, operator === '=' ? sign.operator : operator));
}

/** Only one number can be more or less than. */
function isOrdering(operator: Comparison): boolean {
  return operator !== '=' && operator !== '!=';
}

function compared({ column, next }: FigureHere, values: readonly number[], operator: Comparison): Condition {
  return { filters: [numbersFilter(column, values, operator)], next };
}

function rangeFirst(sentence: Sentence, at: number, { denied, again }: Manner): Condition | null {
  const range = rangeAt(sentence.line, at, 'and', 'to');
  const named = range === null ? null : figureAfter(sentence, range.high.next, { unit: range.high.unit, again });
  if (range === null || named === null) return null;
  const ends = allConverted(sentence, [range.low, range.high], named.column);
  return ends === null ? null : { filters: [rangeFilter(named.column, ends, denied)], next: named.next };
}

type FigureHere = Pick<ColumnHere, 'column' | 'next'>;

/** The figure that a number is said of: named after it, spoken of by the verb before, or the only one in its unit. */
function figureAfter(
  sentence: Sentence,
  at: number,
  { unit, again }: { readonly unit: string | null; readonly again: ColumnFacts | null },
): FigureHere | null {
  const named = onlyOf(subjectAt(sentence.line, sentence.line.skip(at, BEFORE_COLUMN)));
  if (named?.column.role === 'figure' && named.strength >= 50) return named;
  return unit === null ? unmeasured(sentence, at, again) : measured(sentence, at, unit);
}

function unmeasured(sentence: Sentence, at: number, again: ColumnFacts | null): FigureHere | null {
  if (isPlainYear(sentence, at)) return null;
  const same = isYearsOld(sentence, at) ? null : again;
  const column = same ?? figureSpokenOf(sentence) ?? theOnly(figuresIn(sentence, at, null));
  return column === null ? null : { column, next: afterUnit(sentence, at) };
}

/** Where the table has years, a bare number like one is no other figure. */
function isPlainYear(sentence: Sentence, at: number): boolean {
  const piece = sentence.line.tokens[at - 1];
  return piece?.kind === 'number' && /^(19|20)\d\d$/.test(piece.text) && yearColumns(sentence).length > 0;
}

const EXTENT = new Set(['long', 'tall', 'wide', 'deep', 'high', 'away']);

/** `120 minutes long`. */
function measured(sentence: Sentence, at: number, unit: string): FigureHere | null {
  const fitting = figuresIn(sentence, at, unit);
  const column = figureSpokenOf(sentence) ?? theOnly(fitting) ?? ofExtent(sentence, at, fitting);
  return column === null ? null : { column, next: afterUnit(sentence, sentence.line.skip(at, EXTENT)) };
}

/** `at least 50 m high`: of several figures in that unit the one of which the adjective speaks. */
function ofExtent({ line }: Sentence, at: number, fitting: readonly ColumnFacts[]): ColumnFacts | null {
  const nouns = EXTENT_NOUNS.get(line.key(at)) ?? [];
  return theOnly(fitting.filter(({ words }) => words.some((word) => nouns.includes(word))));
}

const EXTENT_NOUNS: ReadonlyMap<string, readonly string[]> = new Map([
  ['high', ['height']],
  ['tall', ['height']],
  ['long', ['length', 'duration']],
  ['wide', ['width']],
  ['deep', ['depth']],
  ['away', ['distance']],
]);

function figureSpokenOf(sentence: Sentence): ColumnFacts | null {
  const years = yearColumns(sentence);
  return theOnly(sentence.hinted.filter((column) => column.role === 'figure' && !years.includes(column)));
}

/** Figures in a unit of measure; a bare number may be an age. */
function figuresIn(sentence: Sentence, at: number, unit: string | null): readonly ColumnFacts[] {
  const isAge = isYearsOld(sentence, at);
  const fitting = sentence.facts.columns.filter(
    (column) =>
      column.role === 'figure' &&
      !column.identifies &&
      (isMeasuredIn(column, unit) || (isAge && column.words.includes('age'))),
  );
  return fitting.length > 0 || unit !== null ? fitting : agesOf(sentence, at);
}

function isMeasuredIn(column: ColumnFacts, unit: string | null): boolean {
  if (unit === null) return false;
  const wanted = columnsMeasuredIn(unit).map(stem);
  return column.unit === unit || areOfAKind(unit, column.unit) || column.stems.some((word) => wanted.includes(word));
}

/** Minutes and hours: one can become the other. */
function areOfAKind(unit: string, other: string | null): boolean {
  return other !== null && isMeasure(unit) && isMeasure(other) && convert(1, unit, other) !== null;
}

function isYearsOld({ line }: Sentence, at: number): boolean {
  return line.is(at, 'years', 'year') && line.is(at + 1, 'old', 'of');
}

/** `patients over 65`: a bare number that persons are compared with is their age. */
function agesOf(sentence: Sentence, at: number): readonly ColumnFacts[] {
  const number = sentence.line.number(at - 1);
  if (
    !(sentence.rows || arePersons(sentence, at)) ||
    !isEndOfNumber(sentence, at) ||
    number === null ||
    number.value > 120
  )
    return [];
  if (sentence.line.has(0, at, 'scored')) return [];
  const ages = sentence.facts.columns.filter(({ words, role }) => role === 'figure' && words.at(-1) === 'age');
  return ages.length === 1 ? ages : ages.filter(({ words }) => words.length === 1);
}

/** `women between 30 and 40`. */
function arePersons({ line }: Sentence, at: number): boolean {
  return line.has(0, at, ...VALUE_ALIASES.keys(), 'people', 'person', 'persons');
}

const AFTER_NUMBER =
  ', and or in from with who by per for old years have has had are were is was do did at on without that than'.split(
    ' ',
  );

function isEndOfNumber({ line }: Sentence, at: number): boolean {
  return at >= line.end || line.is(at, ...AFTER_NUMBER);
}

/** `older than 30 years of age`. */
export function afterUnit({ line }: Sentence, at: number): number {
  if (line.is(at, 'times') && line.is(at + 1, 'a', 'per', 'each') && timeUnitOf(line.key(at + 2)) !== null)
    return at + 3;
  const years = line.is(at, 'years', 'year') ? at + 1 : at;
  if (line.is(years, 'old')) return years + 1;
  return line.is(years, 'of') && line.is(years + 1, 'age') ? years + 2 : years;
}
