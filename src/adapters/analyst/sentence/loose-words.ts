import { columnsOfFilter } from '../../../ports/plan-filters.js';
import type { ColumnFacts } from '../column-facts.js';
import { isFiller, isHarmless } from '../fillers.js';
import { columnAt } from './column-mentions.js';
import { isRelated, relatedColumns } from './column-words.js';
import { FATE } from './fates.js';
import { spokenAt } from './hints.js';
import { grammarWords, type Line } from './line.js';
import { isStrangeNoun } from './nouns.js';
import type { Sentence } from './sentence.js';
import { timeUnitOf } from '../time-words.js';
import { yearColumns } from './time-conditions.js';
import { PERSONS, VERB_HINTS } from '../verbs.js';
import { valueAt } from './value-mentions.js';

const NEVER_SKIPPED =
  /^(not|no|never|without|except|or|nor|neither|than|but|only|how|[-+*/()]|plus|minus|per|versus|vs|next|average|group|sort|differ|vary|varies|differs|varied)$/;

/** A verb at the end that speaks of a column which is bound already: `how many items does Acme supply`. */
export function saidAgainAt(sentence: Sentence, at: number): number | null {
  const { line, facts } = sentence;
  const isAfterAll = sentence.tail || sentence.items.length > 0;
  if (!isAfterAll || !line.isWord(at) || isHad(line, at)) return null;
  const word = line.key(at);
  if (/(ed|s|t|n)$/.test(word) && [...facts.nameStems].some((noun) => isRelated(word, noun))) return at + 1;
  const related = spokenColumns(sentence, at);
  const bound = boundColumns(sentence);
  return related.some(({ name }) => bound.has(name)) ? at + 1 : hintedTime(sentence, at, related);
}

/** `loans with a fine`: what rows have, or don't have, is a condition. */
function isHad(line: Line, at: number): boolean {
  const before = line.is(at - 1, 'a', 'an', 'any', 'some') ? at - 2 : at - 1;
  return line.is(before, 'with', 'without', 'no', 'having', 'except', 'only', 'where', 'positive', 'negative', 'zero');
}

/** Columns that a verb speaks of, by its form or by what it means. */
function spokenColumns({ line, facts }: Sentence, at: number): readonly ColumnFacts[] {
  return [...relatedColumns(line.key(at), facts.columns), ...(spokenAt(line, at)?.columns ?? [])];
}

/** Columns that the sentence has used already. */
function boundColumns({ columns, filters, groups, measures, rank }: Sentence): ReadonlySet<string> {
  const measured = measures.flatMap(({ column }) => column ?? []);
  const ranked = rank?.by.kind === 'column' ? [rank.by.column] : [];
  return new Set([
    ...measured,
    ...ranked,
    ...columns,
    ...filters.flatMap(columnsOfFilter),
    ...groups.map(({ column }) => column),
  ]);
}

/** `episodes published each month`: every row has that time, and it is the one to group by. */
function hintedTime(sentence: Sentence, at: number, related: readonly ColumnFacts[]): number | null {
  const years = yearColumns(sentence);
  const [only, another] = related.filter(
    (column) => (column.role === 'time' && column.profile.nulls === 0) || years.includes(column),
  );
  if (only === undefined || another !== undefined || !/(ed|en|rn)$/.test(sentence.line.key(at))) return null;
  sentence.hinted = [only];
  return at + 1;
}

export function fillerAt({ line, harmless, filters }: Sentence, at: number): number | null {
  if (!line.isWord(at)) return null;
  if (isOnlyLast(line, at) || (filters.length > 0 && areOnes(line, at))) return at + 1;
  const word = line.key(at);
  if (asksMore(line, at)) return null;
  if (isHarmless(word)) harmless.push(line.text(at, at + 1));
  return saysNothing(word) ? at + 1 : null;
}

function saysNothing(word: string): boolean {
  return isHarmless(word) || isFiller(word) || LINKING.test(word);
}

/** `only fragile ones`: what was named before. */
function areOnes(line: Line, at: number): boolean {
  return line.is(at, 'ones', 'one') && isClauseEnd({ line }, at + 1);
}

/** `in Rome only`: the condition before it has said so. */
function isOnlyLast(line: Line, at: number): boolean {
  return at > 0 && line.is(at, 'only') && (at + 1 === line.end || line.is(at + 1, ','));
}

/** Words without which a question is another one; `…, and when?` asks for something, too. */
function asksMore(line: Line, at: number): boolean {
  return NEVER_SKIPPED.test(line.key(at)) || (line.is(at, 'when') && at + 1 === line.end);
}

const LINKING = /^(who|that|which|when|whom|all|list|show|so|far|out|worth)$/;

/** `how many games did each team play`: the verb of a question says how rows and groups belong together. */
export function askedVerbAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (!isAskedOf(sentence, at) || !isPlainVerb(sentence, at) || spokenAt(line, at) !== null) return null;
  sentence.harmless.push(line.text(at, at + 1));
  return at + 1;
}

/** At the end of a clause that asks what somebody does, where it is known of which rows. */
function isAskedOf({ line, groups, filters, rank, items }: Sentence, at: number): boolean {
  const isOurs = items.length > 0 && line.is(at - 1, 'we', 'they', 'you', 'people') && at + 1 === line.end;
  const isBound = isOurs || groups.length > 0 || filters.length > 0 || rank !== null;
  return isBound && isClauseEnd({ line }, at + 1) && line.has(0, at, 'do', 'does', 'did', 'has', 'have', 'had');
}

function isPlainVerb({ line }: Sentence, at: number): boolean {
  // What it costs or weighs is a figure, which this table may not have.
  if (VERB_HINTS.has(line.key(at)) && spokenAt(line, at) === null) return false;
  const named = columnAt(line, at);
  const isNoColumn = named === null || named.columns.every(({ identifies }) => identifies);
  return line.isWord(at) && !FATE.test(line.key(at)) && isNoColumn;
}

function isClauseEnd({ line }: Pick<Sentence, 'line'>, at: number): boolean {
  return at >= line.end || line.is(at, 'in', 'on', 'during', 'since', 'after', 'before', 'between', 'from');
}

/** `batches of washed coffee`: what a value is said of, where the rows were named before. */
export function kindNounAt(sentence: Sentence, at: number): number | null {
  const { line, rows, strangers, harmless } = sentence;
  const isEnd = at + 1 >= line.end || line.is(at + 1, ...AFTER_NOUN);
  if (!rows || strangers.length > 0 || !isEnd || !isAfterValue(sentence, at) || !isPlainNoun(sentence, at)) return null;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

/** Right after a value that rows have. */
function isAfterValue({ line, filters }: Sentence, at: number): boolean {
  const last = filters.at(-1);
  const value = last?.kind === 'in' && !last.negated && line.isWord(at - 1) ? valueAt(line, at - 1) : null;
  return value?.partial === false && value.next === at;
}

/** A small word that neither the grammar nor the table knows. */
function isPlainNoun(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  const word = line.key(at);
  const isSmall = /^\p{Ll}{4,}$/u.test(line.text(at, at + 1));
  return isSmall && !isFiller(word) && !grammarWords().has(word) && !isKnown(sentence, at);
}

const AFTER_NOUN = [',', 'and', 'is', 'are', 'was', 'were', 'that', 'which', 'who', 'with', 'by', 'per', 'in', 'from'];

/** `in the whole league`, `across our entire network`: all rows, whatever they are called together. */
export function wholeScopeAt({ line, harmless }: Sentence, at: number): number | null {
  const whole = line.skip(at + 1, new Set(['the', 'our', 'this']));
  if (!line.is(at, 'in', 'of', 'across', 'over', 'within', 'for') || !line.is(whole, 'whole', 'entire')) return null;
  const noun = whole + 1;
  const isPlain = line.isWord(noun) && columnAt(line, noun) === null && valueAt(line, noun) === null;
  if (!isPlain || timeUnitOf(line.key(noun)) !== null) return null;
  harmless.push(line.text(noun, noun + 1));
  return noun + 1;
}

/** `the deepest earthquake`: what is picked is a row, whatever it is called. */
export function pickedNounAt(sentence: Sentence, at: number): number | null {
  const { line, harmless } = sentence;
  const isEnd = at + 1 >= line.end || line.is(at + 1, ',', 'and', 'in', 'with');
  if (!isEnd || !isPicked(sentence, at) || !isPlainNoun(sentence, at) || PERSONS.has(line.key(at))) return null;
  harmless.push(line.text(at, at + 1));
  sentence.rows = true;
  return at + 1;
}

/** Right after the superlative; who is the oldest may be of another age than the rows'. */
function isPicked({ line, rows, rank, strangers }: Sentence, at: number): boolean {
  if (rows || strangers.length > 0 || rank?.by.kind !== 'column') return false;
  return isLastOf(rank.text, line.key(at - 1)) && !line.is(at - 1, 'oldest', 'youngest');
}

function isLastOf(text: string, word: string): boolean {
  return text.toLowerCase().split(' ').at(-1) === word;
}

/** A noun where a word for the rows stands: `names of all players` in a table that is called otherwise. */
export function strangerAt(sentence: Sentence, at: number): number | null {
  const { line, rows, strangers } = sentence;
  const isNoun = LEADS.has(line.key(at - 1)) && isStrangeNoun(line, at);
  if (!isNoun || rows || strangers.length > 0 || isKnown(sentence, at)) return null;
  strangers.push(line.text(at, at + 1));
  sentence.rows = true;
  sentence.tail = true;
  return at + 1;
}

function isKnown({ line }: Sentence, at: number): boolean {
  return columnAt(line, at) !== null || valueAt(line, at) !== null;
}

/** Words that a noun for the rows follows. */
const LEADS = new Set([
  'of',
  'all',
  'the',
  'which',
  'what',
  'many',
  'list',
  'show',
  'each',
  'every',
  'find',
  'for',
  'are',
]);
