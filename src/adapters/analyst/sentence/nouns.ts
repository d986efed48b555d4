import type { ColumnFacts } from '../column-facts.js';
import { adjectiveOf } from '../superlatives.js';
import { stem } from '../text.js';
import { timeUnitOf } from '../time-words.js';
import { PERSONS } from '../verbs.js';
import { columnAt, onlyColumnAt } from './column-mentions.js';
import { abbreviates, likeness } from './column-words.js';
import type { Line } from './line.js';
import type { Sentence } from './sentence.js';

const GENERIC = new Set([
  'row',
  'record',
  'entry',
  'observation',
  'line',
  'data',
  'datum',
  'table',
  'dataset',
  'list',
  'fil',
  'file',
  'sheet',
  'log',
  'result',
  'export',
  'csv',
  'sampl',
  'sample',
  'info',
  'history',
  'detail',
  'stat',
  'statistic',
  'overview',
  'summary',
  'lab',
  'counter',
  'ledger',
  'season',
  'register',
  'registry',
  'inventory',
  'catalog',
  'catalogu',
  'collection',
  'survey',
  'report',
  'tracker',
  'database',
  'archiv',
  'schedul',
  'diary',
  'journal',
  'master',
  'trial',
  'test',
  'study',
  'studi',
  'experiment',
]);

/** The place after a word for the rows, of one or two words. */
export function rowNounAt({ line }: Pick<Sentence, 'line'>, at: number): number | null {
  return line.once(findNoun, at);
}

/** Whether the word here could be what somebody calls the rows, by its form alone. */
export function isStrangeNoun(line: Line, at: number): boolean {
  const word = line.key(at);
  const isPlural = /(s|people|children|men|women|staff)$/.test(word) && word.length > 3;
  return line.isWord(at) && isPlural && timeUnitOf(word) === null;
}

/** `the 3 windiest days`, `what share of days`: the rows, where each of them is of a day. */
export function dayAt({ line, facts }: Pick<Sentence, 'line' | 'facts'>, at: number): number | null {
  const isSpan = line.number(at - 1) !== null || line.is(at - 1, ...OF_SPANS);
  return facts.daily && !isSpan && line.is(at, 'day', 'days') ? at + 1 : null;
}

const OF_SPANS = ['last', 'past', 'next', 'previous', 'per', 'each', 'every', 'by', 'this', 'same', 'which', 'what'];

/** The time of which a plural noun speaks, as `hires` does of the hire date: each row is one of them. */
export function eventAt(line: Line, at: number): ColumnFacts | null {
  const word = line.key(at);
  if (!line.isWord(at) || !/[a-z]{4,}s$/.test(word) || timeUnitOf(word) !== null || /^(dates|times)$/.test(word))
    return null;
  const times = line.facts.columns.filter(({ role, profile }) => role === 'time' && profile.min !== profile.max);
  const [only, another] = times.filter(({ words }) => words.some((own) => likeness(own, word) > 1));
  if (only === undefined || another !== undefined) return null;
  return line.facts.columns.some((column) => column !== only && column.words.some((own) => likeness(own, word) > 1))
    ? null
    : only;
}

function findNoun(line: Line, at: number): number | null {
  if (!line.isWord(at)) return null;
  if (eventAt(line, at) !== null && !line.is(at + 1, 'date', 'time', 'dates', 'times')) return at + 1;
  const two = compoundAt(line, at);
  if (two !== null) return two;
  if (!isRowNoun(line, line.key(at)) || isPartOfName(line, at)) return null;
  return line.is(at + 1, 'members', 'persons', 'people', 'records', 'entries', 'rows') ? at + 2 : at + 1;
}

/** `bird strikes`: the first words of the table's name and then the word for a row. */
function compoundAt(line: Line, at: number): number | null {
  const { facts } = line;
  const isName = facts.nameStems.has(stem(line.key(at))) && line.isWord(at + 1);
  return isName && isRowNoun(line, line.key(at + 1)) && !isPartOfName(line, at + 1) ? at + 2 : null;
}

function isRowNoun(line: Line, word: string): boolean {
  const isAdjective = adjectiveOf(word, 'superlative') !== null || adjectiveOf(word, 'comparative') !== null;
  return !isAdjective && isCalledSo(line, word);
}

function isCalledSo({ facts }: Line, word: string): boolean {
  const said = stem(word);
  return isNamedSo(facts, word, said) || isKeyedSo(facts, said);
}

/** By what the table is called, or what persons and kinds of its rows are. */
function isNamedSo(facts: Line['facts'], word: string, said: string): boolean {
  if (facts.rowNouns.has(said) || isCompound(facts, said) || /^(everybody|everyone)$/.test(word)) return true;
  if (/^(people|persons|individuals)$/.test(word) && areRowsPersons(facts)) return true;
  const isColumn = facts.columns.some(({ stems }) => stems.length === 1 && stems[0] === said);
  if (said === mainNoun(facts.nameStems) && !isColumn) return true;
  return [...facts.nameStems, ...facts.rowNouns].some((name) => abbreviates(name, said));
}

/** By a column that identifies them. */
function isKeyedSo({ columns }: Line['facts'], said: string): boolean {
  return columns.some(({ stems, words, identifies }) => {
    if (!identifies) return false;
    if (stems.length === 1) return stems[0] === said && !/^(id|nam|titl|cod|key|sku|number)$/.test(said);
    return /^(name|nm|id|no|number|title)$/.test(words.at(-1) ?? '') && words.slice(0, -1).map(stem).join(' ') === said;
  });
}

/** `earthquakes` are quakes. */
function isCompound({ rowNouns }: Line['facts'], said: string): boolean {
  return [...rowNouns].some((noun) => noun.length > 3 && said.length > noun.length + 2 && said.endsWith(noun));
}

/** Rows of respondents, members or runners are people. */
function areRowsPersons({ rowNouns, nameStems, identity }: Line['facts']): boolean {
  return [...rowNouns, ...nameStems, ...(identity?.stems ?? [])].some((noun) => PERSON_STEMS.has(noun));
}

const PERSON_STEMS: ReadonlySet<string> = new Set([...PERSONS].map(stem));

/** Of `flight log` and `game results` the flights and the games. */
function mainNoun(nameStems: ReadonlySet<string>): string | null {
  return [...nameStems].findLast((name) => !GENERIC.has(name)) ?? null;
}

/** `store name` names a column, whose first word is no word for the rows. */
function isPartOfName(line: Line, at: number): boolean {
  const named = columnAt(line, at);
  const isLonger = named !== null && named.next > at + 1 && named.strength >= 84;
  // `models in service` says of the rows what a column called in service tells.
  return isLonger && named.columns.some(({ words }) => words.some((own) => likeness(own, line.key(at)) > 0));
}

/** Whether the table's name says what its rows are. */
export function saysWhatRowsAre({ facts }: Sentence): boolean {
  return [...facts.nameStems].some((word) => !GENERIC.has(word) && word.length > 2);
}

/** The place after a word for the rows that is also the name of a column, of which nearly every row has a value of its own. */
export function namesakeAt({ line, facts }: Pick<Sentence, 'line' | 'facts'>, at: number): number | null {
  const named = onlyColumnAt(line, at);
  if (named?.next !== at + 1 || named.strength < 96) return null;
  return isNamesake(named.column, facts.profile.rowCount) ? named.next : null;
}

/** Whether a column says of nearly every row what it is called. */
export function isNamesake({ role, words, profile }: ColumnFacts, rows: number): boolean {
  return role === 'category' && words.length === 1 && profile.distinct * 2 > rows;
}
