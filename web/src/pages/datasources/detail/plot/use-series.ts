import { useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { keys } from '../../../../shared/keys.js';
import { isKnown, type Series } from './series.js';
import { seriesQuery, type PlottedLine } from './series.queries.js';
import { covers, tilesOf } from './tiles.js';
import type { View } from './view.js';

interface Loaded {
  /** All that is there of the line, in no order; the same array as long as it is the same. Empty: nothing is yet. */
  readonly series: readonly Series[];
  /** More detail of what is shown is on its way. */
  readonly isLoading: boolean;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** So many stretches are drawn besides those that are shown, the newest ones. */
const KEPT = 12;

/** Everything of a line, and what is shown in detail; what was loaded before stays until there is better. */
export function useSeries(line: PlottedLine, { view, whole }: { readonly view: View; readonly whole: View }): Loaded {
  const queries = useQueryClient();
  const known = storedOf(queries, line);
  const { shown, beside } = tilesOf(view, whole);
  const missing = (tiles: readonly View[]): readonly View[] => tiles.filter((tile) => !isKnownWithout(known, tile));
  const [wanted, next] = [missing(shown), missing(beside)];
  const isShown = wanted.every((tile) => known.some(({ of }) => of.from === tile.from && of.to === tile.to));
  const results = useQueries({
    queries: [
      seriesQuery(line, null),
      ...wanted.map((tile) => seriesQuery(line, tile)),
      ...next.map((tile) => ({ ...seriesQuery(line, tile), enabled: isShown })),
    ],
  });
  const asked = results.slice(0, 1 + wanted.length);
  const series = useKeptArray(storedOf(queries, line));
  return {
    series,
    isLoading: asked.some(({ isFetching }) => isFetching),
    error: asked.find(({ error }) => error !== null)?.error ?? null,
    retry: () => {
      for (const { error, refetch } of asked) if (error !== null) void refetch();
    },
  };
}

/** A stretch that is known to the last row by a wider one; its own answer would say the same. */
function isKnownWithout(known: readonly Series[], tile: View): boolean {
  return isKnown(
    known.filter(({ of }) => !covers(tile, of)),
    tile,
  );
}

/** What the cache has of a line, without what has been overtaken by new rows and is not shown. */
function storedOf(queries: QueryClient, { datasourceId, value, asset }: PlottedLine): readonly Series[] {
  return queries
    .getQueryCache()
    .findAll({ queryKey: keys.series(datasourceId, { value, asset }) })
    .filter((query) => query.isActive() || !query.state.isInvalidated)
    .sort((one, other) => Number(other.isActive()) - Number(one.isActive()) || newerFirst(one, other))
    .map(({ state }) => state.data as Series | undefined)
    .filter((series) => series !== undefined)
    .slice(0, KEPT);
}

interface Dated {
  readonly state: { readonly dataUpdatedAt: number };
}

function newerFirst(one: Dated, other: Dated): number {
  return other.state.dataUpdatedAt - one.state.dataUpdatedAt;
}

/** The array of before while it holds the same series. */
function useKeptArray(series: readonly Series[]): readonly Series[] {
  const stamp = series.map(idOf).sort().join(' ');
  return useMemo(() => series, [stamp]);
}

const ids = new WeakMap<Series, string>();
let made = 0;

function idOf(series: Series): string {
  const id = ids.get(series) ?? String((made += 1));
  ids.set(series, id);
  return id;
}
