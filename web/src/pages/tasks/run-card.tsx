import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Accordion, Alert, Badge, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { duration, moment, sentence } from '../../shared/format.js';
import { DownloadButton } from '../../ui/download-button.js';
import { MailLine } from '../../ui/mail-line.js';
import { ReportText } from './report-text.js';
import { StepList } from './step-list.js';
import { RUN_STATES } from './task-words.js';
import type { Run } from './tasks.queries.js';

/** One run: when and why, what it did, and what it found. */
export function RunCard({ run }: { readonly run: Run }): ReactNode {
  return (
    <Stack gap="md">
      {run.reason !== null && <Text size="sm">{sentence(run.reason)}</Text>}
      {run.error !== null && (
        <Alert color="red" title={t`The run failed`}>
          {sentence(run.error)}
        </Alert>
      )}
      {run.answer !== '' && <ReportText text={run.answer} />}
      {run.answer !== '' && (
        <Group>
          <DownloadButton
            path={`/api/v1/secure/agent/task/${run.task_id}/notebook`}
            query={{ run_id: run.id }}
            label={t`Save as notebook`}
          />
        </Group>
      )}
      <MailLine mails={run.mails} />
      {run.steps.length > 0 && (
        <Accordion variant="contained" defaultValue={run.status === 'running' ? 'steps' : null}>
          <Accordion.Item value="steps">
            <Accordion.Control>{t`Steps (${String(run.steps.length)})`}</Accordion.Control>
            <Accordion.Panel>
              <StepList steps={run.steps} />
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}

export function RunHead({ run }: { readonly run: Run }): ReactNode {
  const { label, color } = RUN_STATES[run.status];
  const took = run.finished_at === null ? null : (Date.parse(run.finished_at) - Date.parse(run.started_at)) / 1000;
  return (
    <Group gap="sm">
      <Badge variant="dot" color={color}>
        {i18n._(label)}
      </Badge>
      <Text size="sm" c="dimmed">
        {moment(run.started_at)} · {run.trigger === 'schedule' ? t`scheduled` : t`on demand`}
        {took === null ? '' : ` · ${duration(took)}`}
        {run.attempts > 1 ? ` · ${plural(run.attempts, { one: '# attempt', other: '# attempts' })}` : ''}
      </Text>
    </Group>
  );
}
