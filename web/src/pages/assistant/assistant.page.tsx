import { IconMessages } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Empty } from '../../ui/states.js';
import { usePageTitle } from '../../ui/page.js';
import { AssistantFrame } from './assistant-frame.js';
import { NewConversationButton } from './new-conversation.js';

/** No conversation is open yet. */
export function AssistantPage(): ReactNode {
  usePageTitle('Assistant');
  return (
    <AssistantFrame selected={null}>
      <Empty icon={IconMessages} title="Ask your data" action={<NewConversationButton />}>
        Choose a conversation, or begin one on a datasource: answers come with the figures, the query and a chart.
      </Empty>
    </AssistantFrame>
  );
}
