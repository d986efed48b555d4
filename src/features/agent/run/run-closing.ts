import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import type { Where, Change } from '../../../ports/document-store.js';
import type { TaskStep } from '../../../ports/task-step.js';
import type { CompanyId } from '../../../shared/ids.js';
import { TaskRepository } from '../tasks/task.repository.js';
import type { AgentTask } from '../tasks/task.types.js';
import { RunAnnouncer } from './run-announcer.js';
import { RunRecords } from './run-records.js';
import { RunRemover } from './run-remover.js';
import type { AgentRun, RunEnding } from './run.types.js';

/**
 * Ends runs. A run's own record is ended first, by compare-and-set: of a stop, an end and a failure at the same moment one counts.
 * The task then follows its run, and may be made to again.
 */
@Injectable()
export class RunClosing {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly records: RunRecords,
    private readonly remover: RunRemover,
    private readonly announcer: RunAnnouncer,
    private readonly clock: Clock,
  ) {}

  /** False when the run was not as expected any more: somebody else ended it. */
  async close(run: AgentRun, expected: Where<AgentRun>, ending: RunEnding): Promise<boolean> {
    const ended = await this.records.end(run, expected, ending);
    if (ended === null) return false;
    await this.settle(ended);
    return true;
  }

  /** Makes the task of an ended run ready, or shows its error. Nothing happens when that was done. */
  async settle(run: AgentRun): Promise<void> {
    const settled = await this.settledTask(run);
    if (settled === null) return;
    this.tellEnd(settled, run);
    await this.announcer.announce(settled, run);
    await this.remover.prune(run.companyId, run.taskId);
  }

  /** Removes the images of steps that nobody will see. */
  forget(companyId: CompanyId, steps: readonly TaskStep[]): Promise<void> {
    return this.remover.removeImages(companyId, steps);
  }

  private async settledTask(run: AgentRun): Promise<AgentTask | null> {
    for (;;) {
      const task = await this.tasks.find(run.companyId, run.taskId);
      if (task?.status !== 'running' || task.runId !== run.id) return null;
      const { runId, failuresInARow, automationEnabled, nextRunAt } = task;
      const settled = await this.tasks.swap(
        task,
        { status: 'running', runId, failuresInARow, automationEnabled, nextRunAt },
        settlementOf(task, run, this.clock.now()),
      );
      // Null: its schedule was changed at this moment, so look again.
      if (settled !== null) return settled;
    }
  }

  private tellEnd(task: AgentTask, run: AgentRun): void {
    const last = run.status === 'error' ? run.steps.at(-1) : undefined;
    if (last !== undefined) this.records.tell({ ...task, status: 'running' }, run.id, 'step', last);
    this.records.tell(task, run.id, 'updated');
  }
}

/** A schedule whose runs fail so often in a row pauses itself. */
const MOST_FAILURES = 5;

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
