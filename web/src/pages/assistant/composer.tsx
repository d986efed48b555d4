import { t } from '@lingui/core/macro';
import { ActionIcon, Textarea, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode, type RefObject } from 'react';
import { capabilitiesQuery } from '../../shared/queries.js';
import { typed } from '../../ui/form.js';
import { IconArrowUp, IconPlayerStopFilled } from '../../ui/icons.js';
import classes from './assistant.module.css';

interface ComposerProps {
  readonly draft: string;
  readonly onChange: (draft: string) => void;
  /** An answer is being written: the next question can be typed, and is sent afterwards. */
  readonly isBusy: boolean;
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly onSend: (message: string) => void;
  readonly onStop: () => void;
}

/** The place for the next question. Enter sends, Shift and Enter begins a line. */
export function Composer({ draft, onChange, isBusy, field, onSend, onStop }: ComposerProps): ReactNode {
  const { data: capabilities } = useQuery(capabilitiesQuery);
  useEffect(() => {
    field.current?.focus({ preventScroll: true });
  }, [field]);
  const message = draft.trim();
  const canSend = message !== '' && !isBusy;
  const send = (): void => {
    if (canSend) onSend(message);
  };
  return (
    <form
      className={classes.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Textarea
        ref={field}
        aria-label={t`Your question`}
        placeholder={isBusy ? t`You can already type the next question` : t`Ask a question`}
        autosize
        minRows={1}
        maxRows={8}
        maxLength={capabilities?.limits.message_characters}
        value={draft}
        className={classes.field}
        onChange={typed(onChange)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          send();
        }}
      />
      {isBusy ? (
        <Tooltip label={t`Stop the answer`}>
          <ActionIcon
            size={36}
            variant="default"
            aria-label={t`Stop the answer`}
            onClick={() => {
              onStop();
              // The button goes when the answer has ended.
              field.current?.focus();
            }}
          >
            <IconPlayerStopFilled />
          </ActionIcon>
        </Tooltip>
      ) : (
        <ActionIcon size={36} type="submit" disabled={!canSend} aria-label={t`Send`}>
          <IconArrowUp size={18} stroke={2} />
        </ActionIcon>
      )}
    </form>
  );
}
