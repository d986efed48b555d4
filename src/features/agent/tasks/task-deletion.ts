import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { AppError, messageOf } from '../../../shared/app-error.js';
import type { TaskId } from '../../../shared/ids.js';
import { hasRole, type Principal } from '../../../shared/principal.js';
import { noSuchTask, taskRunsTooShortly } from '../agent.errors.js';
import { TaskRepository } from './task.repository.js';
import type { AgentTask } from './task.types.js';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { RunRemover } from '../run/run-remover.js';

/** Removes what belongs to deleted tasks, and their records last, so that an interrupted removal is found again. */
@Injectable()
export class TaskRemover extends Reconciler {
  protected override readonly failure = 'deleted tasks could not be looked up';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRemover,
    private readonly jobs: JobQueue,
    protected override readonly log: Log,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const task of await this.tasks.allDeleted()) await this.remove(task);
  }

  /** Never rejects: nobody sees the task any more, and what could not be removed now is removed by the next turn. */
  async remove(deleted: AgentTask): Promise<void> {
    try {
      if (deleted.runId !== null) await this.jobs.cancel('agent.run', deleted.runId);
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
export class TaskDeletion {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly remover: TaskRemover,
    private readonly clock: Clock,
  ) {}

  /**
   * Hides the task at once, ends its run, and removes its history and images.
   *
   * @throws AppError `not_found`, `forbidden`, or `conflict` when its run began less than ten minutes ago.
   */
  async delete(by: Principal, id: TaskId): Promise<void> {
    for (;;) {
      const task = await this.tasks.find(by.companyId, id);
      if (task === null) throw noSuchTask();
      if (task.createdBy !== by.userId && !hasRole(by.role, 'manager')) throw new AppError('forbidden', 'forbidden');
      const now = this.clock.now();
      assertDeletable(task, now);
      const { status, runId } = task;
      const deleted = await this.tasks.swap(
        task,
        { status, runId },
        { deletedAt: now, nextRunAt: null, updatedAt: now },
      );
      if (deleted !== null) {
        await this.remover.remove(deleted);
        return;
      }
      // A run began or ended at this moment, so look again.
    }
  }
}

/** @throws AppError `conflict` */
export function assertDeletable({ status, lastRunAt }: Pick<AgentTask, 'status' | 'lastRunAt'>, now: Date): void {
  if (status !== 'running' || lastRunAt === null) return;
  if (now.getTime() - lastRunAt.getTime() <= PROTECTED_MS) throw taskRunsTooShortly();
}
