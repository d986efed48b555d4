import { t } from '@lingui/core/macro';
import { Button, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { textField, useDraft } from './form.js';

/** ISO 8601 in UTC; an empty one is open. */
interface Ends {
  readonly from: string;
  readonly to: string;
}

interface OwnRangeProps {
  readonly start: Ends;
  /** One end may stay open, and minutes are enough. */
  readonly isRough?: boolean;
  readonly onChoose: (ends: Ends) => void;
  readonly children?: ReactNode;
}

/** From one moment to another, both of which are typed. */
export function OwnRange({ start, isRough = false, onChoose, children }: OwnRangeProps): ReactNode {
  const { draft, field } = useDraft({ from: inputOf(start.from), to: inputOf(start.to) });
  const { from, to } = draft;
  const isEmpty = isRough ? from === '' && to === '' : from === '' || to === '';
  const isWrong = isEmpty || (from !== '' && to !== '' && from >= to);
  const shown = { type: 'datetime-local', step: isRough ? 60 : 1 };
  return (
    <Stack
      component="form"
      gap="sm"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onChoose({ from: from === '' ? '' : `${from}Z`, to: to === '' ? '' : `${to}Z` });
      }}
    >
      <TextInput label={t`From (UTC)`} {...shown} {...textField(field('from'))} />
      <TextInput label={t`To (UTC)`} {...shown} {...textField(field('to'))} />
      {children}
      <Button type="submit" disabled={isWrong}>
        {t`Show`}
      </Button>
    </Stack>
  );
}

/** As a browser's input for moments has it. */
function inputOf(iso: string): string {
  return iso === '' ? '' : new Date(iso).toISOString().slice(0, 19);
}
