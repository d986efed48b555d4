import { Alert, Button, Group, Modal, Stack, Switch, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { moment, sentence, TIME_ZONE } from '../../shared/format.js';
import { told } from '../../shared/toast.js';
import { Failure } from '../../ui/states.js';
import { conditionOf, ConditionFields, IntervalField, SOME_CONDITION, type ConditionDraft } from './schedule-fields.js';
import { conditionWords, intervalWords } from './task-words.js';
import { taskKeys, type Task } from './tasks.queries.js';
import classes from './tasks.module.css';

/** When the task runs by itself. */
export function ScheduleCard({ task }: { readonly task: Task }): ReactNode {
  const [opened, { open, close }] = useDisclosure();
  const { automation_enabled: isOn, automation_interval: minutes, next_run_at: next, schedule_note: note } = task;
  return (
    <section className={`card ${classes.part ?? ''}`} aria-label="Schedule">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <dl className={classes.facts}>
          <Fact name="Schedule">{isOn ? intervalWords(minutes) : 'off: it runs when asked'}</Fact>
          {isOn && <Fact name="Condition">{conditionWords(task.condition)}</Fact>}
          {isOn && <Fact name={`Next run (${TIME_ZONE})`}>{next === null ? '–' : moment(next)}</Fact>}
        </dl>
        <Button variant="default" size="sm" onClick={open}>
          Change
        </Button>
      </Group>
      {note !== null && (
        <Alert color="yellow" mt="md" title="The schedule paused itself">
          {sentence(note)}
        </Alert>
      )}
      <Modal opened={opened} onClose={close} title="Schedule" size="lg" centered>
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
  const queries = useQueryClient();
  const [isOn, setIsOn] = useState(task.automation_enabled);
  const [minutes, setMinutes] = useState(task.automation_interval);
  const [condition, setCondition] = useState<ConditionDraft>(() => draftOf(task));
  const datasource = task.datasources[0] ?? '';
  const save = useMutation({
    mutationFn: () =>
      call(
        api.POST('/api/v1/secure/agent/task/schedule', {
          body: {
            task_id: task.id,
            automation_interval: minutes,
            automation_enabled: isOn,
            condition: conditionOf(condition, datasource),
          },
        }),
      ),
    onSuccess: () => {
      told('The schedule was changed');
      onClose();
      return queries.invalidateQueries({ queryKey: taskKeys.all });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <Stack gap="md">
        <Switch
          label="Run by itself"
          checked={isOn}
          onChange={({ currentTarget }) => {
            setIsOn(currentTarget.checked);
          }}
        />
        <IntervalField value={minutes} thinking={task.thinking} onChange={setMinutes} />
        <ConditionFields draft={condition} datasourceId={datasource} onChange={setCondition} />
        <Text size="sm" c="dimmed">
          The first turn is one interval from now. Runs that people ask for look at no condition.
        </Text>
        {save.error !== null && <Failure error={save.error} title="The schedule was not changed" />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function draftOf({ condition: { type, aggregate, column, operator, value } }: Task): ConditionDraft {
  return {
    type,
    aggregate: (aggregate as ConditionDraft['aggregate'] | undefined) ?? SOME_CONDITION.aggregate,
    column: column ?? null,
    operator: operator ?? SOME_CONDITION.operator,
    value: value ?? SOME_CONDITION.value,
  };
}
