import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EventStream } from '../../ports/event-stream.js';
import { JobQueue } from '../../ports/job-queue.js';
import type { JobName } from '../../ports/jobs.js';
import type { DatasourceEvent } from '../../ports/stream-event.js';
import { NO_LEASE } from '../../queue/lease-keeper.js';
import { manageableBy } from '../../shared/principal.js';
import { Bin } from '../bin/bin.facade.js';
import { DatasourceRepository } from './datasource.repository.js';
import type { Datasource } from './datasource.types.js';
import { sizeText } from './upload/size-text.js';

type DatasourceJob = Extract<JobName, `datasource.${string}`>;

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
      deletableBy: manageableBy,
      // One that was deleted while it was imported is imported anew, by the reconciler of imports.
      whenRestored: ({ import: state }) => ({ ...NO_LEASE, import: { ...state, attempts: 0 } }),
      remove: (datasource) => this.ask('datasource.remove', datasource),
    });
  }

  ask(job: DatasourceJob, { companyId, id }: Datasource): Promise<void> {
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
    this.tell(deleted, 'deleted', at);
  }

  /** What sockets hear of a datasource. */
  tell(datasource: Datasource, action: DatasourceEvent['action'], at: Date, message?: string): void {
    const { companyId, id, docCount, import: state } = datasource;
    this.events.publish({
      type: 'datasource-updated',
      companyId,
      datasourceId: id,
      action,
      percent: state.percent,
      rows: state.rows,
      docCount,
      rejected: state.rejected,
      message: message ?? MESSAGES[action](state),
      at,
    });
  }
}

const MESSAGES: Readonly<Record<DatasourceEvent['action'], (state: Datasource['import']) => string>> = {
  progress: ({ percent, rows, bytes }) =>
    bytes !== undefined
      ? `fetching, ${sizeText(bytes)} so far`
      : percent === null
        ? `importing, ${rows} rows so far`
        : `importing, ${Math.floor(percent)} %`,
  updated: ({ rows, rejected, added = null, replaced }) => {
    const done = added === null ? `${rows} rows imported` : `${added} rows added, ${replaced ?? 0} replaced`;
    return rejected === 0 ? done : `${done}, ${rejected} rejected`;
  },
  failed: ({ error }) => error ?? 'the import failed',
  deleted: () => 'the datasource was deleted',
};
