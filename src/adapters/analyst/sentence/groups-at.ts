import { columnAt, isPossessive, onlyColumnAt } from './column-mentions.js';
import { perFigureAt } from './per-figure.js';
import { arithmeticAt, computationAt } from './figures.js';
import { phraseSet, type Line } from './line.js';
import { namesakeAt, rowNounAt } from './nouns.js';
import { keyAt, orderAt } from './orders.js';
import type { Sentence } from './sentence.js';
import { targetAt, type Target } from './targets.js';
import { valueAt } from './value-mentions.js';

const GROUP = phraseSet(
  'by|per|for every combination of|for each combination of|by combination of|per combination of|every combination of|each combination of|for each|for every|in each|in every|of each|of every|on each|on every|at each|at every|within each|from each|to each|across|grouped by|group by|grouped per|broken down by|split by|each|every|for the different|by each|among each|for all the different|according to|in the different|for each of the|in each of the|with each|and by|did each|does each|do each|does a|does an|do|does one|did every|for different|of the different|by the|for all',
);
const EACH = /each|every|different/;
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
    (line.is(at, 'by') ? (rankBy(sentence, place) ?? byCount(sentence, place)) : null) ??
    groupedBy(sentence, { at, place, isEach: EACH.test(line.text(at, said).toLowerCase()) })
  );
}

const NUMBER_OF = phraseSet('number of|count of|total number of');

/** `statuses by number of orders`: what was named is grouped, and counted. */
function byCount(sentence: Sentence, at: number): number | null {
  const counted = sentence.line.phrase(at, NUMBER_OF);
  const noun = counted === null ? null : (rowNounAt(sentence, counted) ?? namesakeAt(sentence, counted));
  if (noun === null || !areGroupsAlone(sentence)) return null;
  sentence.addMeasure({ aggregate: 'count', column: null });
  sentence.order.push({ by: { kind: 'open' }, direction: 'desc' });
  return noun;
}

/** Nothing but one column of categories was named. */
function areGroupsAlone(sentence: Sentence): boolean {
  const { items, columns, groups } = sentence;
  const [only] = columns;
  if (only === undefined || items.length > 1 || groups.length > 0) return false;
  return sentence.columnNamed(only)?.role === 'category';
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
  if (first === null || (!isEach && isRatherValue(sentence, { at, place }, first))) return null;
  return addGroup(sentence, first, isEach);
}

/** `for Sales`, `by the artist Ondas`: what is meant is one of them. */
function isRatherValue(sentence: Sentence, { at, place }: Omit<Grouped, 'isEach'>, target: Target): boolean {
  const { line } = sentence;
  if (!line.is(at, 'for', 'of', 'by')) return false;
  return isValue(sentence, place, target.next) || (line.is(at, 'by') && isOfValue(line, target));
}

function isOfValue(line: Line, { dimension, next }: Target): boolean {
  const value = valueAt(line, next);
  return value?.partial === false && value.choices.some(({ column }) => column === dimension.column);
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
  const isFirst = sentence.items.length === 0 && sentence.rank === null;
  if (isFirst || isValue(sentence, place, next.next)) return at;
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
