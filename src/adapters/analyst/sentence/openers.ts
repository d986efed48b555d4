import { columnAt, onlyColumnAt } from './column-mentions.js';
import { phraseSet, type Line } from './line.js';
import { addIdentity } from './selection.js';
import type { Sentence } from './sentence.js';

const LIST = phraseSet(
  'show|show me|list|list out|give|give me|find|find out|return|display|get|get me|print|retrieve|fetch|select|provide|report|enumerate|output|what are|tell me about|see|which are|name|identify|determine|present|look up|pull up|state|compute|calculate|work out|indicate',
);
const WHAT = phraseSet(
  'before which|against which|by what|by which|to what|from what|under what|with what|of which|of what|to which|from which|with which|under which|what is|whats|what was|what were|what|which|in which|for which|on which|at which|in what|on what|which of the|what kind of|what type of|what kinds of|what types of|which is|how high is|how high are|how high was|how high were|how large is|how large are|how large was|how big is|how big are|how big was|how great is|how great was|how low is|how low was',
);
const WHEN = phraseSet('when was|when were|when did|when is|when|on which date|on what date|on which day|at what time');
const WHO = phraseSet('who is|who are|who was|who were|who has|who|whose');
const WHETHER = phraseSet(
  'is there any|is there a|is there|are there any|are there|do we have any|were there any|was there any|does any|do any|was there|were there|have any|did any',
);
const OPENERS = [
  ['list', LIST],
  ['which', WHAT],
  ['when', WHEN],
  ['who', WHO],
  ['whether', WHETHER],
] as const;

interface Opened {
  readonly opener: (typeof OPENERS)[number][0];
  readonly next: number;
}

/** The beginning of a question, or of another one that is joined to it. */
export function openerAt(sentence: Sentence, at: number): number | null {
  const found = canOpen(sentence, at) ? longestOpener(sentence, at) : null;
  if (found === null || !isOpener(sentence, at, found.opener)) return null;
  if (goesOn(sentence)) addIdentity(sentence);
  sentence.opener ??= found.opener;
  sentence.tail = false;
  return found.next;
}

/** `which loan had the largest fine and what was its title`: the row comes first, then what is asked of it. */
function goesOn({ opener, rows, rank, items }: Sentence): boolean {
  return ((opener === 'which' && rows) || opener === 'who') && rank !== null && items.length === 0;
}

/** `at which station was the highest level, and when`. */
export function whenAt(sentence: Sentence, at: number): number | null {
  const { line, facts, rank } = sentence;
  const isLast = at > 0 && line.is(at, 'when') && at + 1 === line.end;
  if (!isLast || rank === null || facts.time === null) return null;
  if (sentence.items.length === 0) addIdentity(sentence);
  sentence.addColumn(facts.time.name);
  return at + 1;
}

/** A second question in the same sentence asks for columns or lists them. */
function isOpener(sentence: Sentence, at: number, opener: Opened['opener']): boolean {
  if (opener === 'list') return !isSubject(sentence, at);
  return sentence.opener === null || opener === 'which';
}

function canOpen({ line, opener, rows, items }: Sentence, at: number): boolean {
  const isFresh = opener === null && !rows && items.length === 0;
  return at === 0 || isFresh || line.is(at - 1, ',', 'and');
}

function longestOpener({ line }: Sentence, at: number): Opened | null {
  let longest: Opened | null = null;
  for (const [opener, phrases] of OPENERS) {
    const next = beforeKind(line, at, line.phrase(at, phrases) ?? 0);
    if (next > (longest?.next ?? at)) longest = { opener, next };
  }
  return longest;
}

/** `what kinds of museums`, where a column tells the kind. */
function beforeKind(line: Line, at: number, next: number): number {
  if (!line.is(next - 1, 'of') || !line.is(at, 'what')) return next;
  const named = onlyColumnAt(line, at + 1);
  return named?.column.role === 'category' && named.strength >= 96 ? at + 1 : next;
}

/** `name and age of …`: a column, where a verb could stand. */
function isSubject({ line }: Sentence, at: number): boolean {
  const named = columnAt(line, at);
  if (named === null || named.strength < 84) return false;
  return at > 0 || named.next > at + 1 || line.is(named.next, ',', 'and', 'of', 'for');
}
