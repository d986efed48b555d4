import type { Stream, StreamEventName, StreamEvents, StreamState } from '@data-analytics/client';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { client } from './client.js';

const StreamContext = createContext<Stream | null>(null);

/** One socket for everything that concerns the user, as long as the page is theirs. */
export function StreamProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const queries = useQueryClient();
  const [stream, setStream] = useState<Stream | null>(null);
  useEffect(() => {
    const opened = client.stream('console');
    let wasLost = false;
    opened.onState((state) => {
      // What happened meanwhile was told to nobody.
      if (state === 'open' && wasLost) void queries.invalidateQueries();
      wasLost = state === 'waiting';
    });
    setStream(opened);
    return () => {
      opened.close();
    };
  }, [queries]);
  return <StreamContext value={stream}>{children}</StreamContext>;
}

/** Calls back with each event of that name while the component is there. */
export function useStreamEvent<Name extends StreamEventName>(
  event: Name,
  heard: (told: StreamEvents[Name]) => void,
): void {
  const stream = use(StreamContext);
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  useEffect(
    () =>
      stream?.on(event, (told) => {
        latest.current(told);
      }),
    [stream, event],
  );
}

export function useStreamState(): StreamState {
  const stream = use(StreamContext);
  return useSyncExternalStore(
    (changed) => stream?.onState(changed) ?? ((): void => undefined),
    () => stream?.state ?? 'connecting',
  );
}
