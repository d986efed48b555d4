import { t } from '@lingui/core/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { api, call } from '../../app/client.js';
import { useStreamEvent } from '../../app/stream.js';
import { useChange } from '../../shared/use-change.js';
import { assistantKeys, type Message } from './assistant.queries.js';
import type { Again } from './plan-edits.js';
import { useLiveAnswer, type LiveAnswer } from './use-live-answer.js';

/** A question in words, or what was understood of one before, changed. */
export type Asked = { readonly message: string } | (Again & { readonly datasource_id?: string });

interface Asking {
  /** The answer that is being written; null when there is none, or it stands among the messages already. */
  readonly live: LiveAnswer | null;
  readonly ask: (asked: Asked) => Promise<unknown>;
  readonly isAsking: boolean;
  readonly askError: Error | null;
  readonly stop: () => void;
}

/**
 * Asks, and follows the answer. Which answer it is stands in the address, so that a reload in the middle goes on where it was; an answer
 * that another tab has asked for is joined as soon as something is told of it.
 */
export function useAsking(conversationId: string, messages: readonly Message[]): Asking {
  const { answer: messageId = null } = useSearch({ from: '/assistant/$id' });
  const follow = useFollow(conversationId);
  const isStored = messageId !== null && messages.some(({ _id: id }) => id === messageId);
  const live = useLiveAnswer(isStored ? null : messageId);
  useRefreshAtEnd(conversationId, live?.end != null);
  useEffect(() => {
    if (isStored) follow(null);
  }, [isStored, follow]);
  useStreamEvent('chat-loading', (told) => {
    if (told.conversation_id === conversationId && messageId === null) follow(told.message_id);
  });
  const asking = useChange({
    change: (asked: Asked) =>
      call(api.POST('/api/v1/secure/assistant/chatstream', { body: { conversation_id: conversationId, ...asked } })),
    done: ({ message_id: id }) => {
      follow(id);
    },
  });
  useRefreshAtEnd(conversationId, asking.isSuccess);
  const stopping = useChange({
    change: () => call(api.POST('/api/v1/secure/assistant/stop', { body: { conversation_id: conversationId } })),
    problem: t`The answer could not be stopped`,
  });
  return {
    live,
    ask: asking.mutateAsync,
    isAsking: asking.isPending,
    askError: asking.error,
    stop: stopping.mutate,
  };
}

/** Puts the answer that is followed into the address, unless one has gone elsewhere meanwhile. */
function useFollow(conversationId: string): (messageId: string | null) => void {
  const router = useRouter();
  return (messageId) => {
    const page = { to: '/assistant/$id', params: { id: conversationId } } as const;
    if (router.latestLocation.pathname !== router.buildLocation(page).pathname) return;
    void router.navigate({
      ...page,
      search: ({ hint }) => ({
        ...(hint === undefined ? {} : { hint }),
        ...(messageId === null ? {} : { answer: messageId }),
      }),
      replace: true,
      resetScroll: false,
    });
  };
}

function useRefreshAtEnd(conversationId: string, isOver: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!isOver) return;
    for (const queryKey of [
      assistantKeys.history(conversationId),
      assistantKeys.conversation(conversationId),
      assistantKeys.conversations,
    ])
      void queries.invalidateQueries({ queryKey });
  }, [queries, conversationId, isOver]);
}
