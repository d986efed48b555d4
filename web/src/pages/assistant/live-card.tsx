import { Alert, Group, Loader, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { sentence } from '../../shared/format.js';
import { AnswerCard, ChartPlace } from './answer.js';
import { Markdown } from './markdown.js';
import type { LiveAnswer } from './use-live-answer.js';

/** An answer while it is written: what is being done, the words so far, the chart as soon as it is there. */
export function LiveCard({ live }: { readonly live: LiveAnswer }): ReactNode {
  if (live.end !== null && 'response' in live.end) return <AnswerCard answer={live.end.response} />;
  if (live.end !== null) return <BrokenOff text={live.text} error={live.end.error} />;
  return (
    <Stack gap="sm" aria-busy="true">
      {live.text !== '' && <Markdown text={live.text} />}
      {live.chart !== null && <ChartPlace chart={live.chart} label="Chart of the answer" />}
      <Group gap="xs" role="status" wrap="nowrap">
        <Loader size={16} type="dots" aria-hidden />
        <Text size="sm" c="dimmed">
          {live.steps.at(-1) ?? 'Waiting for the first word'}…
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
      <Alert color="red" role="alert" title={text === '' ? 'There is no answer' : 'This answer is not whole'}>
        {sentence(error)}
      </Alert>
    </Stack>
  );
}
