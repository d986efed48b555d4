import { Injectable } from '@nestjs/common';
import { FatalJobError } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { isAppError } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { readingOf } from '../datasource.service.js';
import { type Datasource, decimalOf, type SourcePlace } from '../datasource.types.js';
import { DatasourceImporter, MAX_ATTEMPTS } from '../import/datasource-importer.js';
import { ImportLease } from '../import/import-lease.js';
import { UploadService } from '../upload/upload.service.js';
import { versionOf } from './fetch-history.js';
import { PlaceFetcher } from './place-fetcher.js';

type Fetch = JobPayloads['datasource.fetch'];

/** Fetches a file for a datasource that has rows, under the lease of its import, which goes on from there. What there is stays until that is done. */
@Injectable()
export class DatasourceFetcher extends JobProcessor<'datasource.fetch'> {
  override readonly job = 'datasource.fetch';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: ImportLease,
    private readonly places: PlaceFetcher,
    private readonly uploads: UploadService,
    private readonly importer: DatasourceImporter,
  ) {
    super();
  }

  override async run({ companyId, datasourceId }: Fetch, signal: AbortSignal): Promise<void> {
    const seen = await this.datasources.find(companyId, datasourceId);
    const datasource = seen?.refetch?.isPending === true ? await this.leases.take(seen) : null;
    if (datasource?.place == null) return;
    if (datasource.import.attempts > MAX_ATTEMPTS) throw new FatalJobError('the fetch was interrupted too often');
    try {
      const fetched = await this.fetched(datasource, datasource.place, signal);
      if (fetched !== null) await this.leases.askForImport(fetched);
    } catch (error) {
      // What is away now may be back in a moment; anything else is wrong with the place, and is so then too.
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      throw new FatalJobError(error.message, { cause: error });
    }
  }

  /** As of an import: what there was before stays. */
  override giveUp(payload: Fetch, error: Error): Promise<void> {
    return this.importer.giveUp(payload, error);
  }

  /** The datasource with its new file, which waits for its import; null when there is none, or the lease was lost. */
  private async fetched(datasource: Datasource, sealed: SourcePlace, signal: AbortSignal): Promise<Datasource | null> {
    const { companyId, createdBy: userId, id: replaced, placeFiles, config } = datasource;
    using lease = this.leases.keep(datasource, signal);
    lease.progress({ percent: null, rows: 0, bytes: 0 });
    const received = await this.places.fetchChanged({ companyId, userId }, await this.places.open(companyId, sealed), {
      signal: lease.signal,
      onBytes: (bytes) => {
        lease.progress({ percent: null, rows: 0, bytes });
      },
      replaced,
      version: versionOf(datasource),
      usualDecimal: decimalOf(datasource.sources),
    });
    if (received === null) {
      await this.leases.unchanged(datasource);
      return null;
    }
    const { storageKey, place } = received.upload;
    try {
      const reading = readingOf(received, placeFiles, config);
      // The datasource's alone before that names it: an upload that was taken for nothing is swept with its file.
      await this.uploads.take(companyId, storageKey);
      return await this.leases.fetched(datasource, reading, place?.version ?? null);
    } catch (error) {
      await this.uploads.delete({ companyId }, storageKey).catch(() => undefined);
      throw error;
    }
  }
}
