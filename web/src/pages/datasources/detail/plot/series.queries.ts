import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../../app/client.js';
import { keys } from '../../../../shared/keys.js';
import { rangeOf } from '../ranges.js';
import { seriesOf, type Series } from './series.js';
import { TILE_POINTS } from './tiles.js';
import type { View } from './view.js';

/** What is plotted: a column of a datasource, of one subject or (empty) all of them. */
export interface PlottedLine {
  readonly datasourceId: string;
  readonly value: string;
  readonly asset: string;
}

const EVERYTHING: View = { from: -Infinity, to: Infinity };

/** A stretch of a line; null: all of it. */
export function seriesQuery({ datasourceId: id, value, asset }: PlottedLine, tile: View | null) {
  const range = tile === null ? { from: '', to: '' } : rangeOf(tile.from, tile.to);
  return queryOptions({
    queryKey: keys.series(id, { value, asset }, range),
    queryFn: async ({ signal }): Promise<Series> => {
      const body = { datasource_id: id, value, asset, ...range, points: TILE_POINTS };
      return seriesOf(await call(api.POST('/api/v1/secure/data/plot', { body, signal })), tile ?? EVERYTHING);
    },
    staleTime: 60_000,
    // Typed arrays are what they are; nobody has to compare them number by number.
    structuralSharing: false,
  });
}
