import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../../../app/client.js';
import { keys } from '../../../../shared/keys.js';
import type { Wire } from '../../../../shared/wire.js';
import type { RowList } from '../search.js';

export type Cell = Wire['QueryResponse']['rows'][number][number];

/** Rows that are asked for together. */
export const PAGE = 100;
/** Long enough to scroll back and forth; millions of rows are not kept. */
const KEPT_MS = 60_000;

/** As the service takes it. */
export function bodyOf(id: string, { search = '', filters = [], where = [], order, columns = [] }: RowList) {
  const plan = { filters: [...where, ...filters], columns: [...columns], order: order === undefined ? [] : [order] };
  return { datasource_id: id, search, plan };
}

/** The rows from a place on, with the number of all that fit. */
export function rowsQuery(id: string, list: RowList, offset: number, limit = PAGE) {
  const { row: _row, ...listed } = list;
  return queryOptions({
    queryKey: keys.list(id, listed, offset, limit),
    queryFn: async ({ signal }) => {
      const ask = (from: number) => {
        const body = { ...bodyOf(id, listed), offset: from, limit: offset + limit - from };
        return call(api.POST('/api/v1/secure/data/query', { body, signal }));
      };
      const page = await ask(offset);
      const rows = [...page.rows];
      // Rows that are large come in smaller parts.
      while (rows.length > 0 && rows.length < Math.min(limit, page.total - offset)) {
        const more = await ask(offset + rows.length);
        if (more.rows.length === 0) break;
        rows.push(...more.rows);
      }
      return { ...page, rows };
    },
    gcTime: KEPT_MS,
    staleTime: Infinity,
  });
}
