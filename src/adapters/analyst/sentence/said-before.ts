import { isFiller } from '../fillers.js';
import { adjectiveOf } from '../superlatives.js';
import { columnAt, onlyColumnAt } from './column-mentions.js';
import { FATE } from './fates.js';
import { phraseSet, type Line } from './line.js';
import { isStrangeNoun, rowNounAt } from './nouns.js';
import { operatorAt } from './operators.js';
import type { Sentence } from './sentence.js';
import { valueAt } from './value-mentions.js';

const LINKS = new Set(['of', 'in', 'from', 'for', 'by', 'with', 'at', 'on', 'to']);
const SAME = new Set(['that', 'this', 'the', 'same', 'each', 'every', 'respective', 'such']);

/** `the total number of concerts given by singers of that genre`: who and whose it is was said already. */
export function groupAgainAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const givenBy = doneByRowsAt(sentence, at);
  const known = knownGroupAt(sentence, givenBy ?? at);
  return known ?? (givenBy !== null && isClauseEnd(line, givenBy) ? givenBy : null);
}

/** `given by singers`, `made by these companies`. */
function doneByRowsAt(sentence: Sentence, at: number): number | null {
  const { line, items, groups } = sentence;
  if (items.length + groups.length === 0) return null;
  const by = line.isWord(at) && /(ed|en|wn|ld|de|nt)$/.test(line.key(at)) ? at + 1 : at;
  if (!line.is(by, 'by') || by === at) return null;
  return rowNounAt(sentence, line.skip(by + 1, SAME));
}

/** `which architect designed the tallest building`: the verb before what is picked. */
export function verbBeforeMostAt(sentence: Sentence, at: number): number | null {
  const { line, harmless } = sentence;
  if (!isBeforeMost(sentence, at) || !(isPlainVerb(line, at) || isScoring(line, at))) return null;
  if (isScoring(line, at)) return at + 1;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

function isBeforeMost({ line, items, rank }: Sentence, at: number): boolean {
  const isAsked = items.length > 0 || line.is(at - 1, 'who');
  return isAsked && rank === null && line.is(at + 1, 'the') && isMost(line, at + 2);
}

const CREATED =
  /^(?:written|made|placed|issued|filed|taken|played|held|given|submitted|entered|conducted|performed|collected|carried|raised|booked|tasted|tested|run|done)$/;

/** `the number of tickets written and the average fine`: how rows come to be says nothing of which they are. */
export function rowsMadeAt(sentence: Sentence, at: number): number | null {
  const { line, rows, harmless, facts } = sentence;
  const isAfterRows = rows && rowNounAt(sentence, at - 1) === at && CREATED.test(line.key(at));
  if (!isAfterRows || !isClauseEnd(line, at + 1)) return null;
  const isTold = facts.columns.some(({ words }) => words.includes(line.key(at)));
  if (isTold || valueAt(line, at) !== null) return null;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

/** `did Quay send more parcels than Hill`: the verb of what is compared. */
export function verbBeforeMoreAt({ line, harmless, filters, items }: Sentence, at: number): number | null {
  const isAsked = line.is(0, 'did', 'do', 'does') && filters.length > 0 && items.length === 0;
  const more = line.is(at + 1, 'a', 'an', 'the') ? at + 2 : at + 1;
  const isMore = line.is(more, 'more', 'fewer', 'less', 'higher', 'lower', 'bigger', 'larger', 'smaller', 'greater');
  if (!isAsked || !isMore || !isPlainVerb(line, at)) return null;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

/** `scores the most points`: what is ranked says of what. */
function isScoring(line: Line, at: number): boolean {
  return line.is(at, 'score', 'scores', 'scored', 'scoring', 'has', 'had', 'got', 'gets', 'get');
}

/** A word that neither links nor names anything, nor says what became of a row. */
function isPlainVerb(line: Line, at: number): boolean {
  const word = line.key(at);
  return line.isWord(at) && !isFiller(word) && !SMALL.test(word) && !FATE.test(word) && columnAt(line, at) === null;
}

const SMALL = /^(of|in|for|with|by|at|on|from|and|or|to|is|are|has|have|not|than|as)$/;

function isMost(line: Line, at: number): boolean {
  if (line.is(at, 'most', 'fewest', 'least', 'highest', 'lowest', 'largest', 'smallest', 'biggest', 'greatest'))
    return true;
  return adjectiveOf(line.key(at), 'superlative') !== null;
}

/** `credits offered in each year`, `concerts given per genre`: a participle before a group says nothing new. */
export function doneInEachAt(sentence: Sentence, at: number): number | null {
  const { line, harmless, items } = sentence;
  const isDone = items.length > 0 && /(ed|en|wn|ld|ven)$/.test(line.key(at)) && line.phrase(at + 1, EACH) !== null;
  if (!isDone || !isPlainVerb(line, at) || valueAt(line, at) !== null) return null;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

const EACH = phraseSet('in each|in every|by each|by every|for each|for every|at each|on each|per|each|every');

function knownGroupAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const place = line.skip(at + 1, SAME);
  if (!LINKS.has(line.key(at)) || !line.is(place - 1, 'that', 'this', 'same', 'each', 'such', 'respective'))
    return null;
  const named = onlyColumnAt(line, place);
  return named !== null && isKnown(sentence, named.column.name) ? named.next : null;
}

function isKnown({ columns, groups }: Sentence, name: string): boolean {
  return columns.includes(name) || groups.some(({ column }) => column === name);
}

function isClauseEnd(line: Line, at: number): boolean {
  return at >= line.end || line.is(at, ',', 'and', 'of', 'in', 'from', 'for', 'by', 'per');
}

/** `hold more than 40000 people`: whom a number counts that was compared with a column by its verb. */
export function countedObjectAt(sentence: Sentence, at: number): number | null {
  const { line, harmless } = sentence;
  if (!isBeforeObject(sentence, at) || !isObject(line, at) || line.is(at, 'times')) return null;
  harmless.push(line.text(at, at + 1));
  return at + 1;
}

function isBeforeObject({ line, filters, rank }: Sentence, at: number): boolean {
  if (line.tokens[at - 1]?.kind === 'number') return isComparison(filters.at(-1)?.kind);
  return line.is(at - 1, 'most', 'fewest', 'least') && rank?.by.kind === 'column';
}

function isComparison(kind: string | undefined): boolean {
  return kind === 'compare' || kind === 'between';
}

/** A noun that names nothing in the table. */
export function isObject(line: Line, at: number): boolean {
  const isNoun = isStrangeNoun(line, at) && operatorAt(line, at + 1) === null;
  return isNoun && columnAt(line, at) === null && valueAt(line, at) === null;
}

/** `cheapest museum to visit`: what for, at the end. */
export function purposeAt(sentence: Sentence, at: number): number | null {
  const { line, harmless, rank, columns } = sentence;
  // What rows that are counted went to is a condition.
  const isPurpose = line.is(at, 'to') && at + 2 === line.end && (rank !== null || columns.length > 0);
  if (!isPurpose || !isPlainVerb(line, at + 1) || valueAt(line, at + 1) !== null) return null;
  harmless.push(line.text(at, at + 2));
  return at + 2;
}
