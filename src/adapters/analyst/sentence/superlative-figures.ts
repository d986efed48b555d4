import type { ColumnFacts, Hint } from '../column-facts.js';
import { extremeOf } from '../table-facts.js';
import { isYear } from '../year-columns.js';
import { aggregatesAt } from './aggregates.js';
import { columnAt, onlyColumnAt, type ColumnHere } from './column-mentions.js';
import { hintedColumn } from './hints.js';
import type { Line } from './line.js';
import { modifiersAt } from './modifiers.js';
import { namesakeAt, rowNounAt } from './nouns.js';
import type { RankBy, Sentence } from './sentence.js';

/** Columns by which the largest of rows is told, the likeliest first. */
const SIZE: readonly Hint[] = [
  'size',
  'area',
  'population',
  'capacity',
  'floor',
  'amount',
  'revenue',
  'total',
  'value',
].map((word) => ({
  word,
  direction: 'desc',
}));
const HEIGHT: readonly Hint[] = ['height', 'altitude', 'elevation'].map((word) => ({ word, direction: 'desc' }));
/** Words between a superlative and what it is about. */
export const BETWEEN_RANKED: ReadonlySet<string> = new Set(
  'the of a in all its their single individual ever recorded'.split(' '),
);

export function byColumn({ name }: ColumnFacts): RankBy {
  return { kind: 'column', column: name, measure: null };
}

export interface About {
  readonly by: RankBy;
  readonly next: number;
}

/** What is highest: a count of rows or of values, a figure of groups, or a column. */
export function ranksByAt(sentence: Sentence, at: number, isTaste: boolean): About | null {
  const place = sentence.line.skip(at, BETWEEN_RANKED);
  const counted = numberOfAt(sentence.line, place);
  const figure = summed(sentence, place) ?? columnBy(sentence, counted ?? place);
  if (figure !== null || isTaste) return figure;
  if (counted !== null) return countBy(sentence, counted);
  const isCount = /^(most|least|fewest)$/.test(sentence.line.key(at - 1));
  return sizeBy(sentence, place) ?? (isCount ? countBy(sentence, place) : null);
}

/** The place after `number of`, `total number of`. */
function numberOfAt(line: Line, at: number): number | null {
  if (line.is(at, 'number', 'amount', 'count') && line.is(at + 1, 'of')) return at + 2;
  return line.is(at, 'total') && line.is(at + 1, 'number') ? at + 3 : null;
}

function summed({ line }: Sentence, at: number): About | null {
  const said = aggregatesAt(line, at);
  const [aggregate, another] = said?.aggregates ?? [];
  if (said === null || aggregate === undefined || another !== undefined) return null;
  const named = onlyColumnAt(line, line.skip(said.next, BETWEEN_RANKED));
  if (named?.column.role !== 'figure') return null;
  const column = named.column.name;
  return { by: { kind: 'column', column, measure: { aggregate, column } }, next: named.next };
}

function columnBy({ line }: Sentence, at: number): About | null {
  const named = columnAt(line, at);
  if (named === null || named.strength < 45 || !canBeMost(line, at, named.columns)) return null;
  const [first, another] = named.columns;
  const column = another === undefined ? first : extremeOf(named.columns, 'desc');
  return column == null ? null : { by: byColumn(column), next: named.next };
}

/** Figures of which one can be the highest; of years there is no most. */
function canBeMost(line: Line, at: number, columns: readonly ColumnFacts[]): boolean {
  const isCount = line.is(at - 1, 'most', 'fewest', 'least');
  return columns.every((column) => column.role === 'figure' && !column.identifies && !(isCount && isYear(column)));
}

/** `most active singers`: rows are counted, with whatever says which. */
function countBy(sentence: Sentence, at: number): About | null {
  const { line } = sentence;
  const start = line.skip(at, BETWEEN_RANKED);
  const place = modifiersAt(sentence, line.is(start, 'different', 'distinct', 'unique') ? start + 1 : start);
  const noun = rowNounAt(sentence, place);
  const named = onlyColumnAt(line, place);
  if (named !== null && areValuesCounted(sentence, named, noun)) {
    const column = named.column.name;
    return { by: { kind: 'column', column, measure: { aggregate: 'count_distinct', column } }, next: named.next };
  }
  const next = noun ?? (named !== null && isYear(named.column) ? place + 1 : null);
  if (next === null) return null;
  sentence.rows = true;
  return { by: { kind: 'count' }, next };
}

/** `which city has the most genres`: of a column, not of the rows. */
function areValuesCounted({ items }: Sentence, named: ColumnHere, noun: number | null): boolean {
  const { column, strength, next } = named;
  if (column.role !== 'category' || column.identifies || strength < 50 || items.length === 0) return false;
  return noun === null || next > noun || strength >= 84;
}

/** `the largest store` is one of size, where a column tells it. */
function sizeBy(sentence: Sentence, at: number): About | null {
  const { line, facts } = sentence;
  const isOfHeight = line.is(at - 1, 'highest', 'lowest');
  if (!isOfHeight && !line.is(at - 1, 'largest', 'biggest', 'smallest', 'single')) return null;
  if ((rowNounAt(sentence, at) ?? namesakeAt(sentence, at)) === null) return null;
  const hinted = hintedColumn(facts, isOfHeight ? HEIGHT : SIZE);
  if (hinted === null || hinted === 'ambiguous') return null;
  sentence.note(`I took “${line.key(at - 1)}” as that of ${hinted.column.name}.`);
  return { by: { kind: 'column', column: hinted.column.name, measure: null }, next: at };
}
