import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import type { TaskId } from '../../../shared/ids.js';
import { hasRole, mayManage, type Principal } from '../../../shared/principal.js';
import { taskRunsTooShortly } from '../agent.errors.js';
import { TaskRepository } from './task.repository.js';
import { rhythmOf, type AgentTask } from './task.types.js';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { firstTurn } from '../../../shared/planned-turns.js';
import { Bin } from '../../bin/bin.facade.js';
import { RunRemover } from '../run/run-remover.js';

/** Removes what belongs to deleted tasks, and their records last, so that an interrupted removal is found again. */
@Injectable()
export class TaskRemover {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRemover,
    private readonly jobs: JobQueue,
    private readonly log: Log,
  ) {}

  /** Ends the run of what was just deleted, and removes it unless it is in the bin. */
  async end(deleted: AgentTask): Promise<void> {
    if (deleted.runId !== null) await this.jobs.cancel('agent.run', deleted.runId);
    if (deleted.restorableUntil === null) await this.remove(deleted);
  }

  /** Never rejects: nobody sees the task any more, and what could not be removed now is removed by the bin's next turn. */
  async remove(deleted: AgentTask): Promise<void> {
    try {
      await this.runs.removeAll(deleted.companyId, deleted.id);
      await this.tasks.removeDeleted(deleted);
    } catch (error) {
      this.log.warn('a deleted task could not be removed yet', { taskId: deleted.id, reason: messageOf(error) });
    }
  }
}

const PROTECTED_MS = 10 * 60_000;

/** Deletes tasks: their creator may, and managers. */
@Injectable()
export class TaskDeletion implements OnModuleInit {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly remover: TaskRemover,
    private readonly clock: Clock,
    private readonly bin: Bin,
  ) {}

  onModuleInit(): void {
    this.bin.holds({
      kind: 'task',
      things: this.tasks,
      nameOf: ({ name }) => name,
      deletableBy: ({ role, userId }) => Promise.resolve(hasRole(role, 'manager') ? {} : { createdBy: userId }),
      whenRestored: (task) => {
        const now = this.clock.now();
        return task.automationEnabled ? { nextRunAt: firstTurn(now, rhythmOf(task)), scheduledAt: now } : {};
      },
      remove: (task) => this.remover.remove(task),
    });
  }

  /**
   * Hides the task at once and ends its run. When it is `permanent`, its history and images are removed.
   *
   * @throws AppError `not_found`, `forbidden`, or `conflict` when its run began less than ten minutes ago.
   */
  async delete(by: Principal, id: TaskId, permanent: boolean): Promise<void> {
    for (;;) {
      const task = await this.tasks.get(by.companyId, id);
      if (!mayManage(by, task)) throw new AppError('forbidden', 'forbidden');
      const now = this.clock.now();
      assertDeletable(task, now);
      const { status, runId } = task;
      const deletion = { at: now, permanent };
      const deleted = await this.tasks.hide(task, { status, runId }, deletion, { nextRunAt: null });
      if (deleted !== null) return this.remover.end(deleted);
      // A run began or ended at this moment, so look again.
    }
  }
}

/** @throws AppError `conflict` */
export function assertDeletable({ status, lastRunAt }: Pick<AgentTask, 'status' | 'lastRunAt'>, now: Date): void {
  if (status !== 'running' || lastRunAt === null) return;
  if (now.getTime() - lastRunAt.getTime() <= PROTECTED_MS) throw taskRunsTooShortly();
}
