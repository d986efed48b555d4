import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import type { Wire } from '../../shared/wire.js';

export type BoardSummary = Wire['BoardSummaryView'];
export type Board = Wire['BoardFullView'];
export type Figure = Wire['FigureView'];
export type BoardRange = Wire['BoardRangeView'];
export type BoardFilter = Wire['BoardFilterView'];
export type Tile = Wire['ShownTileView'];

/** What the figures of a board are looked at through. */
export interface BoardView {
  readonly range: BoardRange | null;
  readonly filters: readonly BoardFilter[];
}

/** Of an address, which anybody may have written; the service checks what stands in it. */
export function viewFrom(given: unknown): BoardView | null {
  if (typeof given !== 'object' || given === null) return null;
  const { range = null, filters = [] } = given as { readonly range?: unknown; readonly filters?: unknown };
  if (typeof range !== 'object' || !Array.isArray(filters) || !filters.every(isFilter)) return null;
  return { range, filters };
}

function isFilter(one: unknown): one is BoardFilter {
  return typeof one === 'object' && one !== null && 'column' in one && 'values' in one && Array.isArray(one.values);
}

export const BOARDS_A_PAGE = 20;

export const boardKeys = {
  all: ['boards'],
  lists: ['boards', 'list'],
  list: (page: number, size: number) => ['boards', 'list', page, size],
  board: (id: string) => ['boards', 'one', id],
  figures: (id: string) => ['boards', 'figures', id],
  links: ['boards', 'links'],
} as const;

/** Last changed first. */
export function boardsQuery(page: number, size = BOARDS_A_PAGE) {
  return queryOptions({
    queryKey: boardKeys.list(page, size),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/board/list', { params: { query: { page, page_size: size } }, signal })),
  });
}

/** With its figures as they were read last. */
export function boardQuery(id: string) {
  return queryOptions({
    queryKey: boardKeys.board(id),
    queryFn: async ({ signal }) =>
      (await call(api.GET('/api/v1/secure/board/{id}', { params: { path: { id } }, signal }))).board,
  });
}

export interface Opened extends BoardView {
  readonly id: string;
  /** Tells this time that the board is open from others: its figures are read each time. */
  readonly opened: number;
}

/** A figure with the rows as they are now; `own` is the reader's view where it is not the board's. */
export function figureQuery({ id, opened, range, filters }: Opened, own: BoardView | null) {
  return (tile: Tile) => ({
    queryKey: [...boardKeys.figures(id), opened, tile.id, own ?? { range, filters }],
    queryFn: async ({ signal }: { readonly signal: AbortSignal }): Promise<Figure> => {
      const body = own === null ? {} : { range: own.range, filters: [...own.filters] };
      const params = { path: { id, tile: tile.id } };
      const asked = api.POST('/api/v1/secure/board/{id}/tile/{tile}/figure', { params, body, signal });
      return (await call(asked)).figure;
    },
  });
}

/** The caller's open links; for managers those of the company. */
export const linksQuery = queryOptions({
  queryKey: boardKeys.links,
  queryFn: ({ signal }) =>
    call(api.GET('/api/v1/secure/share/list', { params: { query: { page_size: 100 } }, signal })),
});
