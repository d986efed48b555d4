import type { ColumnFacts, Direction, Hint } from '../column-facts.js';
import { likeness } from './column-words.js';

/** Which end of a column an adjective means: the oldest age is the highest, the oldest year the first. */
export function directionFor(column: ColumnFacts | undefined, hints: readonly Hint[]): Direction | undefined {
  const own = hints.find(({ word }) => column?.words.some((one) => likeness(one, word) >= 2));
  return (own ?? hints[0])?.direction;
}
