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
