import { t } from '@lingui/core/macro';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import type { Wire } from '../../shared/wire.js';

export type Conversation = Wire['ConversationView'];
export type Message = Wire['MessageView'];
export type Answer = Wire['AnswerView'];

export const assistantKeys = {
  all: ['assistant'],
  conversations: ['assistant', 'conversations'],
  conversation: (id: string) => ['assistant', 'conversation', id],
  history: (id: string) => ['assistant', 'history', id],
  suggestions: (id: string) => ['assistant', 'suggestions', id],
  opinions: (id: string) => ['assistant', 'opinions', id],
} as const;

const CONVERSATIONS = 50;

/** The user's own, pinned first, then newest. */
export const conversationsQuery = infiniteQueryOptions({
  queryKey: assistantKeys.conversations,
  queryFn: ({ pageParam, signal }) =>
    call(
      api.GET('/api/v1/secure/assistant/conversations', {
        params: { query: { page: pageParam, page_size: CONVERSATIONS } },
        signal,
      }),
    ),
  initialPageParam: 0,
  getNextPageParam: ({ total }, pages) => (pages.length * CONVERSATIONS < total ? pages.length : undefined),
});

export function conversationQuery(id: string) {
  return queryOptions({
    queryKey: assistantKeys.conversation(id),
    queryFn: async ({ signal }) =>
      (await call(api.GET('/api/v1/secure/assistant/conversation/{id}', { params: { path: { id } }, signal })))
        .conversation,
  });
}

/** Messages, the newest page first; each page is in the order of time. */
export function historyQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: assistantKeys.history(id),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/api/v1/secure/assistant/history', {
          params: { query: { conversation_id: id, ...(pageParam === '' ? {} : { before: pageParam }) } },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ has_more: hasMore, history }) => (hasMore ? history[0]?._id : undefined),
  });
}

/** Questions that the assistant can answer about the conversation's datasource. */
export function suggestionsQuery(id: string) {
  return queryOptions({
    queryKey: assistantKeys.suggestions(id),
    queryFn: async ({ signal }) => {
      const query = { conversation_id: id };
      const told = await call(api.GET('/api/v1/secure/assistant/suggestionsquery', { params: { query }, signal }));
      return JSON.parse(told.suggested_questions) as readonly string[];
    },
    staleTime: 5 * 60_000,
  });
}

/** The title of a conversation that nobody has named: it gets that of its first question. */
export function unnamed(datasourceName: string): string {
  return t`About ${datasourceName}`.slice(0, 200);
}
