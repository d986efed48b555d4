import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { RunAnnouncer } from './run-announcer.js';
import { RunLeases } from './run-leases.js';

/** Puts back to work the runs that nobody works on, and tells what was not told. */
@Injectable()
export class RunReconciler implements OnApplicationBootstrap {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly leases: RunLeases,
    private readonly announcer: RunAnnouncer,
    private readonly jobs: JobQueue,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  async tick(): Promise<void> {
    await this.reconcile().catch((error: unknown) => {
      this.log.warn('interrupted runs could not be looked up; the next turn tries again', { reason: messageOf(error) });
    });
  }

  async reconcile(): Promise<void> {
    for (const task of await this.tasks.allRunning()) {
      if (task.runId === null || !this.leases.isAbandoned(task)) continue;
      const { companyId, id, runId } = task;
      await this.jobs.enqueue('agent.run', runId, { companyId, taskId: id, runId });
    }
    await this.announcer.announceForgotten();
  }
}
