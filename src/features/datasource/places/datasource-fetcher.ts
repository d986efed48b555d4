import { Injectable } from '@nestjs/common';
import { FatalJobError } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { LeaseKeeper, NO_LEASE } from '../../../queue/lease-keeper.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { isAppError } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { PENDING, readingOf } from '../datasource.service.js';
import type { Datasource, SourcePlace } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';
import { DatasourceImporter, MAX_ATTEMPTS } from '../import/datasource-importer.js';
import { ImportLease } from '../import/import-lease.js';
import { UploadService, type ReceivedUpload } from '../upload/upload.service.js';
import { versionOf } from './fetch-history.js';
import { PlaceFetcher } from './place-fetcher.js';

type Fetch = JobPayloads['datasource.fetch'];

/** Fetches a file for a datasource that has rows, under the lease of its import, which goes on from there. What there is stays until that is done. */
@Injectable()
export class DatasourceFetcher {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: ImportLease,
    private readonly places: PlaceFetcher,
    private readonly uploads: UploadService,
    private readonly keeper: LeaseKeeper,
  ) {}

  /** The datasource with its new file, which waits for its import; null when there is nothing to do, or somebody else does it. */
  async run({ companyId, datasourceId }: Fetch, signal: AbortSignal): Promise<Datasource | null> {
    const seen = await this.datasources.find(companyId, datasourceId);
    const datasource = seen?.refetch?.isPending === true ? await this.leases.take(seen) : null;
    const place = datasource?.place ?? null;
    if (datasource === null || place === null) return null;
    if (datasource.import.attempts > MAX_ATTEMPTS) throw new FatalJobError('the fetch was interrupted too often');
    try {
      return await this.fetched(datasource, place, signal);
    } catch (error) {
      // What is away now may be back in a moment; anything else is wrong with the place, and is so then too.
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      throw new FatalJobError(error.message, { cause: error });
    }
  }

  private async fetched(datasource: Datasource, sealed: SourcePlace, signal: AbortSignal): Promise<Datasource | null> {
    const { companyId, createdBy: userId, id: replaced } = datasource;
    using lease = this.leases.keep(datasource, signal);
    lease.progress({ percent: null, rows: 0, bytes: 0 });
    const received = await this.places.fetchChanged({ companyId, userId }, await this.places.open(companyId, sealed), {
      signal: lease.signal,
      onBytes: (bytes) => {
        lease.progress({ percent: null, rows: 0, bytes });
      },
      replaced,
      version: versionOf(datasource),
    });
    if (received === null) {
      await this.leases.unchanged(datasource);
      return null;
    }
    const { storageKey } = received.upload;
    try {
      const stored = await this.store(datasource, received);
      if (stored === null) await this.uploads.delete({ companyId }, storageKey).catch(() => undefined);
      return stored;
    } catch (error) {
      await this.uploads.delete({ companyId }, storageKey);
      throw error;
    }
  }

  /** The upload is the datasource's alone before that names it: an upload that was taken for nothing is swept with its file. */
  private async store(datasource: Datasource, received: ReceivedUpload): Promise<Datasource | null> {
    const { companyId, id, placeFiles = [] } = datasource;
    const { filename, ...reading } = readingOf(received, placeFiles, datasource.config);
    await this.uploads.take(companyId, filename);
    for (;;) {
      const now = await this.datasources.find(companyId, id);
      const refetch = now?.refetch ?? null;
      if (now?.leaseOwner !== this.keeper.owner || refetch === null) return null;
      const { leaseOwner, updatedAt } = now;
      // Null: somebody else has changed it at this moment.
      const stored = await this.datasources.swap(
        now,
        { updatedAt, leaseOwner, deletedAt: null },
        {
          ...reading,
          filename,
          // Its context may have been edited meanwhile.
          config: { ...reading.config, context: now.config.context },
          refetch: { ...refetch, isPending: false, version: received.upload.place?.version ?? null },
          import: PENDING,
          ...NO_LEASE,
        },
      );
      if (stored !== null) return stored;
    }
  }
}

@Injectable()
export class DatasourceFetchProcessor extends JobProcessor<'datasource.fetch'> {
  override readonly job = 'datasource.fetch';

  constructor(
    private readonly fetcher: DatasourceFetcher,
    private readonly importer: DatasourceImporter,
    private readonly work: DatasourceWork,
  ) {
    super();
  }

  override async run(payload: Fetch, signal: AbortSignal): Promise<void> {
    const fetched = await this.fetcher.run(payload, signal);
    if (fetched !== null) await this.work.ask('datasource.import', fetched);
  }

  /** As of an import: what there was before stays. */
  override giveUp(payload: Fetch, error: Error): Promise<void> {
    return this.importer.giveUp(payload, error);
  }
}
