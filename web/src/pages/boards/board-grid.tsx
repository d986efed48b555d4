import type { CSSProperties, ReactNode } from 'react';
import type { Tile } from './boards.queries.js';
import { TileCard } from './tile.js';
import classes from './boards.module.css';

interface BoardGridProps<T> {
  readonly tiles: readonly T[];
  readonly toolsOf?: (tile: T) => ReactNode;
}

/** Tiles on 12 columns; on a narrow screen one below the other, in reading order. */
export function BoardGrid<T extends Tile>({ tiles, toolsOf }: BoardGridProps<T>): ReactNode {
  const ordered = tiles.toSorted((a, b) => a.y - b.y || a.x - b.x);
  return (
    <div className={classes.grid}>
      {ordered.map((tile) => (
        <div key={tile.id} className={classes.cell} style={placeOf(tile)}>
          <TileCard tile={tile} tools={toolsOf?.(tile)} />
        </div>
      ))}
    </div>
  );
}

function placeOf({ x, y, w, h }: Tile): CSSProperties {
  return { '--x': x + 1, '--y': y + 1, '--w': w, '--h': h } as CSSProperties;
}
