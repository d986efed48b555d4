import type { Condition, Task } from './tasks.queries.js';

/** `every 15 minutes`, `every 2 hours`, `every day`. */
export function intervalWords(minutes: number): string {
  if (minutes === 1440) return 'every day';
  if (minutes % 60 === 0) return minutes === 60 ? 'every hour' : `every ${String(minutes / 60)} hours`;
  return minutes === 1 ? 'every minute' : `every ${String(minutes)} minutes`;
}

export function conditionWords(condition: Condition): string {
  if (condition.type === 'always') return 'every time';
  if (condition.type === 'new_data') return 'when rows have changed';
  const { aggregate = 'count', column, operator = '>', value = 0 } = condition;
  const subject = column == null ? 'the number of rows' : `${aggregate} of ${column}`;
  return `when ${subject} ${operator} ${String(value)}`;
}

export const TASK_STATES = {
  ready: { label: 'Ready', color: 'teal' },
  running: { label: 'Running', color: 'accent' },
  error: { label: 'Failed', color: 'red' },
} as const satisfies Record<Task['status'], { label: string; color: string }>;

export const RUN_STATES = {
  running: { label: 'Running', color: 'accent' },
  done: { label: 'Done', color: 'teal' },
  error: { label: 'Failed', color: 'red' },
  stopped: { label: 'Stopped', color: 'yellow' },
  skipped: { label: 'Skipped', color: 'gray' },
} as const;
