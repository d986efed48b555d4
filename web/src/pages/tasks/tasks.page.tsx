import { Badge, Button, Pagination, Skeleton, Stack, Text } from '@mantine/core';
import { IconCalendarCog, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useStreamEvent } from '../../app/stream.js';
import { ago, counted, moment } from '../../shared/format.js';
import { Page } from '../../ui/page.js';
import { Empty, Loaded } from '../../ui/states.js';
import { intervalWords, TASK_STATES } from './task-words.js';
import { TASKS_A_PAGE, taskKeys, tasksQuery, type Task } from './tasks.queries.js';
import classes from './tasks.module.css';

/** Questions that are asked again and again. */
export function TasksPage(): ReactNode {
  const { page = 0 } = useSearch({ from: '/tasks' });
  const navigate = useNavigate();
  const queries = useQueryClient();
  const query = useQuery(tasksQuery(page));
  useStreamEvent('agent-task', ({ action }) => {
    if (action !== 'step') void queries.invalidateQueries({ queryKey: taskKeys.all });
  });
  const total = query.data?.total;
  return (
    <Page
      title="Agent tasks"
      subtitle={total === undefined ? '\u00a0' : `${counted(total, 'task')}, run when asked or by schedule`}
      actions={<NewButton />}
    >
      <Loaded query={query} skeleton={<ListSkeleton />}>
        {({ tasks }) => (tasks.length === 0 ? <NoneYet /> : <TaskList tasks={tasks} />)}
      </Loaded>
      {total !== undefined && total > TASKS_A_PAGE && (
        <Pagination
          mt="md"
          total={Math.ceil(total / TASKS_A_PAGE)}
          value={page + 1}
          getControlProps={(control) => ({ 'aria-label': `${control} page` })}
          onChange={(next) => {
            void navigate({ to: '/tasks', search: next > 1 ? { page: next - 1 } : {} });
          }}
        />
      )}
    </Page>
  );
}

function NewButton(): ReactNode {
  return (
    <Button component={Link} to="/tasks/new" leftSection={<IconPlus size={16} />}>
      New task
    </Button>
  );
}

function NoneYet(): ReactNode {
  return (
    <Empty icon={IconCalendarCog} title="No tasks yet" action={<NewButton />}>
      A task answers the same question again and again, on a schedule if you like, and keeps what it said.
    </Empty>
  );
}

function TaskList({ tasks }: { readonly tasks: readonly Task[] }): ReactNode {
  return (
    <ul className={`card ${classes.list ?? ''}`} aria-label="Agent tasks">
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
      <Link to="/tasks/$id" params={{ id }} className={classes.line}>
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
            {last === null ? 'never run' : `last run ${ago(last)}`}
          </Text>
        </div>
        <Badge variant="dot" color={color} className={classes.state}>
          {label}
        </Badge>
      </Link>
    </li>
  );
}

function scheduleOf({ automation_enabled: isOn, automation_interval: minutes }: Task): string {
  return isOn ? intervalWords(minutes) : 'when asked';
}

const LINES = [1, 2, 3];

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm">
      {LINES.map((line) => (
        <Skeleton key={line} h={64} />
      ))}
    </Stack>
  );
}
