import { t } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import { ConversationList } from './conversation-list.js';
import classes from './assistant.module.css';

interface FrameProps {
  /** The conversation that is open; null: none, and on a narrow screen the list alone is shown. */
  readonly selected: string | null;
  readonly children: ReactNode;
}

/** The list of conversations beside the one that is open. */
export function AssistantFrame({ selected, children }: FrameProps): ReactNode {
  return (
    <div className={classes.frame} data-open={selected !== null}>
      <aside className={classes.list} aria-label={t`Conversations`}>
        <ConversationList selected={selected} />
      </aside>
      <div className={classes.place}>{children}</div>
    </div>
  );
}
