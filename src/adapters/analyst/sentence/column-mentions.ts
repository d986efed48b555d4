import type { Aggregate } from '../../../ports/analysis-plan.js';
import type { ColumnFacts } from '../column-facts.js';
import { isFiller } from '../fillers.js';
import { impliedBy } from '../names.js';
import type { TableFacts } from '../table-facts.js';
import { stem } from '../text.js';
import { likeness } from './column-words.js';
import { momentMeant, ownNameMeant, withoutRowNoun, type Found } from './own-names.js';
import { phraseSet, type Line } from './line.js';

/** Columns that words name. Several are meant together where `together`, else one of them and nobody can say which. */
export interface ColumnMention {
  readonly columns: readonly ColumnFacts[];
  readonly together: boolean;
  readonly implied: Aggregate | null;
  /** 100 the whole name; from 70 all of the words of it; below that a part of it or another word for it. */
  readonly strength: number;
  readonly next: number;
}

const LONGEST = 6;
/** Comparisons that begin as the end of a header may. */
const LIMITING = phraseSet('at least|at most|no more|no less');
const SMALL = new Set(['of', 'in', 'the', 'a']);
const TIME_WORDS = new Set(['hour', 'day', 'week', 'month', 'quarter', 'weekday', 'time', 'today']);
/** Words of headers that alone name nothing. */
const VAGUE = new Set(
  'unit total number name id type date day time year amount value count max min avg average sum is has level no per'
    .split(' ')
    .map(stem),
);
const NEUTRAL = new Set(['unit', 'name', 'nm', 'title', 'id', 'no', 'code', 'full', 'list', 'is', 'has', 'num', 'nr']);

/** Finds the column that is named from here on, by the longest run of words that names one. */
export function columnAt(line: Line, at: number): ColumnMention | null {
  return line.once(findColumn, at);
}

/** One column that is named, and no other. */
export interface ColumnHere {
  readonly column: ColumnFacts;
  readonly strength: number;
  readonly next: number;
}

/** The column that is named from here on, where the words name just one. */
export function onlyColumnAt(line: Line, at: number): ColumnHere | null {
  return onlyOf(columnAt(line, at));
}

/** The column of a mention, where it is of just one. */
export function onlyOf(named: ColumnMention | null): ColumnHere | null {
  const [column, another] = named?.columns ?? [];
  if (named === null || column === undefined || another !== undefined) return null;
  return { column, strength: named.strength, next: named.next };
}

function findColumn(line: Line, at: number): ColumnMention | null {
  const run = wordsFrom(line, at);
  for (let length = run.length; length > 0; length -= 1) {
    const said = run.slice(0, length);
    if (isSmall(said[0] ?? '') || isSmall(said.at(-1) ?? '')) continue;
    const found = isCounting(line, at, length) ? null : spoken(said, line.facts);
    if (found !== null) return { ...found, next: at + length };
  }
  return null;
}

/** `number of` counts; no row is called so. */
function isCounting(line: Line, at: number, length: number): boolean {
  return length === 1 && line.is(at, 'number', 'numbers') && !endsHere(line, at + 1);
}

function endsHere(line: Line, at: number): boolean {
  return at >= line.end || line.is(at, ',', 'and', 'only', 'please');
}

/** Words that neither begin nor end a name. */
function isSmall(word: string): boolean {
  return SMALL.has(word) || word === 'per' || word === 'by' || word === 'each';
}

function wordsFrom(line: Line, at: number): readonly string[] {
  const words: string[] = [];
  for (let place = at; place < at + LONGEST; place += 1) {
    const word = place > at && line.phrase(place, LIMITING) !== null ? null : namingWord(line, place);
    if (word === null) break;
    words.push(word);
    // What belongs to somebody is named after him, and only his name is his.
    if (isPossessive(line, place) && !line.is(place + 1, 'name', 'names')) break;
  }
  return words;
}

function namingWord(line: Line, at: number): string | null {
  const piece = line.tokens[at];
  if (piece?.kind !== 'word' && piece?.kind !== 'number') return null;
  return line.once(canName, at) ? piece.key : null;
}

/** `student's`, `students'`: what they have follows. */
export function isPossessive({ tokens }: Line, at: number): boolean {
  return /['’]s?$/.test(tokens[at]?.text ?? '');
}

/** Whether the word here can be part of what a column is called at all. */
function canName(line: Line, at: number): boolean {
  const word = line.key(at);
  if (
    SMALL.has(word) ||
    PER.has(word) ||
    /^(names?|titles?|ids?|numbers?|nos|codes?|dates?|times?|timestamps?)$/.test(word) ||
    /^\d/.test(word)
  )
    return true;
  const said = stem(word);
  return (
    line.facts.rowNouns.has(said) ||
    line.facts.columns.some(
      (column) =>
        column.extras.has(said) ||
        column.phrase.split(' ').includes(said) ||
        column.joined?.startsWith(word.slice(0, 3)) === true ||
        isInitials(column, word) ||
        isInitialOf(column, word) ||
        column.words.some((own) => likeness(own, word) > 0),
    )
  );
}

function spoken(said: readonly string[], facts: TableFacts): Found | null {
  if (said.every((word) => /^\d/.test(word))) return null;
  const core = said.filter((word) => !SMALL.has(word));
  return ownNameMeant(core, facts) ?? nameMeant(core, said, facts);
}

function nameMeant(core: readonly string[], said: readonly string[], facts: TableFacts): Found | null {
  const bare = withoutRowNoun(core, facts);
  return (
    wholeWithout(PER, said, facts) ??
    best(core, said, facts) ??
    momentMeant(core, facts) ??
    (bare.length < core.length ? best(bare, said, facts) : null) ??
    wholeWithout(NUMBER, said, facts)
  );
}

/** `the maximum number of students` of a column called max_students. */
const NUMBER: ReadonlySet<string> = new Set(['number', 'of', 'the']);
const PER: ReadonlySet<string> = new Set(['per', 'a', 'each', 'by', 'for']);

/** `visits per month` of a header that says `visits/month`: small words between all that it is called. */
function wholeWithout(small: ReadonlySet<string>, said: readonly string[], facts: TableFacts): Found | null {
  const bare = said.filter((word) => !small.has(word));
  const isEdge = said.some((word, place) => small.has(word) && (place === 0 || place === said.length - 1));
  if (isEdge || bare.length === said.length || bare.length < 2) return null;
  const found = best(bare, bare, facts);
  return found !== null && found.strength >= (small === NUMBER ? 84 : 96) ? found : null;
}

function best(core: readonly string[], said: readonly string[], facts: TableFacts): Found | null {
  const { strength, columns } = strongest(core, said, facts);
  const [first] = columns;
  if (first === undefined) return null;
  return { columns, together: false, implied: columns.length === 1 ? impliedBy(first, said) : null, strength };
}

function strongest(
  core: readonly string[],
  said: readonly string[],
  facts: TableFacts,
): { readonly strength: number; readonly columns: readonly ColumnFacts[] } {
  const scored = facts.columns
    .filter((column) => !isConstant(column))
    .map((column) => ({ column, score: strengthOf(column, core, said) }));
  const strength = Math.max(0, ...scored.map(({ score }) => score));
  const columns = scored.flatMap(({ column, score }) => (score > 0 && score === strength ? [column] : []));
  return { strength, columns: columns.length > 1 ? verbatim(columns, core) : columns };
}

/** `tickets` is rather the number of tickets sold than the ticket price: of several the one that has the words just so. */
function verbatim(columns: readonly ColumnFacts[], core: readonly string[]): readonly ColumnFacts[] {
  const exact = columns.filter(({ words }) => core.every((word) => words.includes(word)));
  return exact.length === 1 ? exact : columns;
}

/** The moment of an import is the same in all rows, and nobody asks for it. */
function isConstant({ role, profile }: ColumnFacts): boolean {
  return role === 'time' && profile.min !== null && profile.min === profile.max;
}

function strengthOf(column: ColumnFacts, core: readonly string[], said: readonly string[]): number {
  if (said.map(stem).join(' ') === column.phrase) return 100;
  const [only = '', another] = core;
  return another === undefined ? singleStrength(column, only) : wordsStrength(column, core);
}

function singleStrength(column: ColumnFacts, only: string): number {
  const { joined, words } = column;
  if (joined === only || `${joined ?? ''}s` === only) return 100;
  return words.length > 1 ? partStrength(column, only) : wordStrength(column, only);
}

function wordStrength(column: ColumnFacts, only: string): number {
  const like = likeness(column.words[0] ?? '', only);
  if (like === 3) return isPluralTime(column, only) ? 0 : 98;
  return like === 0 || isHidden(only, like) ? 0 : 40 + like * 10;
}

/** A word that is too common to be another word for a header. */
function isHidden(word: string, like: number): boolean {
  return isVague(word) || (isFiller(word) && (like < 2 || word.length < 5));
}

/** `30 days` is a span of time even where a column is called day. */
function isPluralTime({ words }: ColumnFacts, said: string): boolean {
  return TIME_WORDS.has(words[0] ?? '') && said !== words[0];
}

function isVague(word: string): boolean {
  return VAGUE.has(stem(word));
}

/** One word of several: the fewer others, the better; a word that tells nothing counts for none. */
function partStrength(column: ColumnFacts, only: string): number {
  const like = isNumberedIdentity(column) ? 0 : Math.max(...column.words.map((word) => likeness(word, only)));
  if (like === 0) return isInitials(column, only) ? 60 : 0;
  const others = column.words.filter((word) => isFurther(word, only)).length;
  if (others === 0 && like === 3 && isPlainFigure(column)) return 80;
  return isHiddenPart(only) ? 0 : 45 + like * 5 - Math.min(others, 4) * 3 - limitMalus(column, only);
}

/** `students` are not the most that there may be: max_students. */
export function limitMalus({ words }: ColumnFacts, said: string): number {
  const isLimit = words.some((word) => LIMITS.has(word) && likeness(word, said) === 0);
  return isLimit && said.endsWith('s') ? 10 : 0;
}

const LIMITS = new Set(['max', 'maximum', 'min', 'minimum', 'limit', 'cap']);

/** A word of a header that says more than what was said. */
function isFurther(word: string, said: string): boolean {
  return likeness(word, said) === 0 && !NEUTRAL.has(word) && word.length > 2;
}

function isHiddenPart(said: string): boolean {
  return (isVague(said) && said !== 'year') || isFiller(said);
}

function isNumberedIdentity({ identifies, role }: ColumnFacts): boolean {
  return identifies && role === 'figure';
}

function isPlainFigure({ role, words }: ColumnFacts): boolean {
  return role === 'figure' && words.every((word) => !NEUTRAL.has(word));
}

/** `mpg` for Miles per Gallon. */
function isInitials({ words }: ColumnFacts, only: string): boolean {
  return only.length > 1 && words.length > 1 && words.map((word) => word.charAt(0)).join('') === only;
}

/** `systolic blood pressure` for sbp. */
function isSpelledOut({ words: [only = '', another] }: ColumnFacts, core: readonly string[]): boolean {
  return another === undefined && core.length > 2 && core.map((word) => word.charAt(0)).join('') === only;
}

/** Whether the header is short enough to be made of initials, this word's among them. */
function isInitialOf({ words: [only = '', another] }: ColumnFacts, word: string): boolean {
  return another === undefined && only.length > 2 && only.length < 6 && only.includes(word.charAt(0));
}

/** All that is said must belong to the name. */
function wordsStrength(column: ColumnFacts, core: readonly string[]): number {
  if (isSpelledOut(column, core)) return 84;
  const likes = core.map((word) => likenessIn(column, word));
  if (likes.includes(0) || new Set(core.map(stem)).size < core.length) return 0;
  const said = column.words.filter((own) => core.some((word) => likeness(own, word) > 0));
  // `wait in the West` is not twice the same header of two letters.
  const own = core.filter((word) => extraLikeness(column, word) === 0);
  if (said.length < own.length) return 0;
  const isTelling = said.length > 1 || core.some((word) => !isVague(word) && !column.extras.has(stem(word)));
  if (said.length === 0 || !isTelling) return 0;
  return nameStrength(column.words.length - said.length, Math.min(...likes) === 3);
}

/** The more words of the name are missing, the weaker. */
function nameStrength(missing: number, isLiteral: boolean): number {
  if (missing === 0) return isLiteral ? 96 : 84;
  return Math.max((isLiteral ? 74 : 70) - missing * 4, 50);
}

function likenessIn(column: ColumnFacts, word: string): number {
  return Math.max(extraLikeness(column, word), ...column.words.map((own) => likeness(own, word)));
}

function extraLikeness({ extras }: ColumnFacts, word: string): number {
  return extras.has(stem(word)) ? 2 : 0;
}
