import { Injectable } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { LeaseKeeper } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { isAppError } from '../../../shared/app-error.js';
import { turnAfter } from '../../../shared/planned-turns.js';
import { EvaluationFacade } from './evaluation.facade.js';
import { EvaluationRepository } from './evaluation.repository.js';
import type { EvaluationSchedule } from './evaluation.schema.js';

/** Starts evaluations whose turn has come, and puts to work those that nobody works on: cut off, or ordered by the command line. */
@Injectable()
export class EvaluationReconciler extends Reconciler {
  protected override readonly failure = 'evaluations could not be looked up';

  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly records: EvaluationFacade,
    private readonly leases: LeaseKeeper,
    private readonly jobs: JobQueue,
    protected override readonly log: Log,
  ) {
    super();
  }

  /** Somebody at a command line waits for it. */
  @Interval(2_000)
  soon(): Promise<void> {
    return this.tick();
  }

  override async reconcile(): Promise<void> {
    for (const schedule of await this.evaluations.allDue(this.leases.now())) await this.take(schedule);
    for (const run of await this.evaluations.allUnended()) {
      if (!this.leases.isAbandoned(run)) continue;
      const { companyId, id } = run;
      await this.jobs.enqueue('evaluation.run', id, { companyId, runId: id });
    }
  }

  /** Claimed by compare-and-set. A turn that finds nothing to ask, or one still running, is passed over. */
  private async take(schedule: EvaluationSchedule): Promise<void> {
    const { companyId, datasourceId, nextRunAt, interval } = schedule;
    if (nextRunAt === null) return;
    const next = turnAfter(this.leases.now(), nextRunAt, interval);
    if ((await this.evaluations.swapSchedule(schedule, { nextRunAt }, { nextRunAt: next })) === null) return;
    const order = { companyId, datasourceId, trigger: 'schedule', models: [null], semantics: null } as const;
    await this.records.start(order).catch((error: unknown) => {
      if (!isAppError(error, 'conflict')) throw error;
    });
  }
}
