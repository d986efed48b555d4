import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import type { MeasureDraft } from '../../../analyst/reading/draft.js';
import { isNamesake, rowNounAt } from './nouns.js';
import type { HavingPart, Item, Sentence } from './sentence.js';
import { subjectAt } from './hints.js';
import { columnAt, onlyOf } from './column-mentions.js';
import { phraseSet, type Line } from './line.js';
import { onlyFigureAt } from './only.js';
import { signAt } from './operators.js';
import { isObject } from './said-before.js';

const ON_AVERAGE = phraseSet('on average|on an average|in average|typically');
const IN_TOTAL = phraseSet('in total|altogether|in sum|combined|summed|summed up|added up|taken together');
const COMES_TO = phraseSet(
  'add up to|adds up to|sum up to|sum to|sums to|amount to|amounts to|come to|comes to|summed over|summed across|added up over|totalled over|totaled over',
);
const AFTER_SUM = new Set(['all', 'the', 'in', 'total', 'altogether']);

interface Postfix {
  readonly aggregate: Aggregate;
  readonly next: number;
}

/** What is done to the figure that was named just before: `fines in total`, `rating on average`. */
function postfixAt(line: Line, at: number): Postfix | null {
  const average = line.phrase(at, ON_AVERAGE);
  if (average !== null) return { aggregate: 'avg', next: average };
  const total = line.phrase(at, IN_TOTAL);
  return total === null ? null : { aggregate: 'sum', next: total };
}

/** `the fines in total and the rating on average`: figures whose aggregate stands after them. */
export function postfixedFigureAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const named = onlyFigureAt(line, line.skip(at, new Set(['the', 'their', 'its'])));
  const postfix = named === null ? null : postfixAt(line, named.next);
  if (named === null || postfix === null || named.strength < 60 || named.column.identifies) return null;
  sentence.addMeasure({ aggregate: postfix.aggregate, column: named.column.name });
  return postfix.next;
}

/** `the most visitors in total`: of the rows of each group together. */
export function totalledAt(sentence: Sentence, at: number): number | null {
  const { line, rank, columns, facts } = sentence;
  const next = line.phrase(at, IN_TOTAL);
  const isRanked = rank?.by.kind === 'column' && rank.by.measure === null;
  const isOfGroups = columns.some((name) => facts.columns.some((one) => one.name === name && one.role === 'category'));
  if (next === null || !isRanked || !isOfGroups) return null;
  sentence.totalled = true;
  return next;
}

/** `quantity times price, summed over all orders`: the sum of what was named last. */
export function summedAt(sentence: Sentence, at: number): number | null {
  const { line, items } = sentence;
  const said = line.phrase(at, COMES_TO) ?? (line.is(at, 'summed', 'totalled', 'totaled') ? at + 1 : null);
  const last = items.at(-1);
  if (said === null || last?.kind !== 'column' || !isFigure(sentence, last.column)) return null;
  items.pop();
  sentence.addMeasure({ aggregate: 'sum', column: last.column });
  return line.skip(said, AFTER_SUM);
}

function isFigure(sentence: Sentence, name: string): boolean {
  return (
    sentence.columnNamed(name)?.role === 'figure' || sentence.derived.some(({ name: derived }) => derived === name)
  );
}

/** `more than 8,000 downloads on average`, `vibrate more than 2.5 on average`: a condition on the figure of each group. */
export function postfixedHavingAt({ line }: Sentence, at: number): PostfixedHaving | null {
  const found = figureFirst(line, at) ?? numberFirst(line, at);
  const postfix = found === null ? null : postfixAt(line, found.next);
  if (found === null || postfix === null) return null;
  const measure = { aggregate: postfix.aggregate, column: found.column.name };
  return { part: { measure, operator: found.operator, value: found.value }, next: postfix.next };
}

interface PostfixedHaving {
  readonly part: HavingPart;
  readonly next: number;
}

interface Compared extends Pick<HavingPart, 'operator' | 'value'> {
  readonly column: ColumnFacts;
  readonly next: number;
}

function figureFirst(line: Line, at: number): Compared | null {
  const subject = onlyOf(subjectAt(line, at));
  const limit = subject?.column.role === 'figure' ? limitAt(line, subject.next) : null;
  return subject === null || limit === null ? null : { ...limit, column: subject.column };
}

function numberFirst(line: Line, at: number): Compared | null {
  const limit = limitAt(line, at);
  const named = limit === null ? null : onlyFigureAt(line, line.skip(limit.next, new Set(['of', 'in'])));
  return limit === null || named === null ? null : { ...limit, column: named.column, next: named.next };
}

function limitAt(line: Line, at: number): Omit<Compared, 'column'> | null {
  const sign = signAt(line, at);
  const number = sign === null ? null : line.number(sign.next);
  if (sign === null || number === null) return null;
  const next = isObject(line, number.next) ? number.next + 1 : number.next;
  return { operator: sign.operator, value: number.value, next };
}

const COUNT_ITEM = phraseSet('the count|count|a count|the number|row count|the row count|record count');

/** `give the count, the average load and the average score`, `name, run count and average`: rows counted among other figures. */
export function countItemAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const noun = rowNounAt(sentence, at);
  const isOfRows = noun !== null && line.is(noun, 'count', 'counts');
  const next = isOfRows ? noun + 1 : line.phrase(at, COUNT_ITEM);
  if (next === null || at === 0 || sentence.rank !== null || !isItemAt(line, at, next)) return null;
  sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.rows ||= isOfRows;
  return next;
}

/** Something else is listed after it, and no column is called so. */
function isItemAt(line: Line, at: number, next: number): boolean {
  return line.is(next, ',', 'and') && onlyOf(columnAt(line, at))?.next !== next;
}

const COUNT_LAST = phraseSet('count|counts|how many|number|numbers|the number|the count|total number');

/** `runners by country: count`: what was named before is counted. */
export function countLastAt(sentence: Sentence, at: number): number | null {
  const { line, items, groups, filters, facts } = sentence;
  const next = line.phrase(at, COUNT_LAST);
  if (at === 0 || next !== line.end || groups.length + filters.length === 0) return null;
  if (!items.every((item) => isOwn(sentence, item)) || items.length > 1) return null;
  const [only] = sentence.columns;
  items.length = 0;
  sentence.addMeasure(countOf(sentence.columnNamed(only ?? ''), facts.profile.rowCount));
  return next;
}

function isOwn(sentence: Sentence, item: Item): boolean {
  const column = item.kind === 'column' ? sentence.columnNamed(item.column) : undefined;
  return column !== undefined && isNamesake(column, sentence.facts.profile.rowCount);
}

function countOf(column: ColumnFacts | undefined, rows: number): MeasureDraft {
  if (column === undefined || column.profile.distinct === rows) return { aggregate: 'count', column: null };
  return { aggregate: 'count_distinct', column: column.name };
}
