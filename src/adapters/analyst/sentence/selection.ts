import type { ColumnFacts } from '../column-facts.js';
import { isFiller } from '../fillers.js';
import { columnAt, isPossessive, onlyColumnAt, onlyOf, type ColumnMention } from './column-mentions.js';
import { perFigureAt } from './computed-at.js';
import { arithmeticAt, computationAt } from './figures.js';
import { phraseSet, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { isScope, scopedAt } from './scopes.js';
import { keyAt, orderAt } from './orders.js';
import type { Sentence } from './sentence.js';
import { targetAt, type Target } from './targets.js';
import { valueAt } from './value-mentions.js';

const GROUP = phraseSet(
  'by|per|for every combination of|for each combination of|by combination of|per combination of|every combination of|each combination of|for each|for every|in each|in every|of each|of every|on each|on every|at each|at every|within each|from each|to each|across|grouped by|group by|grouped per|broken down by|split by|each|every|for the different|by each|among each|for all the different|according to|in the different|for each of the|in each of the|with each|and by|did each|does each|do each|does a|does an|do|does one|did every|for different|of the different|by the|for all',
);
const EACH = /each|every|different/;
const ATTRIBUTES = phraseSet(
  'with their|with its|and their|and its|along with their|along with its|together with their|along with the|together with the|including their|including its|including the|as well as their|as well as its|as well as the|with the corresponding|and the corresponding|and also the|and also their|their|its|also the|and the',
);
const SUBJECT_LEAD = new Set([
  'of',
  'for',
  'from',
  'among',
  'amongst',
  'in',
  'with',
  'the',
  'all',
  'these',
  'our',
  'any',
  'those',
  'every',
  'each',
  'a',
  'an',
  'about',
  'on',
  'across',
  'are',
  'there',
  'is',
  'some',
  'single',
]);

/** `for each major`, `per year`, `by city and genre`. A figure after `by` orders a ranking. */
export function groupAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const said = line.phrase(at, GROUP);
  if (said === null) return null;
  const place = line.skip(
    said,
    new Set(['the', 'their', 'its', 'of', 'different', 'each', 'combination', 'combinations', 'pair', 'pairs']),
  );
  return (
    perFigureAt(sentence, at) ??
    (line.is(at, 'by') ? rankBy(sentence, place) : null) ??
    groupedBy(sentence, { at, place, isEach: EACH.test(line.text(at, said).toLowerCase()) })
  );
}

/** Where the words for a group begin, and where what they name does. */
interface Grouped {
  readonly at: number;
  readonly place: number;
  readonly isEach: boolean;
}

function groupedBy(sentence: Sentence, { at, place, isEach }: Grouped): number | null {
  const { line } = sentence;
  const noun = rowNounAt(sentence, place);
  const first = targetAt(sentence, place);
  if (noun !== null && isOfRows(line, noun, first))
    return eachRow(sentence, { noun, isEach, isPer: line.is(at, 'per') });
  const canBeValue = line.is(at, 'for', 'of', 'by') && !isEach;
  return first === null || (canBeValue && isValue(sentence, place, first.next))
    ? null
    : addGroup(sentence, first, isEach);
}

function addGroup(sentence: Sentence, { dimension, next }: Target, isEach: boolean): number {
  sentence.addGroup(dimension);
  sentence.each ||= isEach;
  sentence.tail ||= sentence.items.length > 0;
  return further(sentence, next);
}

/** Whether the rows are meant, and no column that begins with the same word. */
function isOfRows(line: Line, noun: number, target: Target | null): boolean {
  return target === null || target.next <= noun || isPossessive(line, noun - 1);
}

function isValue({ line }: Sentence, at: number, next: number): boolean {
  const value = valueAt(line, at);
  return value !== null && !value.partial && value.next >= next;
}

interface EachRow {
  readonly noun: number;
  readonly isEach: boolean;
  readonly isPer: boolean;
}

/** `each student's major`: the rows themselves. `revenue per order` is the plain average. */
function eachRow(sentence: Sentence, { noun, isEach, isPer }: EachRow): number | null {
  if (isPer && sentence.measures.some(({ aggregate }) => aggregate === 'avg')) {
    sentence.note('I took each row as one of what you ask “per”.');
    sentence.rows = true;
    return noun;
  }
  if (!isEach || sentence.measures.length > 0) return null;
  sentence.rows = true;
  sentence.each = true;
  sentence.tail = !isPossessive(sentence.line, noun - 1) && sentence.items.length > 0;
  return noun;
}

/** Further groups after `and`, unless they begin something else. */
function further(sentence: Sentence, at: number): number {
  const { line } = sentence;
  if (!line.is(at, ',', 'and')) return at;
  const place = pastNumberOf(line, line.skip(at, new Set([',', 'and', 'by', 'per', 'each', 'the', 'for', 'every'])));
  const next = targetAt(sentence, place);
  if (next === null || arithmeticAt(line, next.next) !== null || orderAt(sentence, place) !== null) return at;
  if (sentence.items.length === 0 || isValue(sentence, place, next.next)) return at;
  sentence.addGroup(next.dimension);
  return further(sentence, next.next);
}

/** `by district and number of rooms`: a column that counts, and no figure beside the groups. */
function pastNumberOf(line: Line, at: number): number {
  if (!line.is(at, 'number') || !line.is(at + 1, 'of')) return at;
  const named = onlyColumnAt(line, at + 2);
  return named?.column.role === 'figure' ? at + 2 : at;
}

/** `top 5 products by revenue`. */
function rankBy(sentence: Sentence, at: number): number | null {
  const { rank, line } = sentence;
  if (rank?.by.kind !== 'open') return null;
  const computed = computationAt(sentence, at);
  if (computed !== null) {
    sentence.rank = { ...rank, by: { kind: 'column', column: computed.name, measure: null } };
    return computed.next;
  }
  const found = rankFigure(sentence, at);
  if (found === null) return null;
  sentence.rank = { ...rank, by: found.by };
  return line.is(found.next, 'values') ? found.next + 1 : found.next;
}

function rankFigure(
  sentence: Sentence,
  at: number,
): { readonly by: NonNullable<Sentence['rank']>['by']; readonly next: number } | null {
  const orders = sentence.order.length;
  // An order reads the same words: a figure, an aggregate of it, or a count.
  const key = orderKeyAt(sentence, at);
  sentence.order.length = orders;
  if (key === null) return null;
  const { by, next } = key;
  if (by.kind === 'column') {
    const isFigure = sentence.columnNamed(by.column)?.role === 'figure';
    return isFigure ? { by: { kind: 'column', column: by.column, measure: null }, next } : null;
  }
  if (by.kind === 'open') return null;
  const { column } = by.measure;
  return column === null
    ? { by: { kind: 'count' }, next }
    : { by: { kind: 'column', column, measure: by.measure }, next };
}

function orderKeyAt(
  sentence: Sentence,
  at: number,
): { readonly by: Sentence['order'][number]['by']; readonly next: number } | null {
  const noun = rowNounAt(sentence, at);
  const named = columnAt(sentence.line, at);
  if (noun !== null && (named === null || named.next < noun || named.strength < 90)) {
    return { by: { kind: 'measure', measure: { aggregate: 'count', column: null } }, next: noun };
  }
  return keyAt(sentence, at);
}

/** Columns that are asked for, one after the other. */
export function columnItemAt(sentence: Sentence, at: number): number | null {
  const attributes = sentence.line.phrase(at, ATTRIBUTES) ?? listAfterWith(sentence, at);
  if (sentence.tail && attributes === null) return null;
  const place = attributes ?? at;
  if (attributes !== null) addOwners(sentence, at);
  return computedItem(sentence, place) ?? namedItem(sentence, { at: place, isAttribute: attributes !== null });
}

/** `the films with their directors`: what the rows are called belongs to the answer. */
function isBesideRows({ line, rows, items, groups, whole }: Sentence, at: number): boolean {
  const isNothingElse = items.length + groups.length === 0 && !whole;
  return rows && isNothingElse && line.is(at, 'with', 'and', 'along', 'together', 'including', 'as');
}

/** `the top 5 plants by output along with their region` are listed with the output, too. */
function addOwners(sentence: Sentence, at: number): void {
  if (isBesideRows(sentence, at)) addIdentity(sentence);
  const { line, rank, items } = sentence;
  const isAlong = items.length === 1 && line.is(at, 'along', 'together', 'as');
  if (isAlong && rank?.by.kind === 'column' && rank.by.measure === null) sentence.addColumn(rank.by.column);
}

/** Shows what the rows are called, where a column says it. */
export function addIdentity(sentence: Sentence): void {
  const { identity } = sentence.facts;
  if (identity !== null) sentence.addColumn(identity.name);
}

function computedItem(sentence: Sentence, at: number): number | null {
  const computed = computationAt(sentence, at);
  if (computed === null) return null;
  sentence.addColumn(computed.name);
  return computed.next;
}

function namedItem(sentence: Sentence, place: ShownAt): number | null {
  const { line } = sentence;
  if (areRowsNamed(sentence, place.at)) return null;
  const named = columnAt(line, place.at);
  if (named === null || !isShown(line, place.at, named)) return spanItem(sentence, place.at);
  return shownAt(sentence, named, place);
}

/** Whether a word for the rows is more than the same word in the name of a column. */
function areRowsNamed(sentence: Sentence, at: number): boolean {
  const noun = rowNounAt(sentence, at);
  const named = columnAt(sentence.line, at);
  return noun !== null && named !== null && named.next <= noun && named.strength < 84;
}

function isShown(line: Line, at: number, { strength }: ColumnMention): boolean {
  return strength >= 50 || (strength >= 42 && !isFiller(line.key(at)));
}

interface ShownAt {
  readonly at: number;
  readonly isAttribute: boolean;
}

function shownAt(sentence: Sentence, named: ColumnMention, { at, isAttribute }: ShownAt): number | null {
  const { line } = sentence;
  const [first] = named.columns;
  if (first === undefined) return null;
  if (onlyOf(named) === null && !named.together) askWhich(sentence, at, named);
  if (ownsFigures(sentence, at, first.role)) {
    sentence.tail = true;
    return named.next;
  }
  sentence.rows ||= endsInRows(sentence, at, named.next);
  show(sentence, named, first);
  if (isAttribute) sentence.tail = false;
  sentence.plural ||= isPlural(line, named, first);
  return named.next;
}

function askWhich({ line, problems }: Sentence, at: number, { columns, next }: ColumnMention): void {
  const choices = columns.map(({ name }) => name).join(' or ');
  problems.push(`“${line.text(at, next)}” could be ${choices}.`);
}

function isPlural(line: Line, { next }: ColumnMention, { role }: ColumnFacts): boolean {
  return role === 'category' && line.key(next - 1).endsWith('s');
}

/** `date of matches` names the rows, too. */
function endsInRows(sentence: Sentence, at: number, next: number): boolean {
  const isOf = next > at + 1 && sentence.line.is(next - 2, 'of');
  return isOf && rowNounAt(sentence, next - 1) !== null;
}

/** Adds what is named to the answer: a figure with what its name says is done to it, or the values themselves. */
function show(sentence: Sentence, { columns, together, implied }: ColumnMention, first: ColumnFacts): void {
  if (implied !== null && first.role === 'figure' && !sentence.rows)
    sentence.addMeasure({ aggregate: implied, column: first.name });
  else for (const { name } of together ? columns : [first]) sentence.addColumn(name);
}

/** `the ten dearest cars with make, model and price`: columns in a row, and nothing they are compared with. */
function listAfterWith(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!line.is(at, 'with') || sentence.opener !== 'list') return null;
  const names = columnsFrom(line, at + 1);
  if (names.count === 0) return null;
  if (names.next >= line.end) return at + 1;
  return names.count > 1 && line.is(names.next, ...LIST_ENDS) ? at + 1 : null;
}

const LIST_ENDS = ['sorted', 'ordered', 'ranked', 'for', 'of', 'from', 'in', 'by', 'at'] as const;

/** How many columns are named one after the other, and the place after them. */
function columnsFrom(line: Line, at: number): { readonly count: number; readonly next: number } {
  let next = at;
  let count = 0;
  for (let named = columnAt(line, next); named !== null; named = columnAt(line, next)) {
    count += 1;
    next = line.skip(named.next, new Set([',', 'and', 'the']));
  }
  return { count, next };
}

/** `average cpu of hosts`: they are whose figures it is, not a wish for groups. */
function ownsFigures(sentence: Sentence, at: number, role: string): boolean {
  const isAside = sentence.line.is(at - 1, ',', 'and', 'which', 'what', 'each', 'every', 'by', 'per', 'both');
  return sentence.items.at(-1)?.kind === 'measure' && role === 'category' && !isAside && sentence.groups.length === 0;
}

/** `which month`, `what weekday`. */
function spanItem(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (sentence.tail || !line.is(at - 1, 'which', 'what', 'the', 'in', 'common', 'on')) return null;
  const target = targetAt(sentence, at);
  if (target === null || target.dimension.kind === 'column') return null;
  sentence.items.push({ kind: 'bucket', dimension: target.dimension });
  if (line.key(target.next - 1).endsWith('s')) sentence.plural = true;
  return target.next;
}

/** The rows by what they are called: `of all singers`, `the stores`. */
export function subjectAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const place = line.skip(at, SUBJECT_LEAD);
  const noun = rowNounAt(sentence, place) ?? scopedAt(sentence, at, place);
  if (noun === null) return null;
  if (!isScope(sentence, at, noun) && isRatherColumn(columnAt(line, place), noun)) return null;
  sentence.rows = true;
  if (line.is(place - 1, 'each', 'every')) sentence.each = true;
  sentence.tail = !isPossessive(line, noun - 1);
  sentence.pluralRows = line.key(noun - 1).endsWith('s');
  return noun;
}

/** A longer name, or `which department` where rows are called so, too. */
function isRatherColumn(named: ColumnMention | null, noun: number): boolean {
  if (named === null) return false;
  const isLonger = named.next > noun && named.strength >= 60;
  return isLonger || (named.strength >= 96 && !named.columns.some(({ identifies }) => identifies));
}
