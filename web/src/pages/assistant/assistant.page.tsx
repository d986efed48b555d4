import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasourceListQuery } from '../../shared/queries.js';
import { IconMessages } from '../../ui/icons.js';
import { Empty } from '../../ui/states.js';
import { TrySample } from '../datasources/try-sample.js';
import { usePageTitle } from '../../ui/page.js';
import { AssistantFrame } from './assistant-frame.js';
import { NewConversationButton } from './new-conversation.js';

/** No conversation is open yet. */
export function AssistantPage(): ReactNode {
  usePageTitle(t`Assistant`);
  return (
    <AssistantFrame selected={null}>
      <Nothing />
    </AssistantFrame>
  );
}

function Nothing(): ReactNode {
  const { data } = useQuery(datasourceListQuery('', 0));
  const isNew = data?.total === 0;
  return (
    <Empty
      icon={IconMessages}
      title={t`Ask your data`}
      action={
        isNew ? (
          <>
            <Button component={Link} to="/datasources/new">
              {t`Upload a file`}
            </Button>
            <TrySample />
          </>
        ) : (
          <NewConversationButton />
        )
      }
    >
      {isNew
        ? t`There is no data yet. Upload a file, or try it with sample data.`
        : t`Choose a conversation or start a new one. Answers come with figures, the query and a chart.`}
    </Empty>
  );
}
