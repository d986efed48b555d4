import { IconMessages } from '@tabler/icons-react';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { datasourceListQuery } from '../../shared/queries.js';
import { Empty } from '../../ui/states.js';
import { TrySample } from '../datasources/try-sample.js';
import { usePageTitle } from '../../ui/page.js';
import { AssistantFrame } from './assistant-frame.js';
import { NewConversationButton } from './new-conversation.js';

/** No conversation is open yet. */
export function AssistantPage(): ReactNode {
  usePageTitle('Assistant');
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
      title="Ask your data"
      action={
        isNew ? (
          <>
            <Button component={Link} to="/datasources/new">
              Upload a file
            </Button>
            <TrySample />
          </>
        ) : (
          <NewConversationButton />
        )
      }
    >
      {isNew
        ? 'There is nothing to ask about yet. Upload a file, or see with sample data how it works.'
        : 'Choose a conversation, or begin one on a datasource: answers come with the figures, the query and a chart.'}
    </Empty>
  );
}
