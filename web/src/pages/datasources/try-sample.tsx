import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useIsManager } from '../../app/session.js';
import { keys } from '../../shared/keys.js';
import { useChange } from '../../shared/use-change.js';
import { begins } from '../../ui/form.js';
import { IconSparkles } from '../../ui/icons.js';
import { assistantKeys, unnamed } from '../assistant/assistant.queries.js';

// oxlint-disable-next-line lingui/no-unlocalized-strings -- the analyst reads it
const QUESTION = 'Average temp_max by month';
const LOOK_AGAIN_MS = 400;

/** From nothing to a first answer: makes a datasource of sample data, and asks it something. */
export function TrySample(): ReactNode {
  const isManager = useIsManager();
  const navigate = useNavigate();
  const begin = useChange({
    change: async () => {
      const { datasource_id: id } = await call(api.POST('/api/v1/secure/datasource/sample'));
      const title = unnamed(await imported(id));
      const body = { datasource_id: id, title };
      const { id: conversation } = await call(api.POST('/api/v1/secure/assistant/conversation', { body }));
      const asked = { conversation_id: conversation, message: QUESTION };
      const { message_id: answer } = await call(api.POST('/api/v1/secure/assistant/chatstream', { body: asked }));
      return { conversation, answer };
    },
    done: ({ conversation, answer }) =>
      navigate({ to: '/assistant/$id', params: { id: conversation }, search: { answer, hint: 1 } }),
    stale: [assistantKeys.conversations, [...keys.datasources, 'list']],
    problem: t`The sample data could not be prepared`,
  });
  if (!isManager) return null;
  return (
    <Button variant="default" leftSection={<IconSparkles />} {...begins(begin)}>
      {t`Try the sample data`}
    </Button>
  );
}

/** Its name, as soon as its rows are there. */
async function imported(id: string): Promise<string> {
  for (;;) {
    const query = { params: { query: { id } } };
    const { datasource } = await call(api.GET('/api/v1/secure/datasource', query));
    if (datasource.import.status === 'failed') throw new Error(datasource.import.error ?? 'the import failed');
    if (!datasource.updating) return datasource.name;
    await new Promise((wake) => setTimeout(wake, LOOK_AGAIN_MS));
  }
}
