import { columnAt, onlyOf } from './column-mentions.js';
import type { Line, NumberMention } from './line.js';
import { rowNounAt } from './nouns.js';
import type { Sentence } from './sentence.js';
import { rankWordsAt, takeRank } from './superlatives-at.js';

const ARTICLES = new Set(['the', 'those']);
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
  if (limit === null || what === null || !line.is(what.next, ...LINK)) return null;
  const found = rankWordsAt(sentence, line.skip(what.next, LINK));
  if (found === null || found.rank.by.kind === 'open') return null;
  if (what.column === null) sentence.rows = true;
  else sentence.addColumn(what.column);
  sentence.plural = true;
  takeRank(sentence, { ...found.rank, limit: limit.value });
  sentence.tail = true;
  return found.next;
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
