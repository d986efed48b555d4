import { Injectable } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import { datasourceEvent } from './datasource-event.js';
import type { Datasource } from './datasource.types.js';

/** Background work on datasources, and what is told of it. */
@Injectable()
export class DatasourceWork {
  constructor(
    private readonly jobs: JobQueue,
    private readonly events: EventStream,
  ) {}

  ask(job: 'datasource.import' | 'datasource.remove', { companyId, id }: Datasource): Promise<void> {
    return this.jobs.enqueue(job, id, { companyId, datasourceId: id });
  }

  async end(deleted: Datasource, at: Date): Promise<void> {
    await this.jobs.cancel('datasource.import', deleted.id);
    await this.ask('datasource.remove', deleted);
    this.events.publish(datasourceEvent(deleted, 'deleted', at));
  }
}
