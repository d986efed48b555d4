import type { Filter } from '../../../ports/analysis-plan.js';
import type { Sentence } from './sentence.js';

type Plain = Exclude<Filter, { kind: 'any' }>;

/**
 * `from Rome and older than 20 or from Milan`: what follows is an alternative to all that was said before, because it begins again
 * with what that began with; and `from Oslo to Madrid or from Madrid to Oslo`, where it goes on so. Tells whether it was added.
 */
export function addedAsAlternative({ filters, or }: Sentence, [added, another]: readonly Filter[]): boolean {
  if (added === undefined || another !== undefined || !isPlain(added)) return false;
  return or ? begunAgain(filters, added) : goneOn(filters, added);
}

function begunAgain(filters: Filter[], added: Plain): boolean {
  const before = filters.filter(isPlain);
  const [first, ...rest] = before;
  const isWhole = before.length === filters.length && rest.length > 0;
  const isAgain = isWhole && first?.kind === 'in' && added.kind === 'in' && areOfOne(first, added);
  if (isAgain) filters.splice(0, filters.length, { kind: 'any', of: [before, [added]] });
  return isAgain;
}

function goneOn(filters: Filter[], added: Plain): boolean {
  const last = filters.at(-1);
  const [model, begun, another] = last?.kind === 'any' ? last.of : [];
  if (model === undefined || begun === undefined || another !== undefined) return false;
  const expected = model[begun.length];
  const isNext = expected !== undefined && areOfOne(expected, added);
  if (isNext) filters.splice(-1, 1, { kind: 'any', of: [model, [...begun, added]] });
  return isNext;
}

function areOfOne(one: Plain, other: Plain): boolean {
  return 'column' in one && 'column' in other && one.column === other.column;
}

function isPlain(filter: Filter): filter is Plain {
  return filter.kind !== 'any';
}
