import type { Aggregate, Comparison, Filter } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { AGGREGATE_WORDS } from './aggregates.js';
import { columnAt, onlyColumnAt, onlyOf } from './column-mentions.js';
import { phraseSet, type Line } from './line.js';
import { multipleAt, type Multiple } from './multiples.js';
import { dayAt, namesakeAt, rowNounAt } from './nouns.js';
import { converted, numberFilter, pastUnit } from './number-lists.js';
import { turned, unless, type OperatorMention } from './operators.js';
import type { Sentence } from './sentence.js';
import { valuesAt } from './value-conditions.js';
import { valueAt } from './value-mentions.js';

/** What a rule made of the words from a place on. */
export interface Condition {
  readonly filters: readonly Filter[];
  readonly next: number;
}

export interface Compare extends OperatorMention {
  readonly negated: boolean;
}

/** A number, a figure over the table such as its average, or another column. */
export function comparedWith(sentence: Sentence, column: ColumnFacts, compare: Compare): Condition | null {
  if (compare.operator === 'between') return null;
  const operator = unless(compare.negated, compare.operator);
  const multiple = multipleAt(sentence.line, compare.next);
  if (multiple !== null && isCompared(sentence, multiple.next))
    return withMultiple(sentence, column, operator, multiple);
  return (
    withNumber(sentence, column, operator, compare.next) ??
    withFigure(sentence, column, operator, compare.next) ??
    withColumn(sentence, column, operator, compare.next)
  );
}

function withNumber(sentence: Sentence, column: ColumnFacts, operator: Comparison, at: number): Condition | null {
  const number = sentence.line.number(sentence.line.skip(at, new Set(['the', 'a', 'an'])));
  if (number === null || column.role !== 'figure') return null;
  const value = converted(sentence, number, column);
  return value === null
    ? null
    : { filters: [numberFilter(column, operator, value)], next: pastUnit(sentence.line, number.next, column) };
}

const OF_ALL = phraseSet(
  'of all|for all|over all|across all|among all|of everyone|of them all|overall|in total|of the table|in the data|in the dataset',
);
const BEFORE_FIGURE = new Set(['the', 'their', 'its', 'overall', 'an']);
const AFTER_FIGURE = new Set(['of', 'the', 'value']);

/** `above the average`, `higher than the average rating of all films`. */
function withFigure(
  sentence: Sentence,
  column: ColumnFacts,
  operator: Comparison,
  at: number,
  read: typeof figureAt = figureAt,
): Condition | null {
  const { line } = sentence;
  const start = line.skip(at, BEFORE_FIGURE);
  const figure = canBeAgainst(line, start, column) ? read(line, start) : null;
  if (figure === null) return null;
  const against = { kind: 'against', column: column.name, operator, aggregate: figure.aggregate } as const;
  const place = line.skip(figure.next, AFTER_FIGURE);
  const kind = kindAt(sentence, place);
  if (kind !== null) return ofKind(sentence, { ...against, reach: 'matching' }, kind);
  const of = figureColumnAt(sentence, place);
  if (of === null || isOverSome(line, of)) return null;
  const other = isOther(of.column, column) ? { of: of.column.name } : {};
  return { filters: [{ ...against, ...other, reach: 'all' }], next: afterAll(sentence, of.next) };
}

/** Whether a figure or a column stands here, of which a multiple can be meant; three times may also be how often. */
function isCompared({ line }: Sentence, at: number): boolean {
  const start = line.skip(at, BEFORE_FIGURE);
  return start > at || figureOrExtremeAt(line, start) !== null || onlyColumnAt(line, start) !== null;
}

/** `twice the average`, `20 % below the mean`. */
function withMultiple(
  sentence: Sentence,
  column: ColumnFacts,
  operator: Comparison,
  { factor, isBelow, next }: Multiple,
): Condition | null {
  if (column.role !== 'figure' || factor <= 0) return null;
  const compared = withFigure(sentence, column, isBelow ? turned(operator, 'asc') : operator, next, figureOrExtremeAt);
  if (compared === null) return null;
  const filters = compared.filters.map((filter) => (filter.kind === 'against' ? { ...filter, factor } : filter));
  return { ...compared, filters };
}

function canBeAgainst(line: Line, at: number, column: ColumnFacts): boolean {
  return isMeasured(column) && !isOtherColumn(line, at, column);
}

/** `the maximum number of guests`, where a column of the row is called so. */
function isOtherColumn(line: Line, at: number, { name }: ColumnFacts): boolean {
  const named = onlyColumnAt(line, at);
  return named !== null && named.strength >= 84 && named.next > at + 1 && named.column.name !== name;
}

/** `the average of their department` is another figure for every row. */
const OWN = ['their', 'its', 'his', 'her', 'same', 'each', 'that', 'own'];

interface Figure {
  readonly aggregate: Aggregate;
  readonly next: number;
}

/** A figure over all rows that each of them can be compared with. */
function figureAt(line: Line, at: number): Figure | null {
  for (const { aggregate, phrases } of AGGREGATE_WORDS) {
    const next = line.phrase(at, phrases);
    if (next !== null) return /^(avg|median|max|min)$/.test(aggregate) ? { aggregate, next } : null;
  }
  return null;
}

/** A multiple of the highest or the lowest is meant of all rows. */
function figureOrExtremeAt(line: Line, at: number): Figure | null {
  const extreme = EXTREMES.get(line.key(at));
  return extreme === undefined ? figureAt(line, at) : { aggregate: extreme, next: at + 1 };
}

const EXTREMES: ReadonlyMap<string, Aggregate> = new Map([
  ...['highest', 'largest', 'biggest'].map((word) => [word, 'max'] as const),
  ...['lowest', 'smallest'].map((word) => [word, 'min'] as const),
]);

interface Kind {
  readonly filter: Filter;
  readonly next: number;
}

/** `the average diesel car`: rows of one kind. */
function kindAt(sentence: Sentence, at: number): Kind | null {
  if (valueAt(sentence.line, at)?.partial !== false) return null;
  const kind = valuesAt(sentence, at, { columns: [], named: false, preposition: '', negated: false });
  const next = kind === null ? null : (rowNounAt(sentence, kind.next) ?? dayAt(sentence, kind.next));
  return kind === null || next === null ? null : { filter: kind.filter, next };
}

function isOverSome(line: Line, of: FigureColumn): boolean {
  return isOfSome(line, of.next) || isOfKind(line, of);
}

/** The figure is over the rows that are asked for, where they are of that kind. */
function ofKind({ filters }: Sentence, against: Filter, { filter, next }: Kind): Condition | null {
  const same = JSON.stringify(filter);
  return filters.some((one) => JSON.stringify(one) === same) ? { filters: [against], next } : null;
}

/** `the average delay of Kestrel Air`: a figure over some of the rows can't be told apart from the rows that are wanted. */
function isOfSome(line: Line, at: number): boolean {
  const place = line.skip(at + 1, new Set(['the', 'all']));
  return line.is(at, ...OWN) || (line.is(at, 'of', 'for') && valueAt(line, place)?.partial === false);
}

/** `the average liability policyholder`, `the lowest of all museums opened after 2000`: a figure over some of the rows. */
function isOfKind(line: Line, { column, next }: FigureColumn): boolean {
  if (column === null && valueAt(line, next)?.partial === false) return true;
  const noun = line.skip(next, OF_ALL_ROWS);
  const rows = noun === next ? null : rowNounAt({ line }, noun);
  return rows !== null && (line.is(rows, ...CHOOSING_ROWS) || /(?:ed|en)$/.test(line.key(rows)));
}

const OF_ALL_ROWS = new Set(['of', 'for', 'among', 'in', 'all', 'the']);
const CHOOSING_ROWS = [
  'in',
  'from',
  'with',
  'without',
  'that',
  'who',
  'which',
  'whose',
  'before',
  'after',
  'since',
  'at',
  'by',
  'of',
];

function isOther(of: ColumnFacts | null, column: ColumnFacts): of is ColumnFacts {
  return of !== null && of.name !== column.name;
}

interface FigureColumn {
  /** `null` where none is named, and the figure is of the column that is compared. */
  readonly column: ColumnFacts | null;
  readonly next: number;
}

/** The column that a figure is of; `null` where what is named has no such figure. */
function figureColumnAt(sentence: Sentence, at: number): FigureColumn | null {
  const ofItself = { column: null, next: at };
  const named = columnAt(sentence.line, at);
  if (sentence.line.is(at, 'number', 'amount', 'count') && named === null) return null;
  if (named === null) return ofItself;
  const only = onlyOf(named);
  if (only !== null && isMeasured(only.column)) return only;
  return (rowNounAt(sentence, at) ?? namesakeAt(sentence, at)) === null ? null : ofItself;
}

function isMeasured({ role }: ColumnFacts): boolean {
  return role === 'figure' || role === 'time';
}

/** `of all films` after an average says what goes without saying. */
function afterAll(sentence: Sentence, at: number): number {
  const { line } = sentence;
  const all =
    line.phrase(at, OF_ALL) ?? (line.is(at, 'of', 'for', 'in') && line.is(at + 1, 'the', 'all') ? at + 2 : null);
  if (all === null) return namesakeAt(sentence, at) ?? at;
  const noun = line.skip(all, new Set(['the']));
  return rowNounAt(sentence, noun) ?? line.phrase(at, OF_ALL) ?? at;
}

function withColumn({ line }: Sentence, column: ColumnFacts, operator: Comparison, at: number): Condition | null {
  const other = onlyColumnAt(line, line.skip(at, new Set(['the', 'its', 'their', 'of', 'that'])));
  if (other === null || other.strength < 60 || !areComparable(column, other.column, operator)) return null;
  return {
    filters: [{ kind: 'columns', left: column.name, operator, right: other.column.name }],
    next: other.next,
  };
}

/** Numbers and times have an order; of texts only whether they are the same can be asked. */
function areComparable(left: ColumnFacts, right: ColumnFacts, operator: Comparison): boolean {
  if (left.role !== right.role || left.name === right.name) return false;
  return isMeasured(left) || operator === '=' || operator === '!=';
}
