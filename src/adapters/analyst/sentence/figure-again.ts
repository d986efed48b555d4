import { phraseSet } from './line.js';
import type { Sentence } from './sentence.js';

const THAT_FIGURE = phraseSet(
  'that average|that figure|that number|that total|that count|that sum|that mean|how many|how many each|how many that is|how many that was|how many it was|how many they have|how many they had|how many there are|how many of them|the number|their number|the count|how much|the figure|the average|the exact number',
);

/** `countries with an average rating over 4, and that average`: the figure of the condition belongs to the answer. */
export function figureAgainAt(sentence: Sentence, at: number): number | null {
  const { line, having } = sentence;
  const last = having.at(-1);
  const next = last === undefined ? null : line.phrase(at, THAT_FIGURE);
  if (last === undefined || next === null || !(next >= line.end || line.is(next, ',', 'most', 'sorted', 'ordered')))
    return null;
  sentence.addMeasure(last.measure);
  return next;
}

/** `the most expensive cheese per kg`: the rest of what is ranked by is called. */
export function restOfNameAt(sentence: Sentence, at: number): number | null {
  const { line, rank } = sentence;
  if (rank?.by.kind !== 'column' || !line.is(at, 'per', 'by', 'in')) return null;
  const words = rank.by.column.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  let next = at + 1;
  while (line.isWord(next) && words.includes(line.key(next))) next += 1;
  return next > at + 1 && words.includes(line.key(at)) ? next : null;
}
