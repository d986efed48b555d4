import { useMutation, useQueryClient, type QueryKey, type UseMutationResult } from '@tanstack/react-query';
import { failed, told } from './toast.js';

interface Change<T, V> {
  readonly change: (what: V) => Promise<T>;
  /** Said when it is done. */
  readonly says?: string | ((result: T, what: V) => string);
  readonly done?: (result: T, what: V) => unknown;
  /** What is looked at again then. */
  readonly stale?: readonly QueryKey[];
  /** Said when it failed, where no form does. */
  readonly problem?: string;
}

/** Changes something at the service, says how that went, and has what it changed looked at again. */
export function useChange<T, V = void>(options: Change<T, V>): UseMutationResult<T, Error, V> {
  const { change, says, done, stale = [], problem } = options;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: async (result, what) => {
      if (says !== undefined) told(typeof says === 'string' ? says : says(result, what));
      await done?.(result, what);
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
    onError: (error) => {
      if (problem !== undefined) failed(problem, error);
    },
  });
}
