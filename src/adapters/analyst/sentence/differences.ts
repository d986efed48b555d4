import { loosePhrases, type Line } from './line.js';
import type { Sentence } from './sentence.js';
import { targetAt } from './targets.js';

const DIFFER = new Set(['differ', 'differs', 'differed', 'vary', 'varies', 'varied', 'change', 'changes', 'changed']);
const COMPARE = new Set([...DIFFER, 'compare', 'compares', 'compared', 'look', 'looks']);
const BY = loosePhrases(
  'between|across|among|amongst|by|from|with|for|over|within|depending on|according to|per|between the different|across the different|between different|across different|for different|with different|from one|by different',
);
const ARTICLES = new Set(['the', 'each', 'all', 'these', 'various', 'its', 'their', 'our']);
const DID = ['do', 'does', 'did', 'has', 'have', 'is', 'are'];

/** `how does the average rent differ between districts`: the figure by group. */
export function differenceAt(sentence: Sentence, at: number): number | null {
  return questionAt(sentence, at) ?? groupsAt(sentence, at);
}

function questionAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  if (at !== 0 || !line.is(0, 'how') || !line.is(1, ...DID)) return null;
  const verb = Array.from({ length: line.end }, (_, place) => place).find(
    (place) => groupAfter(sentence, place) !== null,
  );
  if (verb === undefined) return null;
  sentence.opener = 'which';
  return 2;
}

function groupsAt(sentence: Sentence, at: number): number | null {
  const found = asksHow(sentence) && sentence.items.length > 0 ? groupAfter(sentence, at) : null;
  if (found === null) return null;
  sentence.addGroup(found.dimension);
  sentence.tail = true;
  return found.next;
}

function asksHow({ line }: Sentence): boolean {
  return line.is(0, 'how');
}

/** The group that the verb here sets apart. */
function groupAfter(sentence: Sentence, at: number): ReturnType<typeof targetAt> {
  const { line } = sentence;
  const by = COMPARE.has(line.key(at)) ? line.phrase(at + 1, BY) : null;
  return by === null || isTowards(line, at) ? null : targetAt(sentence, line.skip(by, ARTICLES));
}

/** `compare with` what follows, which is another figure. */
function isTowards(line: Line, at: number): boolean {
  return !DIFFER.has(line.key(at)) && line.is(at + 1, 'with', 'from', 'for');
}
