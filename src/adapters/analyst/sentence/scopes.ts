import { namesakeAt } from './nouns.js';
import type { Sentence } from './sentence.js';

/** `for the fixed plants`: rows by the column that says what they are called. */
export function scopedAt(sentence: Sentence, at: number, place: number): number | null {
  const noun = namesakeAt(sentence, place);
  return noun !== null && isScope(sentence, at, noun) ? noun : null;
}

/** `for the fixed plants, …`, `… among runners`: rows that are looked at, even where a column is called so, too. */
export function isScope({ line, opener, items }: Sentence, at: number, noun: number): boolean {
  const isAsked = opener !== null || items.length > 0;
  const isAhead = !isAsked && line.is(0, 'for', 'among', 'amongst', 'of', 'in', 'considering') && line.is(noun, ',');
  return isAhead || line.is(at, 'among', 'amongst');
}
