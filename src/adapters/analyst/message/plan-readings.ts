import { distinct } from '../statistics/asked.js';
import type { Constraints } from '../statistics/script.js';
import type { Understanding } from './understanding.js';

/** Whether a text was understood as a question with a plan. */
export function isPlan(read: Understanding | 'defined'): read is Understanding & { kind: 'plan' } {
  return read !== 'defined' && read.kind === 'plan';
}

/** A plan of the table's grammar with the conditions that hold for it. */
export function withFilters(read: Understanding & { kind: 'plan' }, { filters }: Constraints): Understanding {
  if (filters.length === 0) return read;
  const plan = { ...read.plan, filters: distinct([...filters, ...read.plan.filters]) };
  return { ...read, plan };
}
