import type { Line } from './line.js';

/** A place in an order. */
export interface Ordinal {
  readonly place: number;
  readonly next: number;
}

const PLACES: ReadonlyMap<string, number> = new Map(
  ['second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth'].map(
    (word, index) => [word, index + 2] as const,
  ),
);
const LAST_PLACE = 1000;

/** `second`, `3rd`, `21 st`, but not `first`, which says no more than the superlative after it. */
export function ordinalAt(line: Line, at: number): Ordinal | null {
  const word = line.key(at);
  const place = PLACES.get(word) ?? placeIn(word);
  if (place !== null) return { place, next: at + 1 };
  const digits = line.is(at + 1, 'st', 'nd', 'rd', 'th') ? placeIn(`${word}th`) : null;
  return digits === null ? null : { place: digits, next: at + 2 };
}

function placeIn(word: string): number | null {
  const place = Number(/^(\d{1,4})(?:st|nd|rd|th)$/.exec(word)?.[1] ?? 0);
  return place > 1 && place <= LAST_PLACE ? place : null;
}
