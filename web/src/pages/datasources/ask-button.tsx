import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useChange } from '../../shared/use-change.js';
import type { Datasource } from '../../shared/wire.js';
import { begins } from '../../ui/form.js';
import { IconMessagePlus } from '../../ui/icons.js';
import { assistantKeys, conversationsQuery, unnamed } from '../assistant/assistant.queries.js';

interface AskButtonProps {
  readonly datasource: Datasource;
  readonly isSmall?: boolean;
}

/** Begins a conversation about a datasource that has rows, or opens the one in which nothing was asked yet. */
export function AskButton({ datasource: { id, name, doc_count: rows }, isSmall = false }: AskButtonProps): ReactNode {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const begin = useChange({
    change: async () => {
      const title = unnamed(name);
      const { pages } = await queries.infiniteQuery({ ...conversationsQuery, staleTime: 0 });
      const begun = pages
        .flatMap(({ conversations }) => conversations)
        .find(
          ({ last_message_at: last, datasources, title: named }) =>
            last === null && named === title && datasources.length === 1 && datasources[0]?.id === id,
        );
      if (begun !== undefined) return begun._id;
      return (await call(api.POST('/api/v1/secure/assistant/conversation', { body: { datasource_id: id, title } }))).id;
    },
    done: (conversation) => navigate({ to: '/assistant/$id', params: { id: conversation } }),
    stale: [assistantKeys.conversations],
    problem: t`The conversation was not started`,
  });
  if (rows === 0) return null;
  return (
    <Button
      size={isSmall ? 'compact-sm' : 'sm'}
      variant={isSmall ? 'default' : 'filled'}
      leftSection={<IconMessagePlus size={isSmall ? 14 : 16} aria-hidden />}
      aria-label={isSmall ? t`Ask ${name}` : undefined}
      {...begins(begin)}
    >
      {t`Ask`}
    </Button>
  );
}
