import type { StreamEvents } from '@data-analytics/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useStreamEvent } from '../app/stream.js';
import { keys } from './keys.js';

export type Progress = StreamEvents['datasource-updated'];

/** Keeps what the page shows of datasources as new as the stream tells it. Used once, by the shell. */
export function useDatasourceNews(): void {
  const queries = useQueryClient();
  useStreamEvent('datasource-updated', (told) => {
    const id = told.datasource_id;
    if (told.action === 'progress') {
      queries.setQueryData(keys.progress(id), told);
      return;
    }
    queries.removeQueries({ queryKey: keys.progress(id) });
    void queries.invalidateQueries({ queryKey: [...keys.datasources, 'list'] });
    if (told.action === 'deleted') return;
    void queries.invalidateQueries({ queryKey: keys.datasource(id) });
    void queries.invalidateQueries({ queryKey: keys.rows(id) });
  });
}

/** How far an import is, as it was told last; null when nothing was told. */
export function useProgress(id: string): Progress | null {
  const { data } = useQuery<Progress | null>({
    queryKey: keys.progress(id),
    queryFn: () => null,
    enabled: false,
    initialData: null,
  });
  return data;
}
