import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';

export const USERS_A_PAGE = 50;

export const USERS = ['users'] as const;
export const INVITATIONS = ['invitations'] as const;

/** Links that are open, the newest of them; for managers. */
export const invitationsQuery = queryOptions({
  queryKey: INVITATIONS,
  queryFn: ({ signal }) =>
    call(api.GET('/api/v1/secure/invitation/list', { params: { query: { page_size: USERS_A_PAGE } }, signal })),
});

export interface AuditSearch {
  readonly page?: number | undefined;
  readonly email?: string | undefined;
  /** Days, such as `2026-05-01`; both belong to the period. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What people did, newest first; for managers. */
export function auditQuery(search: AuditSearch) {
  const query = { ...auditParameters(search), page: search.page ?? 0, page_size: USERS_A_PAGE };
  return queryOptions({
    queryKey: ['audit', query],
    queryFn: ({ signal }) => call(api.GET('/api/v1/secure/audit', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
}

/** Days begin and end where the reader is. */
export function auditParameters({ email, from, to }: AuditSearch) {
  return {
    ...(email === undefined ? {} : { email }),
    ...(from === undefined ? {} : { from: startOf(from, 0) }),
    ...(to === undefined ? {} : { to: startOf(to, 1) }),
  };
}

function startOf(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

/** The users of the company; for managers. */
export function usersQuery(page: number) {
  return queryOptions({
    queryKey: [...USERS, page],
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/user/list', { params: { query: { page, page_size: USERS_A_PAGE } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export type UsageGroup = 'day' | 'user' | 'model';

/** What answers took and cost this month; for managers. */
export function usageQuery(group: UsageGroup) {
  return queryOptions({
    queryKey: ['usage', group],
    queryFn: ({ signal }) => call(api.GET('/api/v1/secure/usage', { params: { query: { group } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export const SETTINGS = ['settings'] as const;

export type Config = Readonly<Record<string, unknown>>;

/** The company's settings, without its secrets. */
export const settingsQuery = queryOptions({
  queryKey: SETTINGS,
  queryFn: async ({ signal }): Promise<Config> => {
    const { settings } = await call(api.GET('/api/v1/secure/settings', { signal }));
    return settings[0]?.config ?? {};
  },
});
