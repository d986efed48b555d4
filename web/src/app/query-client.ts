import { ApiError } from '@data-analytics/client';
import { QueryClient } from '@tanstack/react-query';

const TRIES = 3;

/** A cache for one user: the next one gets another. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Never waiting in silence for a network: what fails says so, and can be tried again.
      queries: { staleTime: 15_000, retry: shouldRetry, retryDelay: delayOf, networkMode: 'always' },
      mutations: { retry: false, networkMode: 'always' },
    },
  });
}

/** What the service refuses it refuses again; what was away may be back. */
function shouldRetry(failures: number, error: Error): boolean {
  const status = error instanceof ApiError ? error.status : 0;
  return failures < TRIES && (status === 0 || status === 429 || status >= 500);
}

function delayOf(failures: number, error: Error): number {
  const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1000 : 0;
  return Math.max(asked, Math.min(1000 * 2 ** failures, 10_000));
}
