import type { ColumnFacts } from '../column-facts.js';
import { columnAt, onlyColumnAt, type ColumnHere } from './column-mentions.js';
import { relatedColumns } from './column-words.js';
import type { Condition } from './comparisons.js';
import { FATE } from './fates.js';
import { deniedFlagAt, flagAt, flagFilter, isFlag } from './flags.js';
import { theOnly } from './only.js';
import { phraseSet, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';
import { textConditionAt } from './text-conditions.js';
import { valuesAt } from './value-conditions.js';
import { valueAt, type ValueMention } from './value-mentions.js';

const PREPOSITIONS = new Set(
  'in from at on by of for to within inside under with called named like as through via into during using'.split(' '),
);
const ARTICLES = new Set(['the', 'a', 'an']);
const BEFORE_VALUE = new Set([...ARTICLES, 'either', 'both', 'any', 'of']);

/** After a preposition a value is what is meant: `in Sales`. */
export function prepositionalValue(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const isSaid = PREPOSITIONS.has(line.key(at));
  if (!isSaid && !(denied && line.key(at - 1) === 'in')) return null;
  const place = pastArticles(line, isSaid ? at + 1 : at, BEFORE_VALUE);
  const mention = valueAt(line, place);
  if (mention === null || mention.partial || isNameOfMore(line, place, mention)) return null;
  return read(sentence, place, { preposition: line.key(at), denied });
}

/** `A 2` is no article and a number where a cell says so; of `Athens (ATH)` the cells may know only what is in brackets. */
function pastArticles(line: Line, at: number, articles: ReadonlySet<string>): number {
  if (valueAt(line, at)?.partial === false) return at;
  const place = line.skip(at, articles);
  const isExplained = /^\p{Lu}\p{Ll}/u.test(line.text(place, place + 1)) && valueAt(line, place) === null;
  return isExplained && columnAt(line, place) === null && isCodeAt(line, place + 1) ? place + 1 : place;
}

/** A whole value in capitals, as codes are. */
function isCodeAt(line: Line, at: number): boolean {
  const value = valueAt(line, at);
  return value?.partial === false && /^[\p{Lu}\d-]+$/u.test(value.text);
}

/** Whether a longer run of words is the name of a column. */
function isNameOfMore(line: Line, at: number, { next }: ValueMention): boolean {
  const named = columnAt(line, at);
  return named !== null && named.strength >= 90 && named.next > next;
}

interface Manner {
  readonly preposition: string;
  readonly denied: boolean;
}

function read(sentence: Sentence, at: number, { preposition, denied }: Manner): Condition | null {
  const found = valuesAt(sentence, at, { columns: sentence.hinted, named: false, preposition, negated: denied });
  return found === null ? null : { filters: [found.filter], next: found.next };
}

/** Words that stand in cells, anywhere: `electric`, `in the North`. */
export function value(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line } = sentence;
  const isSaid = PREPOSITIONS.has(line.key(at));
  const place = isSaid ? pastArticles(line, at + 1, ARTICLES) : at;
  const mention = valueAt(line, place);
  if (mention === null || isRatherColumn(line, place, mention)) return null;
  if (mention.partial && isNoPiece(sentence, place)) return null;
  return read(sentence, place, { preposition: isSaid ? line.key(at) : '', denied });
}

/** Words that say more than that they stand in a cell. */
function isNoPiece(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  const isFate = line.tokens[at]?.kind !== 'quoted' && FATE.test(line.key(at));
  return isFate || saysSomethingElse(sentence, at) || isAskedNoun(line, at);
}

/** The less of a cell was said, the sooner the words are the name of a column. */
function isRatherColumn(line: Line, at: number, { partial, next }: ValueMention): boolean {
  const named = columnAt(line, at);
  return named !== null && named.strength >= (partial ? 50 : 84) && named.next >= next;
}

/** `which grounds`: what is asked for, and no piece of a cell. */
function isAskedNoun(line: Line, at: number): boolean {
  return (
    line.is(at - 1, 'which', 'what', 'many', 'all') && /[^s]s$/.test(line.key(at)) && line.tokens[at]?.kind === 'word'
  );
}

/** A verb that speaks of a column or a word for the rows is no piece of a cell's text. */
function saysSomethingElse(sentence: Sentence, at: number): boolean {
  const { line, facts } = sentence;
  return relatedColumns(line.key(at), facts.columns).length > 0 || rowNounAt(sentence, at) !== null;
}

/** `titles that start with “The”`: what was just asked for. */
export function textOfItem(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const name = lastItem(sentence);
  const column = name === null ? undefined : sentence.columnNamed(name);
  if (column === undefined) return null;
  if (sentence.line.is(at - 1, 'with', 'having')) return quotedWithin(sentence, column, { at, denied });
  if (sentence.line.is(at, 'with', 'has', 'having', 'in')) return null;
  const isItsName = sentence.line.is(at, 'name', 'names') && columnAt(sentence.line, at) === null;
  return textConditionAt(sentence, column, { at: isItsName ? at + 1 : at, negated: denied });
}

/** `titles with "History" in them`. */
function quotedWithin({ line }: Sentence, { name, role }: ColumnFacts, { at, denied }: Quoted): Condition | null {
  const piece = line.tokens[at];
  const within = piece?.kind === 'quoted' ? line.phrase(at + 1, WITHIN) : null;
  if (piece === undefined || within === null || role !== 'category') return null;
  return { filters: [{ kind: 'contains', column: name, text: piece.text, negated: denied }], next: within };
}

interface Quoted {
  readonly at: number;
  readonly denied: boolean;
}

const WITHIN = phraseSet(
  'in it|in them|in the name|in their name|in their names|in its name|in the title|in their title|in the text',
);

function lastItem({ columns, measures }: Sentence): string | null {
  const counted = measures.at(-1);
  return columns.at(-1) ?? (counted?.aggregate === 'count_distinct' ? counted.column : null);
}

/** `insured and uninsured`: both sides of a yes-or-no column. */
export function areBothSides(line: Line, at: number): boolean {
  const named = flagAt(line, at);
  if (named === null || !line.is(named.next, 'and', 'or')) return false;
  const denied = line.is(named.next + 1, 'not', 'non');
  const other = denied
    ? onlyColumnAt(line, named.next + 2)?.column.name
    : valueAt(line, named.next + 1)?.choices[0]?.column;
  return other === named.column.name;
}

/** `do more men than women cancel`: the verb of a column called cancelled. */
function flagOfVerb(line: Line, at: number): ColumnHere | null {
  const isAsked = line.has(0, at, 'do', 'does', 'did') && line.isWord(at) && line.key(at).length > 4;
  const flags = isAsked ? line.facts.columns.filter(isFlag) : [];
  const column = theOnly(relatedColumns(line.key(at), flags));
  return column === null ? null : { column, strength: 60, next: at + 1 };
}

/** Yes-or-no columns: `active`, `that are not cancelled`. */
export function flag({ line }: Sentence, at: number, denied: boolean): Condition | null {
  const undone = deniedFlagAt(line, at);
  if (undone !== null) return { filters: [flagFilter(undone.column, denied)], next: undone.next };
  const place = line.is(at, 'in', 'on', 'under') ? at + 1 : at;
  const named = flagAt(line, at) ?? flagAt(line, place) ?? flagOfVerb(line, at);
  return named === null ? null : { filters: [flagFilter(named.column, !denied)], next: named.next };
}
