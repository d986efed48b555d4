import { t } from '@lingui/core/macro';
import { Alert, Button, Group, Modal, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { moment, sentence, TIME_ZONE } from '../../shared/format.js';
import { useChange } from '../../shared/use-change.js';
import { Form, switchField, useDraft } from '../../ui/form.js';
import { RecipientsField } from '../../ui/recipients-field.js';
import {
  conditionOf,
  ConditionFields,
  isWholeRhythm,
  RhythmFields,
  SOME_CONDITION,
  type ConditionDraft,
  type Rhythm,
} from './schedule-fields.js';
import { conditionWords, rhythmWords } from './task-words.js';
import { taskKeys, type Task } from './tasks.queries.js';
import classes from './tasks.module.css';

/** When the task runs by itself. */
export function ScheduleCard({ task }: { readonly task: Task }): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const { automation_enabled: isOn, next_run_at: next, schedule_note: note } = task;
  return (
    <section className={`card ${classes.part ?? ''}`} aria-label={t`Schedule`}>
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <dl className={classes.facts}>
          <Fact name={t`Schedule`}>
            {isOn ? rhythmWords(task.automation_interval, task.automation_at) : t`none, runs on demand`}
          </Fact>
          {isOn && <Fact name={t`Condition`}>{conditionWords(task.condition)}</Fact>}
          {isOn && <Fact name={t`Next run (${TIME_ZONE})`}>{next === null ? '–' : moment(next)}</Fact>}
          {task.notify_emails.length > 0 && <Fact name={t`Emails to`}>{task.notify_emails.join(', ')}</Fact>}
        </dl>
        <Button variant="default" size="sm" onClick={open}>
          {t`Change`}
        </Button>
      </Group>
      {note !== null && (
        <Alert color="yellow" mt="md" title={t`The schedule was paused`}>
          {sentence(note)}
        </Alert>
      )}
      <Modal opened={opened} onClose={close} title={t`Schedule`} size="lg" centered>
        <ScheduleForm task={task} onClose={close} />
      </Modal>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function ScheduleForm({ task, onClose }: { readonly task: Task; readonly onClose: () => void }): ReactNode {
  const { draft, field } = useDraft(() => draftOf(task));
  const { isOn, rhythm, emails, condition } = draft;
  const datasource = task.datasources[0] ?? '';
  const save = useChange({
    change: () =>
      call(
        api.POST('/api/v1/secure/agent/task/schedule', {
          body: {
            task_id: task.id,
            automation_interval: rhythm.minutes,
            automation_at: rhythm.at,
            automation_enabled: isOn,
            condition: conditionOf(condition, datasource),
            notify_emails: [...emails],
          },
        }),
      ),
    says: t`The schedule was changed.`,
    done: onClose,
    stale: [taskKeys.all],
  });
  return (
    <Form
      saving={save}
      problem={t`The schedule was not changed`}
      action={t`Save`}
      disabled={!isWholeRhythm(rhythm)}
      onSubmit={save.mutate}
      onCancel={onClose}
    >
      <Switch label={t`Run automatically`} {...switchField(field('isOn'))} />
      <RhythmFields thinking={task.thinking} {...field('rhythm')} />
      <ConditionFields datasourceId={datasource} {...field('condition')} />
      <RecipientsField {...field('emails')} />
      <Text size="sm" c="dimmed">
        {rhythm.at === null
          ? t`The first run starts one interval from now. Runs on demand ignore the condition.`
          : t`Runs on demand ignore the condition.`}
      </Text>
    </Form>
  );
}

function draftOf(task: Task) {
  const { type, aggregate, column, operator, value } = task.condition;
  const condition: ConditionDraft = {
    type,
    aggregate: (aggregate as ConditionDraft['aggregate'] | undefined) ?? SOME_CONDITION.aggregate,
    column: column ?? null,
    operator: operator ?? SOME_CONDITION.operator,
    value: value ?? SOME_CONDITION.value,
  };
  const rhythm: Rhythm = { minutes: task.automation_interval, at: task.automation_at };
  const emails: readonly string[] = task.notify_emails;
  return { isOn: task.automation_enabled, rhythm, emails, condition };
}
