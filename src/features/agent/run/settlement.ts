import type { Change } from '../../../ports/document-store.js';
import type { AgentTask } from '../tasks/task.types.js';
import type { AgentRun } from './run.types.js';

/** A schedule whose runs fail so often in a row pauses itself. */
export const MOST_FAILURES = 5;

/** What the end of its run makes of a task. */
export function settlementOf(task: AgentTask, run: AgentRun, now: Date): NonNullable<Change<AgentTask>['set']> {
  return {
    status: run.status === 'error' ? 'error' : 'ready',
    seed: null,
    leaseOwner: null,
    leaseUntil: null,
    updatedAt: now,
    ...scheduleAfter(task, run),
  };
}

/** A stopped run says nothing about the schedule, nor does a person's run that failed. */
function scheduleAfter(task: AgentTask, run: AgentRun): Partial<AgentTask> {
  if (run.status === 'done') return { failuresInARow: 0, scheduleNote: null };
  if (run.status !== 'error' || run.trigger === 'manual') return {};
  const failuresInARow = task.failuresInARow + 1;
  if (failuresInARow < MOST_FAILURES || !task.automationEnabled) return { failuresInARow };
  return {
    failuresInARow,
    automationEnabled: false,
    nextRunAt: null,
    scheduleNote: `The schedule paused itself after ${failuresInARow} failed runs in a row. The last one: ${run.error ?? ''}`,
  };
}
