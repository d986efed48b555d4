import { flagAt } from './flags.js';
import type { Line } from './line.js';
import type { Sentence } from './sentence.js';

const VERSUS = ['vs', 'versus', 'and', 'or', 'compared', 'against', 'than'];
const SMALL = new Set(['to', 'with', 'the', 'a', 'an', 'any']);
const APART = ['separately', 'respectively', 'individually'];

/** `mean yield with vs without a cover`, `for rapid and classical separately`: the sides of one column as groups. */
export function setApartAt(sentence: Sentence, at: number): number | null {
  return withAndWithoutAt(sentence, at) ?? separatelyAt(sentence, at);
}

function withAndWithoutAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const second = otherSideAt(line, at);
  const named = second === null ? null : flagAt(line, line.skip(second, SMALL));
  if (named === null) return null;
  sentence.addGroup({ kind: 'column', column: named.column.name });
  sentence.tail = true;
  return named.next;
}

/** The place after `with and without`, in either order. */
function otherSideAt(line: Line, at: number): number | null {
  if (!line.is(at, 'with', 'without')) return null;
  const place = line.skip(at + 1, new Set(VERSUS));
  const other = line.is(place, 'to') ? place + 1 : place;
  const isOther = place > at + 1 && line.is(other, 'with', 'without') && !line.is(other, line.key(at));
  return isOther ? other + 1 : null;
}

function separatelyAt(sentence: Sentence, at: number): number | null {
  const { line, filters, measures } = sentence;
  // How many different ones each has is rarely what is meant.
  if (measures.some(({ aggregate }) => aggregate === 'count_distinct')) return null;
  const last = filters.at(-1);
  if (!line.is(at, ...APART) || last?.kind !== 'in' || last.negated || last.values.length < 2) return null;
  sentence.addGroup({ kind: 'column', column: last.column });
  return at + 1;
}
