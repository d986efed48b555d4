import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import type { Wire } from '../../shared/wire.js';

export type Alert = Wire['AlertView'];
export type AlertEvent = Wire['AlertEventView'];

export const ALERTS_A_PAGE = 20;
const EVENTS = 20;
/** Checks happen in the background. */
const AGAIN_MS = 15_000;

export const alertKeys = {
  all: ['alerts'],
  list: (page: number) => ['alerts', 'list', page],
  alert: (id: string) => ['alerts', 'one', id],
  history: (id: string) => ['alerts', 'history', id],
} as const;

/** The company's alerts, newest first. */
export function alertsQuery(page: number) {
  return queryOptions({
    queryKey: alertKeys.list(page),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/alerts', { params: { query: { page, page_size: ALERTS_A_PAGE } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: AGAIN_MS,
  });
}

export function alertQuery(id: string) {
  return queryOptions({
    queryKey: alertKeys.alert(id),
    queryFn: async ({ signal }) =>
      (await call(api.GET('/api/v1/secure/alerts/{id}', { params: { path: { id } }, signal }))).alert,
    refetchInterval: AGAIN_MS,
  });
}

/** What became of an alert, newest first. */
export function historyQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: alertKeys.history(id),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/api/v1/secure/alerts/{id}/history', {
          params: { path: { id }, query: { page: pageParam, page_size: EVENTS } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * EVENTS < total ? pages.length : undefined),
    refetchInterval: AGAIN_MS,
  });
}

/** Who has said when to be told wants to know whether that is so already. What can't be checked now is checked at its turn. */
export async function checkedNow(alert: Alert): Promise<Alert> {
  const params = { path: { id: alert.id } };
  const checking = call(api.POST('/api/v1/secure/alerts/{id}/check', { params }));
  return checking.then(
    ({ alert: checked }) => checked,
    () => alert,
  );
}
