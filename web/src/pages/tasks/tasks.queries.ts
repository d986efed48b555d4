import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, call } from '../../app/client.js';
import type { Wire } from '../../shared/wire.js';

export type Task = Wire['TaskView'];
export type Run = Wire['RunView'];
export type Step = Wire['TaskStepView'];
export type Condition = Wire['ConditionView'];

export const TASKS_A_PAGE = 20;

export const taskKeys = {
  all: ['tasks'],
  list: (page: number) => ['tasks', 'list', page],
  task: (id: string) => ['tasks', 'one', id],
  history: (id: string) => ['tasks', 'history', id],
} as const;

/** The company's tasks, newest first. */
export function tasksQuery(page: number) {
  return queryOptions({
    queryKey: taskKeys.list(page),
    queryFn: ({ signal }) =>
      call(api.GET('/api/v1/secure/agent/tasks', { params: { query: { page, page_size: TASKS_A_PAGE } }, signal })),
    placeholderData: keepPreviousData,
  });
}

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: taskKeys.task(id),
    queryFn: async ({ signal }) =>
      (await call(api.GET('/api/v1/secure/agent/task/{task_id}', { params: { path: { task_id: id } }, signal }))).task,
  });
}

const RUNS = 10;

/** The task's runs, newest first. */
export function runsQuery(id: string) {
  return infiniteQueryOptions({
    queryKey: taskKeys.history(id),
    queryFn: ({ pageParam, signal }) =>
      call(
        api.GET('/api/v1/secure/agent/taskhistory/{task_id}', {
          params: { path: { task_id: id }, query: { page: pageParam, page_size: RUNS } },
          signal,
        }),
      ),
    initialPageParam: 0,
    getNextPageParam: ({ total }, pages) => (pages.length * RUNS < total ? pages.length : undefined),
  });
}
