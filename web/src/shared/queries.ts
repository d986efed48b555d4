import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '../app/client.js';
import { keys } from './keys.js';
import type { Datasource } from './wire.js';

export const PAGE_SIZE = 20;

export const companyQuery = queryOptions({
  queryKey: keys.company,
  queryFn: async ({ signal }) => (await call(api.GET('/api/v1/secure/currentcompany', { signal }))).company,
  staleTime: Infinity,
});

/** Limits, formats and the model in use. */
export const capabilitiesQuery = queryOptions({
  queryKey: keys.capabilities,
  queryFn: ({ signal }) => call(api.GET('/api/v1/secure/capabilities', { signal })),
  staleTime: 60_000,
});

export interface DatasourceList {
  readonly datasources: readonly Datasource[];
  readonly total: number;
}

/** One page of the company's datasources, newest first; of those whose name has `search` in it. */
export function datasourceListQuery(search: string, page: number) {
  return queryOptions({
    queryKey: keys.datasourceList(search, page),
    queryFn: ({ signal }) => (search === '' ? listed(page, signal) : found(search, page, signal)),
    placeholderData: keepPreviousData,
  });
}

async function listed(page: number, signal: AbortSignal): Promise<DatasourceList> {
  return call(api.GET('/api/v1/secure/datasources', { params: { query: { page, page_size: PAGE_SIZE } }, signal }));
}

/** The search knows names alone; what else the list shows is fetched for each. */
async function found(search: string, page: number, signal: AbortSignal): Promise<DatasourceList> {
  const body = { search, page, page_size: PAGE_SIZE };
  const { datasources, total } = await call(api.POST('/api/v1/secure/datasources/plain', { body, signal }));
  const whole = await Promise.all(datasources.map(({ id }) => datasourceOf(id, signal).catch(() => null)));
  // One that was deleted in between is left out.
  return { datasources: whole.filter((one) => one !== null), total };
}

export function datasourceQuery(id: string) {
  return queryOptions({ queryKey: keys.datasource(id), queryFn: ({ signal }) => datasourceOf(id, signal) });
}

async function datasourceOf(id: string, signal: AbortSignal): Promise<Datasource> {
  return (await call(api.GET('/api/v1/secure/datasource', { params: { query: { id } }, signal }))).datasource;
}

/** Columns with their figures. The service makes it anew, so it is not asked for more often than it changes. */
export function summaryQuery(id: string) {
  return summaryWith(id, {});
}

/** Of a histogram: as many as can be told apart in a small picture. */
const BINS = 24;

/** The same with a histogram of each column of numbers, for which all rows are read again. */
export function histogramsQuery(id: string) {
  return summaryWith(id, { bins: BINS });
}

function summaryWith(id: string, wanted: { readonly bins?: number }) {
  return queryOptions({
    queryKey: keys.summary(id, ...Object.values(wanted)),
    queryFn: async ({ signal, client }) => {
      const query = { params: { query: { id, ...wanted } }, signal };
      const { summary } = await call(api.GET('/api/v1/secure/datasource/store-ds-schema-summary', query));
      // Who wants no histograms need not ask again.
      client.setQueryData(keys.summary(id), summary);
      return summary;
    },
    staleTime: 5 * 60_000,
  });
}

/** The values of the metafield that have `search` in them, page by page. */
export function assetsQuery(id: string, search: string) {
  return infiniteQueryOptions({
    queryKey: keys.assets(id, search),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.POST('/api/v1/secure/datasource/distinct-metadata', {
          body: { datasource_id: id, search, page: pageParam, page_size: 50 },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * 50 < total ? pages.length : undefined),
    placeholderData: keepPreviousData,
  });
}
