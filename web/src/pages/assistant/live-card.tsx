import { t } from '@lingui/core/macro';
import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentence } from '../../shared/format.js';
import { ChartPlace } from './answer.js';
import { Markdown } from './markdown.js';
import type { LiveAnswer } from './use-live-answer.js';

interface LiveCardProps {
  readonly live: LiveAnswer;
  /** Null while it is being written. */
  readonly end: { readonly error: string } | null;
}

/** An answer that is not whole: what is being done, the words so far, the chart as soon as it is there. */
export function LiveCard({ live, end }: LiveCardProps): ReactNode {
  if (end !== null) return <BrokenOff text={live.text} error={end.error} />;
  return (
    <Stack gap="sm" aria-busy="true">
      {live.text !== '' && <Markdown text={live.text} />}
      {live.chart !== null && <ChartPlace chart={live.chart} label={t`Chart of the answer`} />}
      <Group gap="xs" role="status" wrap="nowrap">
        <Loader size={16} type="dots" aria-hidden />
        <Text size="sm" c="dimmed">
          {live.steps.at(-1) ?? t`Waiting for the answer`}…
        </Text>
      </Group>
    </Stack>
  );
}

/** What was written before it broke off stays. */
function BrokenOff({ text, error }: { readonly text: string; readonly error: string }): ReactNode {
  return (
    <Stack gap="sm">
      {text !== '' && <Markdown text={text} />}
      <Alert color="red" role="alert" title={text === '' ? t`No answer` : t`This answer is incomplete`}>
        {sentence(error)}
      </Alert>
    </Stack>
  );
}
