import { readFileSync } from 'node:fs';
import { isFunctionWord } from '../../shared/words/languages.js';
import { stemOf, wordsOf } from '../../shared/words/words.js';

/**
 * Words of business English that people use for one another. A question says `vacation` where the handbook says `leave`; without a model
 * that knows meanings, this is what closes the gap.
 */
const GROUPS = readFileSync(new URL('./related-words.txt', import.meta.url), 'utf8');

const RELATED = relatedByStem();

/** English stems that mean nearly the same as an English stem, itself not among them. */
export function relatedTo(stem: string): readonly string[] {
  return RELATED.get(stem) ?? [];
}

function relatedByStem(): ReadonlyMap<string, readonly string[]> {
  const related = new Map<string, Set<string>>();
  for (const line of GROUPS.trim().split('\n')) {
    const stems = stemsIn(line);
    for (const stem of stems) related.set(stem, new Set([...(related.get(stem) ?? []), ...stems]));
  }
  return new Map([...related].map(([stem, all]) => [stem, [...all].filter((other) => other !== stem)]));
}

function stemsIn(line: string): readonly string[] {
  const words = wordsOf(line).filter((word) => !isFunctionWord(word, ['english']));
  return words.map((word) => stemOf(word, 'english'));
}
