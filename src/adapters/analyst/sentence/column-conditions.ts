import type { Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import { convert } from '../units.js';
import { isYear } from '../year-columns.js';
import { onlyOf } from './column-mentions.js';
import { comparedWith, type Condition } from './comparisons.js';
import { directionFor } from './directions.js';
import { flagFilter, isFlag } from './flags.js';
import { subjectAt } from './hints.js';
import { phraseSet, type Line } from './line.js';
import { missingFilters } from './missing-filter.js';
import { allConverted, inThousands, numberList, numbersFilter, pastUnit, rangeFilter } from './number-lists.js';
import { theOnly } from './only.js';
import { operatorAt, rangeAt, trailingOperatorAt, turned, unless, type OperatorMention } from './operators.js';
import type { Sentence } from './sentence.js';
import { signOf } from './sign-conditions.js';
import { textConditionAt } from './text-conditions.js';
import { momentFilter, stretchAt, yearColumns, type Stretch } from './time-conditions.js';
import { valuesAt } from './value-conditions.js';
import { valueAt } from './value-mentions.js';

const COPULAS = new Set(
  'is are was were be been being of has have had a an the value values that which as its their in on by at from to set named called equals with either both listed recorded score mark marks amount rate count number level equal lies lie lay falls fall fell ranges range ranged stands stood remains remained stays stayed amounts amounted'.split(
    ' ',
  ),
);
const NOT = new Set('not isnt arent wasnt werent no never except excluding neither doesnt dont'.split(' '));
const NULLS = phraseSet(
  'missing|null|empty|blank|unknown|unset|not set|not determined|not measured|not tested|not noted|not entered|not reported|not provided|not filled in|not documented|not stated|not taken|left blank|left empty|not been recorded|not been measured|not known|not available|not recorded|not given|not specified|undefined|not filled|nulls|na',
);
const PRESENT = phraseSet('not missing|not null|not empty|not blank|known|present|available|recorded|not unknown');

/** `rating is above 8`, `country is not France`, `price between 5 and 10`, `home score higher than away score`. */
export function columnConditionAt(sentence: Sentence, at: number, negated: boolean): Condition | null {
  const mention = subjectAt(sentence.line, at);
  if (mention === null || mention.together) return null;
  const place = toOperator(sentence, mention.next);
  const compare = { at: place.at, negated: negated !== place.denied };
  if (beginsRanking(sentence.line, place.at)) return null;
  const subject = onlyOf(mention);
  return subject === null
    ? valueOf(sentence, mention.columns, compare)
    : saidOf(sentence, subject.column, { at: mention.next, negated }, compare);
}

/** In `price of the ten dearest cars` the number is how many of them. */
function beginsRanking(line: Line, at: number): boolean {
  const number = line.number(at);
  if (number === null) return false;
  const isMost = line.is(number.next, 'most', 'least', 'highest', 'lowest', 'largest', 'smallest', 'biggest', 'best');
  return isMost || adjectiveOf(line.key(number.next), 'superlative') !== null;
}

/** What is said of a column, right after its name or after the small words that follow it. */
function saidOf(sentence: Sentence, column: ColumnFacts, spot: Spot, compare: Spot): Condition | null {
  return (
    emptyTest(sentence, column, spot) ??
    (isYear(column) ? timeOf(sentence, column, spot) : null) ??
    signOf(sentence.line, column, compare.at, compare.negated) ??
    textConditionAt(sentence, column, spot) ??
    (isBareYear(sentence, column, spot.at) ? null : compared(sentence, column, compare)) ??
    valueOf(sentence, [column], compare)
  );
}

/** In `revenue 2023` the number is no value of the column. */
function isBareYear(sentence: Sentence, column: ColumnFacts, at: number): boolean {
  const piece = sentence.line.tokens[at];
  return piece?.kind === 'number' && /^(19|20)\d\d$/.test(piece.text) && !yearColumns(sentence).includes(column);
}

interface Spot {
  readonly at: number;
  readonly negated: boolean;
}

/** Over the small words between a column and what it is compared with, up to an operator. */
function toOperator({ line }: Sentence, from: number): { readonly at: number; readonly denied: boolean } {
  let at = from;
  let denied = false;
  while (operatorAt(line, at) === null && !isCode(line, at) && (COPULAS.has(line.key(at)) || NOT.has(line.key(at)))) {
    if (NOT.has(line.key(at))) denied = !denied;
    at += 1;
  }
  return { at, denied };
}

/** `berth A 1`: what looks like an article is the beginning of a value. */
function isCode(line: Line, at: number): boolean {
  return line.is(at, 'a') && valueAt(line, at)?.partial === false;
}

function emptyTest(sentence: Sentence, column: ColumnFacts, { at, negated }: Spot): Condition | null {
  const { line } = sentence;
  const place = line.skip(at, new Set(['is', 'are', 'was', 'were', 'has', 'have', 'been', 'value', 'values', 'being']));
  const present = line.phrase(place, PRESENT);
  const missing = present ?? line.phrase(place, NULLS);
  if (missing === null || (present !== null && place === at)) return null;
  const next = line.skip(missing, new Set(['value', 'values']));
  return { filters: missingFilters(column, (present !== null) !== negated), next };
}

function valueOf(sentence: Sentence, columns: readonly ColumnFacts[], { at, negated }: Spot): Condition | null {
  const only = theOnly(columns);
  const told = only !== null && isFlag(only) ? booleanIs(sentence, only, { at, negated }) : null;
  if (told !== null || only?.role === 'boolean') return told;
  const found = valuesAt(sentence, at, { columns, named: true, preposition: '', negated });
  return found === null ? null : { filters: [found.filter], next: found.next };
}

function booleanIs({ line }: Sentence, column: ColumnFacts, { at, negated }: Spot): Condition | null {
  const word = line.key(at);
  const said = /^(true|yes|y)$/.test(word) ? true : /^(false|no|n)$/.test(word) ? false : null;
  if (said === null) return null;
  return { filters: [flagFilter(column, said !== negated)], next: at + 1 };
}

/** What a column of numbers or times is compared with. */
function compared(sentence: Sentence, column: ColumnFacts, spot: Spot): Condition | null {
  if (column.role === 'time') return timeOf(sentence, column, spot);
  const operator = operatorAt(sentence.line, spot.at);
  if (operator === null) return column.role === 'figure' ? numbersOf(sentence, column, spot) : null;
  if (operator.operator === 'between') return betweenNumbers(sentence, column, { ...spot, at: operator.next });
  return comparedWith(sentence, column, { ...operator, operator: directed(column, operator), negated: spot.negated });
}

/** `tickets cheaper than 9`: which way an adjective compares. */
function directed(column: ColumnFacts, { operator, adjective }: OperatorMention): OperatorMention['operator'] {
  if (adjective === null || operator === 'between') return operator;
  return turned(operator, directionFor(column, adjective.hints) ?? 'desc');
}

/** Years, a range or a list of numbers, with no operator before them. */
function numbersOf(sentence: Sentence, column: ColumnFacts, spot: Spot): Condition | null {
  const years = yearColumns(sentence).includes(column) ? timeOf(sentence, column, spot) : null;
  if (years !== null) return years;
  const isSpan = rangeAt(sentence.line, spot.at, 'to') !== null;
  return isSpan ? betweenNumbers(sentence, column, spot) : numbersFrom(sentence, column, spot);
}

function timeOf(sentence: Sentence, column: ColumnFacts, { at, negated }: Spot): Condition | null {
  const stretch = stretchAt(sentence, at);
  if (stretch === null || negated) return null;
  const filter = momentFilter(column, stretch);
  if (typeof filter === 'string' || isOneYear(column, stretch, filter)) return null;
  return { filters: [filter], next: stretch.next };
}

/** One year alone may be the first of a list of numbers. */
function isOneYear({ role }: ColumnFacts, { from, to }: Stretch, { kind }: Filter): boolean {
  return role === 'figure' && from !== null && to !== null && kind === 'compare';
}

function betweenNumbers(sentence: Sentence, column: ColumnFacts, { at, negated }: Spot): Condition | null {
  const range = rangeAt(sentence.line, at, 'and', 'to');
  if (range === null || column.role !== 'figure') return null;
  const ends = [range.low, range.high].map(({ value, unit }) => convert(inThousands(value, column), unit, column.unit));
  const known = ends.filter((end) => end !== null);
  if (known.length < ends.length) return null;
  return { filters: [rangeFilter(column, known, negated)], next: pastUnit(sentence.line, range.high.next, column) };
}

/** `2, 3 or 4` after the name of a column, `8 or more`. */
function numbersFrom(sentence: Sentence, column: ColumnFacts, { at, negated }: Spot): Condition | null {
  const list = numberList(sentence, at);
  const values = list === null ? null : allConverted(sentence, list.numbers, column);
  if (list === null || values === null) return null;
  const plain = { operator: '=' as const, next: list.next };
  const isOne = values.length === 1;
  const { operator, next } = (isOne ? trailingOperatorAt(sentence.line, list.next) : null) ?? plain;
  return {
    filters: [numbersFilter(column, values, unless(negated, operator))],
    next: pastUnit(sentence.line, next, column),
  };
}
