import type { ColumnFacts, Direction } from '../column-facts.js';
import { isYear } from '../year-columns.js';
import { relatedColumns } from './column-words.js';
import { phraseSet, type Line } from './line.js';
import { rowNounAt } from './nouns.js';
import { theOnly } from './only.js';
import { addIdentity } from './selection.js';
import type { Sentence } from './sentence.js';

const LAST = phraseSet('last|most recently|latest');
const FIRST = phraseSet('first|earliest');

const OF_MOMENT = ['before', 'after', 'since', 'between', 'during', 'until'];

/** `who joined last`, `when did it first arrive`: by the time that the verb speaks of, or else the table's own. */
export function eventOrderAt(sentence: Sentence, start: number): number | null {
  const { line } = sentence;
  const at = startsWithVerb(sentence, start) ? start + 1 : start;
  const place = canOrder(sentence) ? placeAt(line, at) : null;
  const event = place === null ? null : eventBeside(sentence, at, place.next);
  if (place === null || event === null) return null;
  if (line.is(event.next, ...OF_MOMENT)) {
    // `first flew before 1990` says when, and picks nothing.
    sentence.hinted = [event.column];
    return event.next;
  }
  rankByEvent(sentence, event, { direction: place.direction, text: line.text(at, place.next) });
  return event.next;
}

function rankByEvent(
  sentence: Sentence,
  { column }: Event,
  { direction, text }: { readonly direction: Direction; readonly text: string },
): void {
  if (sentence.opener === 'who' && sentence.items.length > 0) nameFirst(sentence);
  const by = { kind: 'column', column: column.name, measure: null } as const;
  sentence.rank = { direction, limit: null, by, text, literal: false };
  sentence.rows = true;
}

/** `joined last`: the verb of a time, and then the word that orders. */
function startsWithVerb(sentence: Sentence, at: number): boolean {
  return placeAt(sentence.line, at + 1) !== null && timeOf(sentence, at) !== null;
}

function canOrder({ rank, groups, measures }: Sentence): boolean {
  return rank === null && groups.length + measures.length === 0;
}

/** What is picked by number or noun is a superlative's; a date is a figure of its own. */
function isPicked(sentence: Sentence, at: number): boolean {
  const { line } = sentence;
  if (line.number(at) !== null || rowNounAt(sentence, at) !== null) return true;
  return /^(dates?|times?|days?|timestamps?)$/.test(line.key(at));
}

function placeAt(line: Line, at: number): Place | null {
  const last = line.phrase(at, LAST);
  const next = last ?? line.phrase(at, FIRST);
  return next === null ? null : { direction: last === null ? 'asc' : 'desc', next };
}

interface Place {
  readonly direction: Direction;
  readonly next: number;
}

/** `who`: by name, and then the rest. */
function nameFirst(sentence: Sentence): void {
  const others = sentence.items.splice(0);
  addIdentity(sentence);
  for (const item of others)
    if (item.kind !== 'column' || !sentence.columns.includes(item.column)) sentence.items.push(item);
}

interface Event {
  readonly column: ColumnFacts;
  readonly next: number;
}

/** What the word that orders, from `at` to `next`, says was first or last. */
function eventBeside(sentence: Sentence, at: number, next: number): Event | null {
  if (isPicked(sentence, next)) return null;
  return eventAfter(sentence, next) ?? eventBefore(sentence, at, next);
}

/** `first arrive`, `last rained`: the verb follows. */
function eventAfter(sentence: Sentence, at: number): Event | null {
  const { line, facts } = sentence;
  if (!line.isWord(at)) return null;
  const column = timeOf(sentence, at);
  if (column !== null) return { column, next: at + 1 };
  const isAsked = sentence.opener === 'when' && facts.time !== null && line.has(0, at, 'did', 'was', 'were', 'has');
  return isAsked ? { column: facts.time, next: at } : null;
}

/** `who joined last`: the verb stands before, and nothing but conditions after. */
function eventBefore(sentence: Sentence, at: number, next: number): Event | null {
  const { line, facts, hinted } = sentence;
  const isEnd = next >= line.end || line.is(next, 'in', 'at', 'on', 'from', 'among', 'by', 'of', ',', 'and');
  const spoken = timeOf(sentence, at - 1) ?? theOnly(hinted.filter(({ role }) => role === 'time'));
  const column = spoken ?? (line.has(0, at, 'who', 'which', 'what') ? facts.time : null);
  return column === null || !isEnd ? null : { column, next };
}

function timeOf({ line, facts }: Sentence, at: number): ColumnFacts | null {
  const times = facts.columns.filter((column) => column.role === 'time' || isYear(column));
  return line.isWord(at) ? theOnly(relatedColumns(line.key(at), times)) : null;
}
