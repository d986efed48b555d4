import type { ColumnFacts, Direction } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import type { Hint } from '../column-facts.js';
import { extremeOf } from '../table-facts.js';
import { aggregatesAt } from './aggregates.js';
import { columnAt, onlyColumnAt, onlyOf, type ColumnHere } from './column-mentions.js';
import { modifiersAt } from './modifiers.js';
import { hintedColumn, spokenAt, type HintedColumn } from './hints.js';
import { phraseSet, type Line, type PhraseSet } from './line.js';
import { rowNounAt } from './nouns.js';
import type { Rank, RankBy, Sentence } from './sentence.js';
import { yearColumns } from './time-conditions.js';

const HIGH = phraseSet('most|highest|largest|biggest|greatest|strongest|the most|maximum|max|best');
const LOW = phraseSet('least|lowest|smallest|fewest|weakest|minimum|min|the least|the fewest|worst');
const TOP = phraseSet('top');
const BOTTOM = phraseSet('bottom');
const FREQUENT = phraseSet(
  'most common|most frequent|most often|most frequently|commonest|most popular|most commonly|most repeated|most used|highest number of times|most times',
);
const RARE = phraseSet(
  'least common|least frequent|least often|rarest|least popular|least frequently|least commonly|least used',
);
const NEWEST = phraseSet('latest|newest|most recent|most recently|last');
const EARLIEST = phraseSet('earliest|least recent|first');
const ORDINALS = /^(second|third|fourth|fifth|2nd|3rd|4th|nth)$/;
const SIZE: readonly Hint[] = ['size', 'area', 'population', 'capacity', 'floor'].map((word) => ({
  word,
  direction: 'desc',
}));
const SMALL = new Set(['the', 'of', 'a', 'in', 'all', 'its', 'their']);
const MAX_LIMIT = 1000;

interface Found {
  readonly rank: Omit<Rank, 'limit'>;
  readonly next: number;
}

/** Reads a superlative with its number and what it is about: `the 3 longest`, `highest average rating`, `most stores`. */
export function superlativeAt(sentence: Sentence, at: number): number | null {
  const start = sentence.line.skip(at, new Set(['the']));
  if (areFigures(sentence.line, start)) return null;
  const found = numberFirst(sentence, start) ?? numberAfter(sentence, start);
  if (found === null) return null;
  rankBy(sentence, found.rank);
  return found.next;
}

/** `shortest, longest and average duration` are figures of the same column. */
function areFigures(line: Line, at: number): boolean {
  return (aggregatesAt(line, at)?.aggregates.length ?? 0) > 1;
}

interface Ranked {
  readonly rank: Rank;
  readonly next: number;
}

/** `the 3 longest`. */
function numberFirst(sentence: Sentence, at: number): Ranked | null {
  const limit = limitAt(sentence, at);
  const found = limit === null ? null : wordsAt(sentence, limit.next);
  return limit === null || found === null ? null : { rank: { ...found.rank, limit: limit.value }, next: found.next };
}

/** `the top 3`, or without a number. */
function numberAfter(sentence: Sentence, at: number): Ranked | null {
  const found = limitAt(sentence, at) === null ? wordsAt(sentence, at) : null;
  if (found === null) return null;
  const limit = limitAt(sentence, found.next);
  return { rank: { ...found.rank, limit: limit?.value ?? null }, next: limit?.next ?? found.next };
}

function wordsAt(sentence: Sentence, at: number): Found | null {
  if (isOrdinal(sentence, at)) return null;
  return (
    frequent(sentence, at) ??
    adjective(sentence, at) ??
    newest(sentence, at) ??
    top(sentence, at) ??
    extreme(sentence, at) ??
    mostOfVerb(sentence, at)
  );
}

/** Sets what is ranked by; after `top 5` it may still be said. */
function rankBy(sentence: Sentence, rank: Rank): void {
  const known = sentence.rank;
  if (known !== null && !isOpen(known, rank.direction)) {
    sentence.problems.push('You name more than one order at once; ask for one after the other.');
    return;
  }
  const isFirst = !sentence.rows && sentence.items.length === 0;
  sentence.rank = { ...rank, limit: rank.limit ?? known?.limit ?? null, literal: rank.literal && isFirst };
}

function isOpen({ by, direction }: Rank, wanted: Direction): boolean {
  return by.kind === 'open' && direction === wanted;
}

function isOrdinal({ line }: Sentence, at: number): boolean {
  return (
    ORDINALS.test(line.key(at)) ||
    ORDINALS.test(line.key(at - 1)) ||
    (line.is(at - 1, 'th', 'nd', 'rd') && line.tokens[at - 2]?.kind === 'number')
  );
}

function limitAt({ line }: Sentence, at: number): { readonly value: number; readonly next: number } | null {
  const number = line.number(at);
  const isLimit =
    number !== null &&
    number.unit === null &&
    Number.isInteger(number.value) &&
    number.value >= 1 &&
    number.value <= MAX_LIMIT;
  return isLimit && !/^(19|20)\d\d$/.test(number.text) ? { value: number.value, next: number.next } : null;
}

interface Pointed {
  readonly direction: Direction;
  readonly next: number;
}

/** Which of two kinds of words stands here: for much of something, or for little. */
function pointedAt(line: Line, at: number, [much, little]: readonly [PhraseSet, PhraseSet]): Pointed | null {
  const high = line.phrase(at, much);
  if (high !== null) return { direction: 'desc', next: high };
  const low = line.phrase(at, little);
  return low === null ? null : { direction: 'asc', next: low };
}

function found({ line }: Sentence, at: number, { direction, next }: Pointed, by: RankBy): Found {
  return { rank: { direction, by, text: line.text(at, next), literal: false }, next };
}

function byColumn({ name }: ColumnFacts): RankBy {
  return { kind: 'column', column: name, measure: null };
}

function frequent(sentence: Sentence, at: number): Found | null {
  const said = pointedAt(sentence.line, at, [FREQUENT, RARE]);
  return said === null ? null : found(sentence, at, said, { kind: 'count' });
}

function adjective(sentence: Sentence, at: number): Found | null {
  for (const next of [at + 2, at + 1]) {
    const words = sentence.line.keys(at, next);
    const meaning = adjectiveOf(words, 'superlative');
    if (meaning === null) continue;
    const hinted = hintedColumn(sentence.facts, meaning.hints) ?? aged(sentence, words);
    if (hinted === 'ambiguous') sentence.problems.push(`“${words}” could be about more than one column.`);
    if (hinted === 'ambiguous') return null;
    if (hinted !== null) return found(sentence, at, { direction: hinted.direction, next }, byColumn(hinted.column));
  }
  return null;
}

/** The oldest of rows that have no age is the one whose time is first. */
function aged({ facts: { time } }: Sentence, word: string): HintedColumn | null {
  const isAge = word === 'oldest' || word === 'youngest';
  return isAge && time !== null ? { column: time, direction: word === 'oldest' ? 'asc' : 'desc' } : null;
}

function newest(sentence: Sentence, at: number): Found | null {
  const { line, facts } = sentence;
  const said = pointedAt(line, at, [NEWEST, EARLIEST]);
  if (said === null || isPlainOrdinal(sentence, at, said.next)) return null;
  const column = facts.time ?? onlyYear(sentence);
  const isTimeNamed = columnAt(line, said.next)?.columns[0]?.role === 'time';
  return column === null || isTimeNamed ? null : found(sentence, at, said, byColumn(column));
}

/** `first` and `last` are of time only where rows follow. */
function isPlainOrdinal(sentence: Sentence, at: number, next: number): boolean {
  if (!sentence.line.is(at, 'last', 'first')) return false;
  return rowNounAt(sentence, limitAt(sentence, next)?.next ?? next) === null;
}

function onlyYear(sentence: Sentence): ColumnFacts | null {
  const [year, another] = yearColumns(sentence);
  return year === undefined || another !== undefined ? null : year;
}

function top(sentence: Sentence, at: number): Found | null {
  const said = pointedAt(sentence.line, at, [TOP, BOTTOM]);
  return said === null ? null : found(sentence, at, said, { kind: 'open' });
}

function extreme(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const said = pointedAt(line, at, [HIGH, LOW]);
  const about = said === null ? null : figureAt(sentence, said.next, line.is(at, 'best', 'worst'));
  if (said === null || about === null) return null;
  const isQuantity = /most|least|fewest/.test(line.text(at, said.next));
  const literal = !isQuantity && about.by.kind === 'column' && about.by.measure === null;
  const { direction } = said;
  return { rank: { direction, by: about.by, text: line.text(at, about.next), literal }, next: about.next };
}

/** `costs the most per kg`, `vibrates least`: by what the verb speaks of. */
function mostOfVerb(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const spoken = sentence.items.length > 0 || sentence.rows ? onlyOf(spokenAt(line, at)) : null;
  const said = spoken === null ? null : pointedAt(line, line.skip(spoken.next, SMALL), [MOST, LEAST]);
  if (spoken?.column.role !== 'figure' || said === null || spoken.column.identifies) return null;
  const { direction } = said;
  return found(sentence, at, { direction, next: ofName(line, said.next, spoken.column) }, byColumn(spoken.column));
}

const MOST = phraseSet('most|the most|the highest');
const LEAST = phraseSet('least|the least|the lowest');

/** `per kg` after the price per kg says the rest of the name. */
function ofName(line: Line, at: number, { name }: ColumnFacts): number {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  let next = at;
  while (line.isWord(next) && words.includes(line.key(next))) next += 1;
  return next;
}

interface About {
  readonly by: RankBy;
  readonly next: number;
}

/** What is highest: a count of rows or of values, a figure of groups, or a column. */
function figureAt(sentence: Sentence, at: number, isTaste: boolean): About | null {
  const place = sentence.line.skip(at, SMALL);
  const counted = numberOfAt(sentence.line, place);
  const figure = summed(sentence, place) ?? (counted === null ? columnBy(sentence, place) : null);
  if (figure !== null) return figure;
  if (isTaste) return null;
  return (counted === null ? sizeBy(sentence, place) : null) ?? countBy(sentence, counted ?? place);
}

/** The place after `number of`, `total number of`. */
function numberOfAt(line: Line, at: number): number | null {
  if (line.is(at, 'number', 'amount', 'count', 'total') && line.is(at + 1, 'of')) return at + 2;
  return line.is(at, 'total') && line.is(at + 1, 'number') ? at + 3 : null;
}

function summed({ line }: Sentence, at: number): About | null {
  const said = aggregatesAt(line, at);
  const [aggregate, another] = said?.aggregates ?? [];
  if (said === null || aggregate === undefined || another !== undefined) return null;
  const named = onlyColumnAt(line, line.skip(said.next, SMALL));
  if (named?.column.role !== 'figure') return null;
  const column = named.column.name;
  return { by: { kind: 'column', column, measure: { aggregate, column } }, next: named.next };
}

function columnBy({ line }: Sentence, at: number): About | null {
  const named = columnAt(line, at);
  const isFigure = named?.columns.every(({ role, identifies }) => role === 'figure' && !identifies) === true;
  if (named === null || named.strength < 45 || !isFigure) return null;
  const [first, another] = named.columns;
  const column = another === undefined ? first : extremeOf(named.columns, 'desc');
  return column == null ? null : { by: byColumn(column), next: named.next };
}

/** `most active singers`: rows are counted, with whatever says which. */
function countBy(sentence: Sentence, at: number): About | null {
  const { line } = sentence;
  const start = line.skip(at, SMALL);
  const place = modifiersAt(sentence, line.is(start, 'different', 'distinct', 'unique') ? start + 1 : start);
  const noun = rowNounAt(sentence, place);
  const named = onlyColumnAt(line, place);
  if (named !== null && areValuesCounted(sentence, named, noun)) {
    const column = named.column.name;
    return { by: { kind: 'column', column, measure: { aggregate: 'count_distinct', column } }, next: named.next };
  }
  if (noun === null) return null;
  sentence.rows = true;
  return { by: { kind: 'count' }, next: noun };
}

/** `which city has the most genres`: of a column, not of the rows. */
function areValuesCounted({ items }: Sentence, named: ColumnHere, noun: number | null): boolean {
  const { column, strength, next } = named;
  if (column.role !== 'category' || column.identifies || strength < 60 || items.length === 0) return false;
  return noun === null || next > noun || strength >= 84;
}

/** `the largest store` is one of size, where a column tells it. */
function sizeBy(sentence: Sentence, at: number): About | null {
  const { line, facts } = sentence;
  if (!/^(largest|biggest|smallest)$/.test(line.key(at - 1)) || rowNounAt(sentence, at) === null) return null;
  const hinted = hintedColumn(facts, SIZE);
  if (hinted === null || hinted === 'ambiguous') return null;
  sentence.note(`I took “${line.key(at - 1)}” as that of ${hinted.column.name}.`);
  return { by: { kind: 'column', column: hinted.column.name, measure: null }, next: at };
}
