import type { ColumnFacts } from '../column-facts.js';
import type { Condition } from './comparisons.js';
import { isFlag } from './flags.js';
import { phraseSet } from './line.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';

const GONE = phraseSet('out of stock|sold out|not in stock|no longer in stock|not available in stock');
const THERE = phraseSet('in stock|still in stock|on stock|available in stock');
const STOCK = /^(?:stock|inventory|stocked)$/;

/** `products that are out of stock`: none is left of what the only column of stocks counts. */
export function stockAt(sentence: Sentence, at: number, denied: boolean): Condition | null {
  const { line, facts } = sentence;
  const gone = line.phrase(at, GONE);
  const next = gone ?? line.phrase(at, THERE);
  const column = next === null ? null : theOnly(facts.columns.filter(isStock));
  if (next === null || column === null || facts.columns.some(saysItself)) return null;
  const operator = (gone === null) === denied ? '=' : '>';
  return { filters: [{ kind: 'compare', column: column.name, operator, value: 0 }], next };
}

function isStock({ role, words }: ColumnFacts): boolean {
  return role === 'figure' && words.some((word) => STOCK.test(word));
}

/** A column of yes and no about the same. */
function saysItself(column: ColumnFacts): boolean {
  return isFlag(column) && column.words.some((word) => /^(?:stock|sold|available|stocked)$/.test(word));
}
