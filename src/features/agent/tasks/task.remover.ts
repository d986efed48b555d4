import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { RunRemover } from '../run/run-remover.js';
import { TaskRepository } from './task.repository.js';
import type { AgentTask } from './task.types.js';

/** Removes what belongs to deleted tasks, and their records last, so that an interrupted removal is found again. */
@Injectable()
export class TaskRemover implements OnApplicationBootstrap {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRemover,
    private readonly jobs: JobQueue,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  async tick(): Promise<void> {
    try {
      for (const task of await this.tasks.allDeleted()) await this.remove(task);
    } catch (error) {
      this.log.warn('deleted tasks could not be looked up; the next turn tries again', { reason: messageOf(error) });
    }
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
