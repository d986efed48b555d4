import type { Direction } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import { aggregatesAt } from './aggregates.js';
import { onlyColumnAt } from './column-mentions.js';
import { hintedColumn } from './hints.js';
import { phraseSet, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import type { OrderKey, Sentence } from './sentence.js';

const SORTED = phraseSet(
  'sorted|ordered|ranked|arranged|listed|sort|order|sort them|order them|sorted them|sorting|ordering|rank|in|and sort|and order|and sort them|sort it|order it|sort the result|sort the results|order the result|order the results|sorted it|with the results ordered|with the results sorted|with results ordered',
);
const LINKS = new Set([
  'by',
  'in',
  'of',
  'on',
  'according',
  'to',
  'based',
  'the',
  'their',
  'its',
  'order',
  'from',
  'them',
  'it',
  'alphabetically',
  'results',
  'result',
  'a',
  'an',
  'with',
]);
const UP = phraseSet(
  'ascending|ascendingly|increasing|asc|alphabetical|alphabetically|chronological|chronologically|increasing order|ascending order|alphabetical order|chronological order|ascending alphabetical|lexicographical|lexicographic|low to high|lowest to highest|smallest to largest|smallest to biggest|least to most|fewest to most|oldest first|lowest first|smallest first|a to z|small to large|least first|earliest first|earliest to latest|oldest to newest',
);
const DOWN = phraseSet(
  'descending|descendingly|decreasing|desc|descending order|decreasing order|reverse|reverse alphabetical|reverse alphabetical order|high to low|highest to lowest|largest to smallest|biggest to smallest|most to least|most to fewest|highest first|largest first|biggest first|most first|newest first|latest first|most recent first|z to a|large to small|latest to earliest|newest to oldest|greatest first|greatest to least|best to worst|best first|most frequent first|most common first|tallest to smallest|longest to shortest',
);
const COUNT_OF = phraseSet('number of|count of|total number of|how many|amount of|frequency');

/** Reads `sorted by …`, `in descending order of …`, `from oldest to youngest`, `highest first`. */
export function orderAt(sentence: Sentence, at: number): number | null {
  return fromTo(sentence, at) ?? sortedAt(sentence, at) ?? directionAlone(sentence, at);
}

interface Pointed {
  readonly direction: Direction;
  readonly next: number;
}

function directionAt({ line }: Sentence, at: number): Pointed | null {
  const place = line.skip(at, new Set(['from', 'the', 'in', 'an', 'a']));
  const [up, down] = [line.phrase(place, UP), line.phrase(place, DOWN)];
  const next = Math.max(up ?? 0, down ?? 0);
  if (next === 0) return null;
  const end = line.is(next, 'order') ? next + 1 : next;
  return { direction: next === down ? 'desc' : 'asc', next: line.is(end, 'first') ? end + 1 : end };
}

/** `from oldest to youngest`, `from the cheapest to the most expensive`. */
function fromTo(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const start = line.skip(at, new Set(['from', 'the', 'ordered', 'sorted', 'ranked']));
  if (start === at) return null;
  for (const length of [2, 1]) {
    const to = start + length;
    const first = adjectiveOf(line.keys(start, to), 'superlative');
    if (first === null || !line.is(to, 'to')) continue;
    const hinted = hintedColumn(sentence.facts, first.hints);
    const end = endOf(sentence, line.skip(to + 1, new Set(['the'])));
    if (hinted === null || hinted === 'ambiguous' || end === null) return null;
    sentence.order.push({ by: { kind: 'column', column: hinted.column.name }, direction: hinted.direction });
    return end;
  }
  return null;
}

function endOf({ line }: Sentence, at: number): number | null {
  for (const length of [2, 1]) {
    if (adjectiveOf(line.keys(at, at + length), 'superlative') !== null) return at + length;
  }
  return null;
}

function sortedAt(sentence: Sentence, at: number): number | null {
  const said = introAt(sentence, at);
  if (said === null) return null;
  const end = keysAt(sentence, said.next, said.direction ?? said.usual);
  if (end !== null || said.direction === null) return end;
  return addOpen(sentence, { direction: said.direction, next: afterOrder(sentence, said.next) });
}

/** How an order begins: `sorted in descending`, `ranked`, `in alphabetical order`. */
interface Intro {
  readonly direction: Direction | null;
  readonly usual: Direction;
  readonly next: number;
}

function introAt(sentence: Sentence, at: number): Intro | null {
  const { line } = sentence;
  const said = line.phrase(at, SORTED);
  if (said === null || isNameOfColumn(line, at) || isDone(line, at, said)) return null;
  if (line.is(at, 'in')) return inOrder(sentence, at);
  // What is ranked begins with the highest.
  const usual = line.is(at, 'ranked', 'rank') ? 'desc' : 'asc';
  return { usual, ...(directionAt(sentence, said) ?? { direction: null, next: said }) };
}

/** `were ordered with a total above 9`, `was listed in May`: what was done to the rows, and no order of them. */
function isDone(line: Line, at: number, next: number): boolean {
  const isParticiple = line.is(at, 'ordered', 'listed', 'ranked', 'sorted') && line.is(at - 1, ...WAS);
  return isParticiple && !line.is(next, 'by', 'from', 'according', 'alphabetically', 'ascending', 'descending');
}

const WAS = ['was', 'were', 'been', 'is', 'are', 'who', 'that', 'which'];

/** `order numbers`: a column of orders. */
function isNameOfColumn(line: Line, at: number): boolean {
  const named = onlyColumnAt(line, at);
  return line.is(at, 'order', 'rank', 'sort') && named !== null && named.next > at + 1 && named.strength >= 84;
}

function inOrder(sentence: Sentence, at: number): Intro | null {
  const { line } = sentence;
  const pointed = directionAt(sentence, at);
  if (pointed !== null) return { ...pointed, usual: 'asc' };
  const isOrder = line.is(line.skip(at + 1, new Set(['the'])), 'order');
  return isOrder ? { direction: null, usual: 'asc', next: at + 1 } : null;
}

/** What is ordered by, one after the other; each may say its own direction. */
function keysAt(sentence: Sentence, at: number, usual: Direction): number | null {
  const key = keyAt(sentence, at);
  if (key === null) return null;
  const told = fromToOf(sentence, key);
  if (told !== null) return told;
  const { direction, next } = directionAt(sentence, key.next) ?? { direction: usual, next: key.next };
  if (!isRanked(sentence, key.by, direction)) sentence.order.push({ by: key.by, direction });
  const more = sentence.line.skip(next, new Set([',', 'and', 'then', 'by']));
  return more === next || sentence.line.is(more, 'with', 'showing', 'including')
    ? next
    : (keysAt(sentence, more, usual) ?? next);
}

/** `the ten dearest cars sorted by price descending` stand in that order already. */
function isRanked({ rank }: Sentence, by: OrderKey['by'], direction: Direction): boolean {
  return (
    rank?.by.kind === 'column' && by.kind === 'column' && rank.by.column === by.column && rank.direction === direction
  );
}

/** `by price from lowest to highest`: the words for the direction are not what is ordered by. */
function fromToOf(sentence: Sentence, { by, next }: Key): number | null {
  const keys = sentence.order.length;
  const told = fromTo(sentence, next);
  if (told === null) return null;
  const [named] = sentence.order.splice(keys);
  sentence.order.push({ by, direction: named?.direction ?? 'asc' });
  return told;
}

function afterOrder({ line }: Sentence, at: number): number {
  return line.is(at, 'order') ? at + 1 : at;
}

function addOpen({ order }: Sentence, { direction, next }: Pointed): number {
  const last = order.at(-1);
  // `by number of orders, descending` says the direction of what was told before.
  if (last === undefined) order.push({ by: { kind: 'open' }, direction });
  else order.splice(-1, 1, { ...last, direction });
  return next;
}

export interface Key {
  readonly by: OrderKey['by'];
  readonly next: number;
}

/** What an order is by: a column, an aggregate of one, or a count of rows. */
export function keyAt(sentence: Sentence, at: number): Key | null {
  const place = sentence.line.skip(at, LINKS);
  return (
    countKey(sentence, place) ??
    columnKey(sentence, place) ??
    countingColumnKey(sentence, place) ??
    figureAgainKey(sentence, place)
  );
}

function countKey(sentence: Sentence, at: number): Key | null {
  const { line } = sentence;
  const counted = line.phrase(at, COUNT_OF);
  const noun = counted === null ? null : rowNounAt(sentence, line.skip(counted, new Set(['the', 'all', 'of'])));
  return noun === null ? null : { by: { kind: 'measure', measure: { aggregate: 'count', column: null } }, next: noun };
}

/** `sorted by the average`: the figure that was named, where it ends the clause. */
function figureAgainKey({ line, measures }: Sentence, at: number): Key | null {
  const said = aggregatesAt(line, at);
  const measure = measures.find(({ aggregate }) => aggregate === said?.aggregates[0]);
  const isEnd =
    said !== null && (said.next >= line.end || line.is(said.next, ',', 'in', 'descending', 'ascending', 'from'));
  return measure === undefined || !isEnd ? null : { by: { kind: 'measure', measure }, next: said.next };
}

/** `by number of visits`, where a column counts them. */
function countingColumnKey(sentence: Sentence, at: number): Key | null {
  const counted = sentence.line.phrase(at, COUNT_OF);
  const named = counted === null ? null : onlyColumnAt(sentence.line, counted);
  return named?.column.role === 'figure'
    ? { by: { kind: 'column', column: named.column.name }, next: named.next }
    : null;
}

function columnKey({ line }: Sentence, at: number): Key | null {
  const aggregated = aggregatesAt(line, at);
  const named = onlyColumnAt(line, line.skip(aggregated?.next ?? at, LINKS));
  if (named === null || named.strength < 45) return null;
  const [aggregate] = aggregated?.aggregates ?? [];
  const column = named.column.name;
  return {
    by: aggregate === undefined ? { kind: 'column', column } : { kind: 'measure', measure: { aggregate, column } },
    next: named.next,
  };
}

/** `highest first`, `newest first` without a word for sorting. */
function directionAlone(sentence: Sentence, at: number): number | null {
  const found = directionAt(sentence, at);
  if (found === null || !saysOrder(sentence.line, at, found.next)) return null;
  const keyed = keyedAfter(sentence, found);
  if (keyed !== null) return keyed;
  const { time } = sentence.facts;
  const isOfTime = OF_TIME.test(sentence.line.text(at, found.next).toLowerCase());
  if (!isOfTime) return addOpen(sentence, found);
  if (time === null) return null;
  sentence.order.push({ by: { kind: 'column', column: time.name }, direction: found.direction });
  return found.next;
}

/** `alphabetically by country`: what is ordered by comes after the direction. */
function keyedAfter(sentence: Sentence, { direction, next }: Pointed): number | null {
  return sentence.line.is(next, 'by', 'according') ? keysAt(sentence, next, direction) : null;
}

const OF_TIME = /newest|latest|recent|oldest|earliest|chronolog/;
const ORDER_ENDS = new Set([
  'first',
  'alphabetically',
  'order',
  'descending',
  'ascending',
  'lowest',
  'smallest',
  'highest',
  'largest',
  'fewest',
  'worst',
]);

/** Words for a direction that mean an order by themselves. */
function saysOrder(line: Line, at: number, next: number): boolean {
  return ORDER_ENDS.has(line.key(next - 1)) || line.is(at, 'alphabetically', 'from');
}
