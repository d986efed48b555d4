import { i18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Badge, Button, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStreamEvent } from '../../app/stream.js';
import { ago, moment } from '../../shared/format.js';
import { IconCalendarCog, IconPlus } from '../../ui/icons.js';
import { Page } from '../../ui/page.js';
import { Pager, usePage } from '../../ui/pager.js';
import { Empty, Loaded, ListSkeleton } from '../../ui/states.js';
import { rhythmWords, TASK_STATES } from './task-words.js';
import { TASKS_A_PAGE, taskKeys, tasksQuery, type Task } from './tasks.queries.js';
import classes from './tasks.module.css';

/** Questions that are asked again and again. */
export function TasksPage(): ReactNode {
  const [page, setPage] = usePage();
  const queries = useQueryClient();
  const query = useQuery(tasksQuery(page));
  useStreamEvent('agent-task', ({ action }) => {
    if (action !== 'step') void queries.invalidateQueries({ queryKey: taskKeys.all });
  });
  const total = query.data?.total;
  return (
    <Page
      title={t`Agent tasks`}
      subtitle={
        total === undefined
          ? '\u00a0'
          : plural(total, { one: '# task, on demand or scheduled', other: '# tasks, on demand or scheduled' })
      }
      actions={<NewButton />}
    >
      <Loaded query={query} skeleton={<ListSkeleton h={64} />}>
        {({ tasks }) => (tasks.length === 0 ? <NoneYet /> : <TaskList tasks={tasks} />)}
      </Loaded>
      <Pager page={page} total={total ?? 0} size={TASKS_A_PAGE} onChange={setPage} />
    </Page>
  );
}

function NewButton(): ReactNode {
  return (
    <Button component={Link} to="/tasks/new" leftSection={<IconPlus />}>
      {t`New task`}
    </Button>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty icon={IconCalendarCog} title={t`No tasks yet`} action={<NewButton />}>
      {t`A task answers the same question again and again, on a schedule if you like, and keeps every answer.`}
    </Empty>
  );
}

function TaskList({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  return (
    <ul className="card lines" aria-label={t`Agent tasks`}>
      {tasks.map((task) => (
        <Line key={task.id} task={task} />
      ))}
    </ul>
  );
}

function Line({ task }: { readonly task: Task }): ReactNode {
  const { id, name, prompt, status, last_run_at: last } = task;
  const { label, color } = TASK_STATES[status];
  return (
    <li>
      <Link to="/tasks/$id" params={{ id }} className={`line ${classes.line ?? ''}`}>
        <div className={classes.name}>
          <Text fw={600} truncate>
            {name}
          </Text>
          <Text size="sm" c="dimmed" truncate>
            {prompt}
          </Text>
        </div>
        <div className={classes.when}>
          <Text size="sm">{scheduleOf(task)}</Text>
          <Text size="sm" c="dimmed" title={last === null ? undefined : moment(last)}>
            {last === null ? t`never run` : t`last run ${ago(last)}`}
          </Text>
        </div>
        <Badge variant="dot" color={color} className={classes.state}>
          {i18n._(label)}
        </Badge>
      </Link>
    </li>
  );
}

function scheduleOf({ automation_enabled: isOn, automation_interval: minutes, automation_at: at }: Task): string {
  return isOn ? rhythmWords(minutes, at) : t`on demand`;
}
