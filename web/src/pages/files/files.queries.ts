import { queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';

export const FILES = ['files'] as const;

/** All context files of the company, newest first. */
export const filesQuery = queryOptions({
  queryKey: FILES,
  queryFn: async ({ signal }) => (await call(api.GET('/api/v1/secure/contextfiles', { signal }))).files,
});
