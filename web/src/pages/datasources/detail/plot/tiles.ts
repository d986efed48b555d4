import { lengthOf, type View } from './view.js';

/** What one question to the service may bring: enough for every pixel of a wide screen. */
export const TILE_POINTS = 2000;

/** Pieces of time that are loaded as one: always the same ones, so that what was loaded is found again. */
export interface Tiles {
  /** Together they cover the view. */
  readonly shown: readonly View[];
  /** What is seen next when the view moves. */
  readonly beside: readonly View[];
}

const NONE: Tiles = { shown: [], beside: [] };

/** The pieces that show a view in detail; none when everything, loaded as one, is detailed enough. */
export function tilesOf(view: View, whole: View): Tiles {
  if (lengthOf(view) * 2 > lengthOf(whole)) return NONE;
  const size = 2 ** Math.ceil(Math.log2(lengthOf(view)));
  const [first, last] = [Math.floor(view.from / size), Math.floor(view.to / size)];
  const tiles = (places: readonly number[]): readonly View[] =>
    places
      .map((place) => ({ from: place * size, to: (place + 1) * size }))
      .filter(({ from, to }) => to > whole.from && from <= whole.to);
  return { shown: tiles(first === last ? [first] : [first, last]), beside: tiles([first - 1, last + 1]) };
}

export function covers(one: View, other: View): boolean {
  return one.from <= other.from && one.to >= other.to;
}
