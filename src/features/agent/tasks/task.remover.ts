import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { messageOf } from '../../../shared/app-error.js';
import { RunRemover } from '../run/run-remover.js';
import { TaskRepository } from './task.repository.js';
import type { AgentTask } from './task.types.js';

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
