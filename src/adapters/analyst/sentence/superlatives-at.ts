import type { ColumnFacts, Direction } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import type { Hint } from '../column-facts.js';
import { aggregatesAt } from './aggregates.js';
import { directionFor } from './directions.js';
import { columnAt, onlyColumnAt, onlyOf, type ColumnHere } from './column-mentions.js';
import { relatedColumns } from './column-words.js';
import { onlyFigureAt, theOnly } from './only.js';
import { isObject } from './said-before.js';
import { ordinalAt } from './ordinals.js';
import { flagAt } from './flags.js';
import { hintedColumn, spokenAt, type HintedColumn } from './hints.js';
import { phraseSet, type Line, type PhraseSet } from './line.js';
import { rowNounAt } from './nouns.js';
import type { Rank, RankBy, Sentence } from './sentence.js';
import { BETWEEN_RANKED, byColumn, ranksByAt, type About } from './superlative-figures.js';
import { yearColumns } from './time-conditions.js';
import { valueAt } from './value-mentions.js';

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
const MAX_LIMIT = 1000;

interface Found {
  readonly rank: Omit<Rank, 'limit'>;
  readonly next: number;
}

/** Reads a superlative with its number and what it is about: `the 3 longest`, `highest average rating`, `most stores`. */
export function superlativeAt(sentence: Sentence, at: number): number | null {
  const start = sentence.line.skip(at, new Set(['the']));
  if (areFigures(sentence.line, start)) return null;
  const figure = figureAmong(sentence, start);
  if (figure !== null) return figure;
  const found = ordinalFirst(sentence, start) ?? numberFirst(sentence, start) ?? numberAfter(sentence, start);
  if (found === null) return null;
  takeRank(sentence, found.rank);
  return found.next;
}

/** `the number of quakes, the mean depth and the largest magnitude`: one more figure of the same groups. */
function figureAmong(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const said = isAmongFigures(sentence, at) ? pointedAt(line, at, [HIGH, LOW]) : null;
  const named = said === null ? null : onlyFigureAt(line, said.next);
  if (said === null || named === null || named.column.identifies || named.strength < 60) return null;
  sentence.addMeasure({ aggregate: said.direction === 'desc' ? 'max' : 'min', column: named.column.name });
  return named.next;
}

/** After other figures of groups that were named. */
function isAmongFigures({ line, measures, rank, groups }: Sentence, at: number): boolean {
  const isJoined = line.is(line.is(at - 1, 'the') ? at - 2 : at - 1, ',', 'and');
  return isJoined && measures.length > 0 && groups.length > 0 && rank === null;
}

/** `shortest, longest and average duration` are figures of the same column. */
function areFigures(line: Line, at: number): boolean {
  return (aggregatesAt(line, at)?.aggregates.length ?? 0) > 1;
}

interface Ranked {
  readonly rank: Rank;
  readonly next: number;
}

/** `the second highest`: one, after those that are passed over. */
function ordinalFirst(sentence: Sentence, at: number): Ranked | null {
  const ordinal = ordinalAt(sentence.line, at);
  const found = ordinal === null ? null : rankWordsAt(sentence, ordinal.next);
  if (ordinal === null || found === null) return null;
  return { rank: { ...found.rank, limit: 1, skip: ordinal.place - 1 }, next: found.next };
}

/** `the 3 longest`. */
function numberFirst(sentence: Sentence, at: number): Ranked | null {
  const limit = limitAt(sentence, at);
  const found = limit === null ? null : rankWordsAt(sentence, limit.next);
  return limit === null || found === null ? null : { rank: { ...found.rank, limit: limit.value }, next: found.next };
}

/** `the top 3`, or without a number. */
function numberAfter(sentence: Sentence, at: number): Ranked | null {
  const found = limitAt(sentence, at) === null ? rankWordsAt(sentence, at) : null;
  if (found === null) return null;
  const limit = limitAt(sentence, found.next);
  return { rank: { ...found.rank, limit: limit?.value ?? null }, next: limit?.next ?? found.next };
}

/** A superlative with what it is about; nothing is taken down yet. */
export function rankWordsAt(sentence: Sentence, at: number): Found | null {
  return (
    done(sentence, at) ??
    frequent(sentence, at) ??
    adjective(sentence, at) ??
    newest(sentence, at) ??
    top(sentence, at) ??
    extreme(sentence, at) ??
    mostOfVerb(sentence, at)
  );
}

/** Sets what is ranked by; after `top 5` it may still be said. */
export function takeRank(sentence: Sentence, rank: Rank): void {
  const known = sentence.rank;
  if (known !== null && !isOpen(known, rank.direction)) {
    sentence.problems.push('You name more than one order at once; ask for one after the other.');
    return;
  }
  const isFirst = !sentence.rows && sentence.items.length === 0;
  sentence.rank = {
    ...rank,
    limit: rank.limit ?? known?.limit ?? null,
    skip: rank.skip,
    literal: rank.literal && isFirst,
  };
}

function isOpen({ by, direction }: Rank, wanted: Direction): boolean {
  return by.kind === 'open' && direction === wanted;
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

function frequent(sentence: Sentence, at: number): Found | null {
  const said = pointedAt(sentence.line, at, [FREQUENT, RARE]);
  return said === null ? null : found(sentence, at, said, { kind: 'count' });
}

/** `most played`, `least visited`: by what the participle counts. */
function done(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const said = pointedAt(line, at, [DONE_MOST, DONE_LEAST]);
  const isAdjective = adjectiveOf(line.keys(at, at + 2), 'superlative') !== null;
  if (said === null || isAdjective || !/(ed|en|wn|ld|id)$/.test(line.key(said.next))) return null;
  const by = countedBy(sentence, said.next);
  return by === null ? null : found(sentence, at, { ...said, next: said.next + 1 }, by);
}

/** The figure that a participle speaks of, or else how often it was done to what follows. */
function countedBy({ line, facts }: Sentence, at: number): RankBy | null {
  const figures = facts.columns.filter(({ role, identifies }) => role === 'figure' && !identifies);
  const column = theOnly(relatedColumns(line.key(at), figures));
  if (column !== null) return byColumn(column);
  const isOfValues = onlyColumnAt(line, at + 1)?.column.role === 'category';
  return isOfValues && isDealing(line, at) ? { kind: 'count' } : null;
}

/** What is done to things again and again, so that it can be counted how often: no talent, and no yes or no of a column. */
function isDealing(line: Line, at: number): boolean {
  return DEALT.test(line.key(at)) && valueAt(line, at) === null && flagAt(line, at) === null;
}

const DEALT =
  /^(ordered|sold|bought|purchased|used|visited|borrowed|rented|requested|chosen|booked|reported|mentioned|offered|served|played|taught|assigned|shipped|delivered|prescribed|diagnosed|listed|hired)$/;

const DONE_MOST = phraseSet('most|most often|most frequently|most commonly');
const DONE_LEAST = phraseSet('least|least often|least frequently|least commonly');

function adjective(sentence: Sentence, at: number): Found | null {
  for (const next of [at + 2, at + 1]) {
    const words = sentence.line.keys(at, next);
    const meaning = adjectiveOf(words, 'superlative');
    if (meaning === null) continue;
    const figure = figureOfAdjective(sentence, next, meaning.hints);
    if (figure !== null) return figure;
    const hinted = hintedColumn(sentence.facts, meaning.hints) ?? aged(sentence, words);
    if (hinted === 'ambiguous') sentence.problems.push(`“${words}” could be about more than one column.`);
    if (hinted === 'ambiguous') return null;
    if (hinted !== null) return found(sentence, at, { direction: hinted.direction, next }, byColumn(hinted.column));
  }
  return null;
}

/** `the heaviest cargo`, `the longest delay`: the adjective says which end, the noun of what. */
function figureOfAdjective(sentence: Sentence, at: number, hints: readonly Hint[]): Found | null {
  const { line } = sentence;
  const named = onlyFigureAt(line, at);
  const direction = directionFor(named?.column, hints);
  if (named === null || direction === undefined || named.column.identifies) return null;
  const isNamed = named.strength >= 50 && (rowNounAt(sentence, at) ?? 0) < named.next;
  const rank = { direction, by: byColumn(named.column), text: line.text(at - 1, named.next), literal: true };
  return isNamed ? { rank, next: named.next } : null;
}

/** The oldest of rows that have no age is the one whose time or year is first. */
export function aged(sentence: Sentence, word: string): HintedColumn | null {
  const column = word === 'oldest' || word === 'youngest' ? (sentence.facts.time ?? onlyYear(sentence)) : null;
  return column === null ? null : { column, direction: word === 'oldest' ? 'asc' : 'desc' };
}

function newest(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const said = pointedAt(line, at, [NEWEST, EARLIEST]);
  if (said === null || isPlainOrdinal(sentence, at, said.next)) return null;
  const own = momentNoun(line, said.next);
  if (own !== null) return found(sentence, at, { ...said, next: own.next }, byColumn(own.column));
  const column = momentOf(sentence, said.next);
  return column === null ? null : found(sentence, at, said, byColumn(column));
}

/** The time of the rows, unless a time is what is named next. */
function momentOf(sentence: Sentence, at: number): ColumnFacts | null {
  const isTimeNamed = columnAt(sentence.line, at)?.columns[0]?.role === 'time';
  return isTimeNamed ? null : (sentence.facts.time ?? onlyYear(sentence));
}

/** `the most recent arrival`: what happened at the time of a column, and not its date. */
function momentNoun(line: Line, at: number): ColumnHere | null {
  const named = onlyColumnAt(line, at);
  if (named?.column.role !== 'time' || /^(dates?|times?|days?|year|timestamps?)$/.test(line.key(named.next - 1)))
    return null;
  return named.strength < 98 || named.column.words.length > 1 ? named : null;
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
  if (said === null) return null;
  const about = ranksByAt(sentence, said.next, line.is(at, 'best', 'worst'));
  if (about === null) return isByFigure(sentence, said.next) ? found(sentence, at, said, { kind: 'open' }) : null;
  const isQuantity = /most|least|fewest/.test(line.text(at, said.next));
  const literal = !isQuantity && isNamedIn(line, said.next, about);
  const { direction } = said;
  return { rank: { direction, by: about.by, text: line.text(at, about.next), literal }, next: about.next };
}

/** The largest of rows names no figure. */
function isNamedIn(line: Line, at: number, { by, next }: About): boolean {
  return next > line.skip(at, BETWEEN_RANKED) && by.kind === 'column' && by.measure === null;
}

/** `the five best customers by revenue`: what it is by comes after what is ranked. */
function isByFigure({ line }: Sentence, at: number): boolean {
  if (line.is(at, 'by') && onlyFigureAt(line, line.skip(at + 1, new Set(['the', 'its', 'their']))) !== null)
    return true;
  const named = onlyColumnAt(line, at);
  const noun = named?.column.role === 'category' ? named.next : null;
  return noun !== null && line.is(noun, 'by') && onlyColumnAt(line, noun + 1)?.column.role === 'figure';
}

/** `costs the most per kg`, `vibrates least`: by what the verb speaks of. */
function mostOfVerb(sentence: Sentence, at: number): Found | null {
  const { line } = sentence;
  const spoken = sentence.items.length > 0 || sentence.rows ? onlyOf(spokenAt(line, at)) : null;
  const said = spoken === null ? null : pointedAt(line, line.skip(spoken.next, BETWEEN_RANKED), [MOST, LEAST]);
  if (spoken?.column.role !== 'figure' || said === null || spoken.column.identifies) return null;
  return found(sentence, at, { ...said, next: pastObject(line, said.next, spoken.column) }, byColumn(spoken.column));
}

/** `employ the fewest people`: what is counted by the column, or the rest of its name. */
function pastObject(line: Line, at: number, column: ColumnFacts): number {
  const isItself = onlyColumnAt(line, at)?.column === column;
  return isItself || isObject(line, at) ? at + 1 : ofName(line, at, column);
}

const MOST = phraseSet('most|the most|the highest');
const LEAST = phraseSet('least|the least|the lowest|fewest|the fewest');

/** `per kg` after the price per kg says the rest of the name. */
function ofName(line: Line, at: number, { name }: ColumnFacts): number {
  const words = name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  let next = at;
  while (line.isWord(next) && words.includes(line.key(next))) next += 1;
  return next;
}
