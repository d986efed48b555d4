import type { Direction } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import { hintedColumn } from './hints.js';
import { phraseSet, type Line } from './line.js';
import { namesakeAt, rowNounAt } from './nouns.js';
import { onlyFigureAt } from './only.js';
import { keyAt, orderAt } from './orders.js';
import type { OrderKey, Sentence } from './sentence.js';
import { aged } from './superlatives-at.js';
import { targetAt, type Target } from './targets.js';

const BEGINNING = new Set(['with', 'put', 'putting', 'the', 'starting', 'beginning', 'list', 'show', 'showing']);
const MUCH = new Set(['highest', 'largest', 'biggest', 'greatest', 'most', 'best', 'top', 'strongest']);
const LITTLE = new Set(['lowest', 'smallest', 'least', 'fewest', 'worst', 'weakest']);

/** `tallest first`, `the most expensive on top`, `starting with the largest`: an order, and nothing that is picked. */
export function superlativeFirstAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.skip(at, BEGINNING);
  const isBeginning = line.has(at, start, 'starting', 'beginning');
  for (const length of [2, 1]) {
    const next = start + length;
    const named = rankedNounAt(sentence, start, next);
    const end = endAt(line, named.next, isBeginning);
    const key = end === null ? null : (named.key ?? keyOf(sentence, line.keys(start, next)));
    if (end === null || key === null) continue;
    if (!isRanked(sentence, key)) addOrder(sentence, key);
    return end;
  }
  return null;
}

interface RankedNoun {
  readonly key: OrderKey | null;
  readonly next: number;
}

/** `most songs first`, `highest price first`: of what there is much or little. */
function rankedNounAt(sentence: Sentence, start: number, at: number): RankedNoun {
  const word = sentence.line.keys(start, at);
  if (!MUCH.has(word) && !LITTLE.has(word)) return { key: null, next: at };
  const named = onlyFigureAt(sentence.line, at);
  if (named === null || named.strength < 50)
    return { key: null, next: rowNounAt(sentence, at) ?? namesakeAt(sentence, at) ?? at };
  return {
    key: { by: byFigure(sentence, named.column.name), direction: MUCH.has(word) ? 'desc' : 'asc' },
    next: named.next,
  };
}

/** A column, or the figure that was already asked for of it. */
function byFigure({ measures }: Sentence, name: string): OrderKey['by'] {
  const isMeasured = measures.some(({ column }) => column === name);
  return isMeasured ? { kind: 'open' } : { kind: 'column', column: name };
}

/** `sorted by weight, heaviest first` says the direction of the order that was told. */
export function addOrder({ order }: Sentence, key: OrderKey): void {
  const last = order.at(-1);
  if (last !== undefined && isSameOrder(last, key)) order.splice(-1, 1, { ...last, direction: key.direction });
  else order.push(key);
}

function isSameOrder(last: OrderKey, { by }: OrderKey): boolean {
  if (by.kind === 'open') return true;
  return by.kind === 'column' && last.by.kind === 'column' && by.column === last.by.column;
}

function endAt(line: Line, at: number, isBeginning: boolean): number | null {
  if (line.is(at, 'first')) return at + 1;
  if (line.is(at, 'on') && line.is(at + 1, 'top')) return at + 2;
  return isBeginning && (at >= line.end || line.is(at, ',')) ? at : null;
}

/** By the figures where there are any; else by the column that the adjective speaks of. */
function keyOf(sentence: Sentence, said: string): OrderKey | null {
  if (MUCH.has(said)) return { by: figureOf(sentence), direction: 'desc' };
  return LITTLE.has(said) ? { by: figureOf(sentence), direction: 'asc' } : hintedKey(sentence, said);
}

/** The only figure among the columns of a list. */
function figureOf(sentence: Sentence): OrderKey['by'] {
  const figures = sentence.columns.filter((name) => sentence.columnNamed(name)?.role === 'figure');
  const [only, another] = sentence.measures.length > 0 ? [] : figures;
  return only === undefined || another !== undefined ? { kind: 'open' } : { kind: 'column', column: only };
}

function hintedKey(sentence: Sentence, said: string): OrderKey | null {
  const meaning = adjectiveOf(said, 'superlative');
  const hinted = (meaning === null ? null : hintedColumn(sentence.facts, meaning.hints)) ?? aged(sentence, said);
  if (hinted === null || hinted === 'ambiguous') return null;
  const { direction, column } = hinted;
  if (sentence.measures.some((one) => one.column === column.name)) return { by: { kind: 'open' }, direction };
  return sentence.measures.length > 0 ? null : { by: { kind: 'column', column: column.name }, direction };
}

/** `the ten dearest cars, dearest first` stand in that order already. */
function isRanked({ rank }: Sentence, { by, direction }: OrderKey): boolean {
  if (rank?.direction !== direction) return false;
  return by.kind === 'open' || (by.kind === 'column' && rank.by.kind === 'column' && rank.by.column === by.column);
}

/** `rank customers by total quantity`: groups in the order of a figure of theirs. */
export function sortedGroupsAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const target = line.is(at, 'rank', 'sort', 'order', 'arrange') ? groupsAt(sentence, at + 1) : null;
  const key = target === null ? null : keyAt(sentence, target.next);
  if (target === null || key?.by.kind !== 'measure') return null;
  sentence.addGroup(target.dimension);
  sentence.addMeasure(key.by.measure);
  sentence.opener ??= 'list';
  sentence.tail = true;
  return directed(sentence, key.next, line.is(at, 'rank') ? 'desc' : 'asc');
}

/** What is put in order: groups, before what they are ordered by. */
function groupsAt(sentence: Sentence, at: number): Target | null {
  const { line, items, groups } = sentence;
  if (items.length + groups.length > 0) return null;
  const place = line.skip(at, new Set(['the', 'all', 'our', 'different']));
  const target = targetAt(sentence, place);
  if (target === null || (rowNounAt(sentence, place) ?? 0) > target.next) return null;
  return line.is(target.next, 'by', 'according', 'on') ? target : null;
}

/** With the direction that is told after it, or the usual one. */
function directed(sentence: Sentence, at: number, usual: Direction): number {
  const { order } = sentence;
  const known = order.length;
  const told = superlativeFirstAt(sentence, at) ?? orderAt(sentence, at);
  const added = order.splice(known).at(0);
  order.push({ by: { kind: 'open' }, direction: added?.direction ?? usual });
  return told ?? at;
}

/** `… and show the first three`: of what was put in order before. */
export function firstOfOrderAt(sentence: Sentence, at: number): number | null {
  const { line, order, limit } = sentence;
  if (order.length === 0 || limit !== null || !line.is(at, 'first', 'top')) return null;
  const number = line.number(at + 1);
  if (number === null || !(number.next >= line.end || line.is(number.next, ','))) return null;
  if (!isLimit(number.value)) return null;
  sentence.limit = number.value;
  return number.next;
}

function isLimit(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 1000;
}

const AT_MOST = phraseSet('at its maximum|at its highest|at its peak|at a maximum|at the highest|at its most');
const AT_LEAST = phraseSet('at its minimum|at its lowest|at a minimum|at the lowest|at its least');

/** `when was the temperature at its maximum`: the row where what was named is highest. */
export function atItsMostAt(sentence: Sentence, at: number): number | null {
  const { line, items } = sentence;
  const most = line.phrase(at, AT_MOST);
  const next = most ?? line.phrase(at, AT_LEAST);
  const column = next === null ? null : lastFigure(sentence);
  if (next === null || column === null) return null;
  items.pop();
  sentence.rank = {
    direction: most === null ? 'asc' : 'desc',
    limit: null,
    by: { kind: 'column', column, measure: null },
    text: line.text(at, next),
    literal: false,
  };
  return next;
}

/** The figure of which the moment is asked. */
function lastFigure(sentence: Sentence): string | null {
  const last = sentence.items.at(-1);
  if (sentence.opener !== 'when' || sentence.rank !== null || last?.kind !== 'column') return null;
  return sentence.columnNamed(last.column)?.role === 'figure' ? last.column : null;
}
