import { Injectable } from '@nestjs/common';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { LeaseKeeper } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { TaskRepository } from '../tasks/task.repository.js';
import { RunAnnouncer } from './run-announcer.js';

/** Puts back to work the runs that nobody works on, and tells what was not told. */
@Injectable()
export class RunReconciler extends Reconciler {
  protected override readonly failure = 'interrupted runs could not be looked up';

  constructor(
    private readonly tasks: TaskRepository,
    private readonly leases: LeaseKeeper,
    private readonly announcer: RunAnnouncer,
    private readonly jobs: JobQueue,
    protected override readonly log: Log,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const task of await this.tasks.allRunning()) {
      if (task.runId === null || !this.leases.isAbandoned(task)) continue;
      const { companyId, id, runId } = task;
      await this.jobs.enqueue('agent.run', runId, { companyId, taskId: id, runId });
    }
    await this.announcer.announceForgotten(this.leases.now());
  }
}
