import { msg } from '@lingui/core/macro';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';

export const KEYS = ['api-keys'] as const;

export const KEYS_A_PAGE = 50;

export const SCOPE_NAMES = { read: msg`Read`, ask: msg`Ask`, write: msg`Write` } as const;

/** The user's own keys; for managers those of the company. */
export function keysQuery(page: number) {
  return queryOptions({
    queryKey: [...KEYS, page],
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/api-keys', { params: { query: { page, page_size: KEYS_A_PAGE } }, signal })),
    placeholderData: keepPreviousData,
  });
}
