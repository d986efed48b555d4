import type { ColumnFacts } from '../column-facts.js';
import { isFiller } from '../fillers.js';
import { columnAt, isPossessive, onlyOf, type ColumnMention } from './column-mentions.js';
import { VERB_HINTS } from '../verbs.js';
import { computationAt } from './figures.js';
import { isFlag } from './flags.js';
import { phraseSet, type Line } from './line.js';
import { dayAt, namesakeAt, rowNounAt } from './nouns.js';
import { isScope, scopedAt } from './scopes.js';
import { operatorAt } from './operators.js';
import type { Sentence } from './sentence.js';
import { targetAt } from './targets.js';

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
  const owned = ownedRowsAt(sentence, place.at);
  if (owned !== null) return owned;
  if (areRowsNamed(sentence, place.at) || isCompared(line, place.at) || isCounted(sentence, place.at)) return null;
  const named = columnAt(line, place.at);
  return named !== null && isShown(line, place.at, named)
    ? columnOrVerb(sentence, named, place)
    : spanItem(sentence, place.at);
}

function columnOrVerb(sentence: Sentence, named: ColumnMention, place: ShownAt): number | null {
  const isVerb = !place.isAttribute && isDone(sentence, place.at, named);
  return isVerb ? doneAt(sentence, named) : shownAt(sentence, named, place);
}

/** `which aisles have articles from Norr`: the rows, by the column that says what they are called. */
function ownedRowsAt(sentence: Sentence, at: number): number | null {
  const { line, columns, rows } = sentence;
  const noun = namesakeAt(sentence, at);
  const before = line.is(at - 1, 'the', 'any', 'some') ? at - 2 : at - 1;
  const isOwned = !rows && columns.length === 1 && line.is(before, 'have', 'has', 'had', 'contain', 'contains', 'hold');
  if (!isOwned || noun === null || !line.key(noun - 1).endsWith('s') || noun >= line.end) return null;
  sentence.rows = true;
  sentence.tail = true;
  return noun;
}

/** `who sold more than 3`: the verb of a comparison. */
function isCompared(line: Line, at: number): boolean {
  return VERB_HINTS.has(line.key(at)) && operatorAt(line, at + 1) !== null;
}

/** `and the number of accounts`: the rows are counted, and have no number of their own that is meant. */
function isCounted(sentence: Sentence, at: number): boolean {
  const counted = sentence.line.phrase(at, NUMBER_OF);
  return counted !== null && rowNounAt(sentence, counted) !== null;
}

const NUMBER_OF = phraseSet('number of|the number of|total number of|the total number of');

/** Whether a word for the rows is more than the same word in the name of a column. */
function areRowsNamed(sentence: Sentence, at: number): boolean {
  const noun = rowNounAt(sentence, at);
  const named = columnAt(sentence.line, at);
  if (noun === null || named === null) return false;
  return isFlagOfRows(named, noun) || (named.next <= noun && named.strength < 84);
}

/** `models in service`: the rows, and then what is said of them. */
function isFlagOfRows(named: ColumnMention, noun: number): boolean {
  const only = onlyOf(named);
  return only !== null && only.next > noun && isFlag(only.column);
}

function isShown(line: Line, at: number, { strength }: ColumnMention): boolean {
  return strength >= 50 || (strength >= 42 && !isFiller(line.key(at)));
}

const OF_DOING = 'from to in on by at before after since between during until with for'.split(' ');

/** `lamps sent from Hill`: the verb of a column called sent_on, and not its date. */
function isDone(sentence: Sentence, at: number, { columns, next }: ColumnMention): boolean {
  const { line } = sentence;
  const verb = line.is(next - 1, 'on', 'at', 'in') ? next - 2 : next - 1;
  if (columns[0]?.role !== 'time' || !isVerbAlone(sentence, at, verb)) return false;
  if (verb < next - 1) return next < line.end && !line.is(next, ',', 'and');
  return isSubject(line, verb, next) || endsWithVerb(line, at, next);
}

/** A participle by itself, or after the word for the rows. */
function isVerbAlone(sentence: Sentence, at: number, verb: number): boolean {
  const isAlone = verb === at || (verb === at + 1 && rowNounAt(sentence, at) === verb);
  return isAlone && /(?:ed|en|wn|nt|ld|ght|ut)$/.test(sentence.line.key(verb));
}

/** `they sent`, `were sent`, `sent from`. */
function isSubject(line: Line, verb: number, next: number): boolean {
  return line.is(verb - 1, ...DOERS_BEFORE) || line.is(next, ...OF_DOING);
}

/** `most parcels sent` at the end, but not `depot, sent`. */
function endsWithVerb(line: Line, at: number, next: number): boolean {
  return next >= line.end && at > 0 && !line.is(at - 1, ',', 'and', 'the', 'date', 'show', 'list');
}

const DOERS_BEFORE = ['we', 'they', 'you', 'who', 'was', 'were', 'are', 'is', 'been'];

function doneAt(sentence: Sentence, { columns, next }: ColumnMention): number {
  sentence.hinted = columns;
  sentence.rows ||= sentence.items.length === 0;
  sentence.tail = true;
  return sentence.line.is(next - 1, 'on', 'at', 'in') ? next - 1 : next;
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
  return role === 'category' && /[^siu]s$/.test(line.key(next - 1));
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
  const noun = ownersAt(sentence, at, place) ?? nounAt(sentence, at, place);
  if (noun === null) return null;
  sentence.rows = true;
  if (line.is(place - 1, 'each', 'every')) sentence.each = true;
  sentence.tail = !isPossessive(line, noun - 1);
  sentence.pluralRows = line.key(noun - 1).endsWith('s');
  return noun;
}

/** A word for the rows that is no column which is meant. */
function nounAt(sentence: Sentence, at: number, place: number): number | null {
  const noun = rowNounAt(sentence, place) ?? dayAt(sentence, place) ?? scopedAt(sentence, at, place);
  if (noun === null) return null;
  return !isScope(sentence, at, noun) && isRatherColumn(columnAt(sentence.line, place), noun) ? null : noun;
}

/** `status of the buildings`: whose it is, where a column says what they are called. */
function ownersAt(sentence: Sentence, at: number, place: number): number | null {
  const { line, items, groups } = sentence;
  const isOf = (line.is(at, 'of') || line.is(place - 1, 'there')) && items.length > 0 && groups.length === 0;
  return isOf && items.every(({ kind }) => kind === 'column') ? namesakeAt(sentence, place) : null;
}

/** A longer name, or `which department` where rows are called so, too. */
function isRatherColumn(named: ColumnMention | null, noun: number): boolean {
  if (named === null) return false;
  const isLonger = named.next > noun && named.strength >= 60;
  return isLonger || (named.strength >= 96 && !named.columns.some(({ identifies }) => identifies));
}
