import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { JobQueue } from '../../../ports/job-queue.js';
import { Log } from '../../../ports/log.js';
import { messageOf } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { ImportLease } from './import-lease.js';

/** Puts back to work what nobody works on: imports and removals that a queue or a process lost. */
@Injectable()
export class ImportReconciler implements OnApplicationBootstrap {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: ImportLease,
    private readonly jobs: JobQueue,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): Promise<void> {
    return this.tick();
  }

  @Interval(30_000)
  async tick(): Promise<void> {
    await this.reconcile().catch((error: unknown) => {
      this.log.warn('interrupted imports could not be looked up; the next turn tries again', {
        reason: messageOf(error),
      });
    });
  }

  async reconcile(): Promise<void> {
    for (const datasource of await this.datasources.allUpdating()) {
      if (!this.leases.isAbandoned(datasource)) continue;
      const { companyId, id } = datasource;
      await this.jobs.enqueue('datasource.import', id, { companyId, datasourceId: id });
    }
    for (const { companyId, id } of await this.datasources.allDeleted()) {
      await this.jobs.enqueue('datasource.remove', id, { companyId, datasourceId: id });
    }
  }
}
