import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import { NO_LEASE } from '../../queue/lease-keeper.js';
import { hasRole } from '../../shared/principal.js';
import { Bin } from '../bin/bin.facade.js';
import { datasourceEvent } from './datasource-event.js';
import { DatasourceRepository } from './datasource.repository.js';
import type { Datasource } from './datasource.types.js';

/** Background work on datasources, and what is told of it. */
@Injectable()
export class DatasourceWork implements OnModuleInit {
  constructor(
    private readonly jobs: JobQueue,
    private readonly events: EventStream,
    private readonly datasources: DatasourceRepository,
    private readonly bin: Bin,
  ) {}

  onModuleInit(): void {
    this.bin.holds({
      kind: 'datasource',
      things: this.datasources,
      nameOf: ({ name }) => name,
      deletableBy: ({ role, userId }) => Promise.resolve(hasRole(role, 'manager') ? {} : { createdBy: userId }),
      // One that was deleted while it was imported is imported anew, by the reconciler of imports.
      whenRestored: ({ import: state }) => ({ ...NO_LEASE, import: { ...state, attempts: 0 } }),
      remove: (datasource) => this.ask('datasource.remove', datasource),
    });
  }

  ask(
    job: 'datasource.fetch' | 'datasource.import' | 'datasource.remove',
    { companyId, id }: Datasource,
  ): Promise<void> {
    return this.jobs.enqueue(job, id, { companyId, datasourceId: id });
  }

  /** Neither fetch nor import goes on. */
  async cancel({ id }: Datasource): Promise<void> {
    await this.jobs.cancel('datasource.fetch', id);
    await this.jobs.cancel('datasource.import', id);
  }

  async end(deleted: Datasource, at: Date): Promise<void> {
    await this.cancel(deleted);
    if (deleted.restorableUntil === null) await this.ask('datasource.remove', deleted);
    this.events.publish(datasourceEvent(deleted, 'deleted', at));
  }
}
