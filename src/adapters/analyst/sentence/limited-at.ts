import { columnAt, onlyOf } from './column-mentions.js';
import type { Line, NumberMention } from './line.js';
import { rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';
import { rankWordsAt, takeRank } from './superlatives-at.js';

const ARTICLES = new Set(['the', 'those', 'by', 'of', 'for', 'among', 'from', 'in']);
const LINK = new Set([
  'with',
  'that',
  'who',
  'which',
  'having',
  'have',
  'has',
  'had',
  'of',
  'the',
  'whose',
  'show',
  'showed',
]);
const MOST = 1000;

/** `the 5 members with the most visits`, `three cities that have the highest rents`: how many, of what, and then by what. */
export function limitedAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const limit = limitHere(line, at);
  const what = limit === null ? null : rankedAt(sentence, limit.next);
  if (limit === null || what === null) return null;
  const found = pickedBy(sentence, what.next);
  if (found === null) return null;
  if (what.column === null) sentence.rows = true;
  else sentence.addColumn(what.column);
  sentence.plural = true;
  takeRank(sentence, { ...found.rank, limit: limit.value });
  sentence.tail = true;
  return found.next;
}

/** What they are picked by, after the words that lead to it. */
function pickedBy(sentence: Sentence, at: number): ReturnType<typeof rankWordsAt> {
  const { line } = sentence;
  const link = line.is(at, ...LINK) ? line.skip(at, LINK) : pastVerb(line, at);
  const found = link === null ? null : rankWordsAt(sentence, link);
  return found?.rank.by.kind === 'open' ? null : found;
}

/** `which three singers gave the fewest concerts`: a verb before what they are picked by. */
function pastVerb(line: Line, at: number): number | null {
  const isVerb = line.isWord(at) && columnAt(line, at) === null && line.is(at + 1, 'the');
  return isVerb && line.is(at + 2, 'most', 'fewest', 'least', 'highest', 'lowest') ? at + 2 : null;
}

function limitHere(line: Line, at: number): NumberMention | null {
  const number = line.number(line.skip(at, ARTICLES));
  return number !== null && isLimit(number) ? number : null;
}

function isLimit({ unit, value }: NumberMention): boolean {
  return unit === null && Number.isInteger(value) && value >= 1 && value <= MOST;
}

interface Ranked {
  /** `null`: the rows themselves. */
  readonly column: string | null;
  readonly next: number;
}

function rankedAt(sentence: Sentence, at: number): Ranked | null {
  const noun = rowNounAt(sentence, at);
  if (noun !== null) return { column: null, next: noun };
  const named = onlyOf(columnAt(sentence.line, at));
  const isGroup = named?.column.role === 'category' && named.strength >= 60;
  return isGroup ? { column: named.column.name, next: named.next } : null;
}
