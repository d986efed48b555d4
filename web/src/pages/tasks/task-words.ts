import { LOCALE } from '../../shared/language.js';
import { type WeeklyTime, weeklyWords } from '../../ui/weekly-time.js';
import type { Condition, Task } from './tasks.queries.js';
import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, plural, t } from '@lingui/core/macro';

/** `every 15 minutes`, `every 2 hours`, `every day`. */
export function intervalWords(minutes: number): string {
  if (minutes === 1440) return t`every day`;
  if (minutes % 60 === 0) return plural(minutes / 60, { one: 'every hour', other: 'every # hours' });
  return plural(minutes, { one: 'every minute', other: 'every # minutes' });
}

/** When something runs by itself: `every 2 hours`, `every weekday at 08:00, Europe/Berlin`. */
export function rhythmWords(minutes: number, at: WeeklyTime | null): string {
  return at === null ? intervalWords(minutes) : weeklyWords(at);
}

export const AGGREGATES = {
  avg: msg`average`,
  sum: msg`total`,
  min: msg`lowest value`,
  max: msg`highest value`,
  median: msg`median`,
  count: msg`number of rows`,
} as const;

export function conditionWords(condition: Condition): string {
  if (condition.type === 'always') return t`every time`;
  if (condition.type === 'new_data') return t`when rows have changed`;
  const { aggregate = 'count', column, operator = '>', value = 0 } = condition;
  const figure = Object.entries(AGGREGATES).find(([name]) => name === aggregate)?.[1] ?? AGGREGATES.count;
  const limit = `${operator} ${value.toLocaleString(LOCALE)}`;
  return column == null ? t`when ${i18n._(figure)} ${limit}` : t`when ${i18n._(figure)} of ${column} ${limit}`;
}

export const TASK_STATES = {
  ready: { label: msg`Ready`, color: 'teal' },
  running: { label: msg`Running`, color: 'accent' },
  error: { label: msg`Failed`, color: 'red' },
} as const satisfies Record<Task['status'], { label: MessageDescriptor; color: string }>;

export const RUN_STATES = {
  running: { label: msg`Running`, color: 'accent' },
  done: { label: msg`Done`, color: 'teal' },
  error: { label: msg`Failed`, color: 'red' },
  stopped: { label: msg`Stopped`, color: 'yellow' },
  skipped: { label: msg`Skipped`, color: 'gray' },
} as const;
