import { t } from '@lingui/core/macro';
import { Trans } from '@lingui/react/macro';
import { ActionIcon, Text } from '@mantine/core';
import { useState, type KeyboardEvent, type ReactNode } from 'react';
import GridLayout, { useContainerWidth, verticalCompactor, type Layout, type LayoutItem } from 'react-grid-layout';
import { cloneLayout, moveElement } from 'react-grid-layout/core';
import { IconGripVertical } from '../../ui/icons.js';
import type { Tile } from './boards.queries.js';
import { TileCard } from './tile.js';
import classes from './boards.module.css';
import './grid.css';

const COLUMNS = 12;
const GRID = { cols: COLUMNS, rowHeight: 44, margin: [12, 12], containerPadding: [0, 0] } as const;
const SMALLEST = { w: 2, h: 2 } as const;

interface BoardEditorProps {
  readonly tiles: readonly Tile[];
  readonly toolsOf: (tile: Tile) => ReactNode;
  /** Where tiles lie from now on. */
  readonly onArrange: (places: readonly Place[]) => void;
}

export type Place = Pick<Tile, 'id' | 'x' | 'y' | 'w' | 'h'>;

/** Tiles that are dragged and resized, by mouse or by keys. */
export default function BoardEditor({ tiles, toolsOf, onArrange }: BoardEditorProps): ReactNode {
  const { width, containerRef, mounted } = useContainerWidth();
  const [layout, setLayout] = useState<Layout>(() => layoutOf(tiles));
  const [told, setTold] = useState('');
  const arrange = (next: Layout): void => {
    setLayout(next);
    onArrange(next.map(({ i, x, y, w, h }) => ({ id: i, x, y, w, h })));
  };
  const press = (tile: Tile, event: KeyboardEvent): void => {
    const [dx, dy] = ARROWS[event.key] ?? [0, 0];
    if (dx === 0 && dy === 0) return;
    event.preventDefault();
    const next = (event.shiftKey ? resized : moved)(shown, tile.id, [dx, dy]);
    arrange(next);
    const place = next.find(({ i }) => i === tile.id);
    if (place !== undefined) setTold(placeWords(place));
  };
  // Tiles that came or went since.
  const shown = withAll(layout, tiles);
  return (
    <>
      <Text size="sm" c="dimmed" mb="sm" id="how-to-arrange">
        <Trans>
          Drag tiles by their handles and their corners, or choose a handle and press the arrow keys: alone they move
          the tile, with Shift they change its size.
        </Trans>
      </Text>
      <div ref={containerRef}>
        {mounted && (
          <GridLayout
            width={width}
            layout={shown}
            gridConfig={GRID}
            dragConfig={{ handle: '.drag-handle' }}
            compactor={verticalCompactor}
            onDragStop={arrange}
            onResizeStop={arrange}
          >
            {tiles.map((tile) => (
              <div key={tile.id}>
                <TileCard
                  tile={tile}
                  tools={
                    <div className={classes.tools}>
                      <ActionIcon
                        variant="subtle"
                        color="gray"
                        className={`drag-handle ${classes.handle ?? ''}`}
                        aria-label={t`Move ${nameOf(tile)}`}
                        aria-describedby="how-to-arrange"
                        onKeyDown={(event) => {
                          press(tile, event);
                        }}
                      >
                        <IconGripVertical />
                      </ActionIcon>
                      {toolsOf(tile)}
                    </div>
                  }
                />
              </div>
            ))}
          </GridLayout>
        )}
      </div>
      <div role="status" className={classes.told}>
        {told}
      </div>
    </>
  );
}

function nameOf({ title, text }: Tile): string {
  return title ?? t`the note “${(text ?? '').slice(0, 30)}”`;
}

const ARROWS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

function layoutOf(tiles: readonly Tile[]): Layout {
  return tiles.map(({ id, x, y, w, h }) => ({ i: id, x, y, w, h, minW: SMALLEST.w, minH: SMALLEST.h }));
}

function withAll(layout: Layout, tiles: readonly Tile[]): Layout {
  const known = new Map(layout.map((item) => [item.i, item]));
  return layoutOf(tiles).map((item) => known.get(item.i) ?? item);
}

type Step = readonly [number, number];

/** One column aside, or past the next tile above or below. */
function moved(layout: Layout, id: string, [dx, dy]: Step): Layout {
  const next = cloneLayout(layout);
  const item = next.find(({ i }) => i === id);
  if (item === undefined) return layout;
  const x = Math.max(0, Math.min(COLUMNS - item.w, item.x + dx));
  const arranged = moveElement(
    next,
    item,
    x,
    item.y + dy * pastNext(layout, item, dy),
    true,
    false,
    'vertical',
    COLUMNS,
  );
  return verticalCompactor.compact(arranged, COLUMNS);
}

/** Rows to go to change places with the nearest tile in that direction; none where there is none. */
function pastNext(layout: Layout, { i, x, y, w, h }: LayoutItem, dy: number): number {
  const beside = layout.filter((other) => other.i !== i && other.x < x + w && x < other.x + other.w);
  if (dy > 0) {
    const below = beside.filter((other) => other.y >= y + h).sort((a, b) => a.y - b.y);
    return below[0]?.h ?? 0;
  }
  const above = beside.filter((other) => other.y + other.h <= y).sort((a, b) => b.y - a.y);
  return above[0] === undefined ? 0 : y - above[0].y;
}

function resized(layout: Layout, id: string, [dx, dy]: Step): Layout {
  const next = cloneLayout(layout).map((item) =>
    item.i === id
      ? {
          ...item,
          w: Math.max(SMALLEST.w, Math.min(COLUMNS - item.x, item.w + dx)),
          h: Math.max(SMALLEST.h, item.h + dy),
        }
      : item,
  );
  return verticalCompactor.compact(next, COLUMNS);
}

function placeWords({ x, y, w, h }: LayoutItem): string {
  const [column, row] = [x + 1, y + 1];
  return t`Column ${column}, row ${row}, ${w} columns wide, ${h} rows high`;
}
