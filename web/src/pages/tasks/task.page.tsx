import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Badge, Button, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { api, call } from '../../app/client.js';
import { useStreamEvent } from '../../app/stream.js';
import { datasourceQuery } from '../../shared/queries.js';
import { useChange } from '../../shared/use-change.js';
import { DeleteDialog, type DialogProps } from '../../ui/delete-dialog.js';
import { begins } from '../../ui/form.js';
import { IconPlayerPlay, IconPlayerStop, IconTrash } from '../../ui/icons.js';
import { useDeleted } from '../../ui/undo.js';
import { isMissing, Missing } from '../../ui/not-found.js';
import { Page } from '../../ui/page.js';
import { Loaded } from '../../ui/states.js';
import { History } from './history.js';
import { ScheduleCard } from './schedule-card.js';
import { TASK_STATES } from './task-words.js';
import { taskKeys, taskQuery, type Task } from './tasks.queries.js';
import classes from './tasks.module.css';

/** One task: what it asks, when it runs, and all that it has found. */
export function TaskPage(): ReactNode {
  const { id } = useParams({ from: '/tasks/$id' });
  const queries = useQueryClient();
  const query = useQuery(taskQuery(id));
  useStreamEvent('agent-task', (event) => {
    if (event.id !== id) return;
    void queries.invalidateQueries({ queryKey: taskKeys.task(id) });
    void queries.invalidateQueries({ queryKey: taskKeys.history(id) });
  });
  if (isMissing(query.error)) return <Missing title={t`This task does not exist`} />;
  return (
    <Loaded query={query} skeleton={<TaskSkeleton />}>
      {(task) => <Opened task={task} />}
    </Loaded>
  );
}

function Opened({ task }: { readonly task: Task }): ReactNode {
  const { label, color } = TASK_STATES[task.status];
  return (
    <Page
      title={task.name}
      crumbs={[{ label: t`Agent tasks`, to: '/tasks' }]}
      subtitle={
        <Badge variant="dot" color={color}>
          {i18n._(label)}
        </Badge>
      }
      actions={<Actions task={task} />}
    >
      <Stack gap="lg">
        <section className={`card ${classes.part ?? ''}`} aria-label={t`Question`}>
          <Text className={classes.prompt}>{task.prompt}</Text>
          <Text size="sm" c="dimmed" mt="sm" component="div">
            {task.mode === 'report' ? t`Report` : t`Answer`}
            {task.thinking && ` · ${t`thought through`}`} · <Datasources ids={task.datasources} />
          </Text>
        </section>
        <ScheduleCard task={task} />
        <History taskId={task.id} />
      </Stack>
    </Page>
  );
}

function Datasources({ ids }: { readonly ids: readonly string[] }): ReactNode {
  const found = useQueries({ queries: ids.map((id) => datasourceQuery(id)) });
  return ids.map((id, index) => (
    <span key={id}>
      {index === 0 ? '' : ', '}
      {found[index]?.isError === true ? (
        t`deleted datasource`
      ) : (
        <Link to="/datasources/$id" params={{ id }}>
          {found[index]?.data?.name ?? '…'}
        </Link>
      )}
    </span>
  ));
}

function Actions({ task }: { readonly task: Task }): ReactNode {
  const [deleting, { open, close }] = useDisclosure();
  const stale = [taskKeys.task(task.id), taskKeys.history(task.id)];
  const run = useChange({
    change: () => call(api.GET('/api/v1/secure/agent/task/run/{task_id}', { params: { path: { task_id: task.id } } })),
    stale,
    problem: t`The task could not be started`,
  });
  const stop = useChange({
    change: () => call(api.POST('/api/v1/secure/agent/task/stop', { body: { task_id: task.id } })),
    stale,
    problem: t`The task could not be stopped`,
  });
  return (
    <>
      {task.status === 'running' ? (
        <Button variant="default" leftSection={<IconPlayerStop />} {...begins(stop)}>
          {t`Stop`}
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay />} {...begins(run)}>
          {t`Run now`}
        </Button>
      )}
      <Button variant="default" leftSection={<IconTrash />} onClick={open}>
        {t`Delete`}
      </Button>
      <Deletion task={task} opened={deleting} onClose={close} />
    </>
  );
}

function Deletion({ task: { id, name }, ...dialog }: DialogProps & { readonly task: Task }): ReactNode {
  const navigate = useNavigate();
  const deleted = useDeleted();
  const deletion = useChange({
    change: () => call(api.DELETE('/api/v1/secure/agent/task/delete/{task_id}', { params: { path: { task_id: id } } })),
    done: () => {
      deleted(id, name);
      return navigate({ to: '/tasks' });
    },
    stale: [taskKeys.all],
  });
  return (
    <DeleteDialog
      {...dialog}
      title={t`Delete “${name}”?`}
      consequences={[t`Its schedule and all its runs are deleted, with their answers and charts.`]}
      restorable
      deletion={deletion}
    />
  );
}

function TaskSkeleton(): ReactNode {
  return (
    <Stack gap="lg">
      <Skeleton h={32} w="40%" />
      <Skeleton h={96} />
      <Skeleton h={88} />
      <Skeleton h={240} />
    </Stack>
  );
}
