import type { TilePlace } from './board.schema.js';

export const COLUMNS = 12;
/** Rows of the grid. */
export const MOST_ROWS = 1000;

type Size = Pick<TilePlace, 'w' | 'h'>;

/** The first place, in reading order, where nothing lies. */
export function freePlace(tiles: readonly TilePlace[], size: Size): TilePlace {
  for (let y = 0; ; y += 1) {
    for (let x = 0; x + size.w <= COLUMNS; x += 1) {
      const place = { x, y, ...size };
      if (!tiles.some((other) => overlap(place, other))) return place;
    }
  }
}

/** Without two in one place: the lower of them, in reading order the later, goes further down. */
export function settled<T extends TilePlace>(tiles: readonly T[]): readonly T[] {
  const placed: T[] = [];
  for (const tile of tiles.toSorted((a, b) => a.y - b.y || a.x - b.x)) {
    let { y } = tile;
    for (;;) {
      const below = placed.filter((other) => overlap({ ...tile, y }, other)).map((other) => other.y + other.h);
      if (below.length === 0) break;
      y = Math.max(...below);
    }
    placed.push({ ...tile, y });
  }
  return placed;
}

function overlap(one: TilePlace, other: TilePlace): boolean {
  const isBeside = one.x + one.w <= other.x || other.x + other.w <= one.x;
  return !isBeside && one.y < other.y + other.h && other.y < one.y + one.h;
}
