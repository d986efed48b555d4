import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import {
  RowEngine,
  type LoadColumn,
  type LoadReport,
  type LoadSource,
  type LoadWatch,
} from '../../../ports/row-engine.js';
import { FatalJobError, reasonOf } from '../../../ports/job-queue.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import type { TableRef } from '../../../ports/table.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { isAppError } from '../../../shared/app-error.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { loadColumns } from '../datasource-config.js';
import { timeFormatsOf, type Datasource, unitsOf, withUnits } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';
import { UploadFiles } from '../upload/upload-files.js';
import { type ImportFiles, importing, openImport } from './import-files.js';
import { ImportLease, type KeptImport } from './import-lease.js';

type Import = JobPayloads['datasource.import'];

/** Beyond this a file is taken to be what brings the service down. */
export const MAX_ATTEMPTS = 5;
const UNFORESEEN = 'the import failed for a reason that is in the log';
/** Unpacking an archive takes about this part of the time, in percent. */
const UNPACK_SHARE = 20;

/** Makes an upload the rows of its datasource, all or nothing. May be called twice for the same; one call does it. */
@Injectable()
export class DatasourceImporter extends JobProcessor<'datasource.import'> {
  override readonly job = 'datasource.import';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: ImportLease,
    private readonly rows: RowEngine,
    private readonly uploads: UploadFiles,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run({ companyId, datasourceId }: Import, signal: AbortSignal): Promise<void> {
    const seen = await this.datasources.find(companyId, datasourceId);
    if (seen?.updating !== true || seen.refetch?.isPending === true) return;
    const datasource = await this.leases.take(seen);
    if (datasource === null) return;
    if (datasource.import.attempts > MAX_ATTEMPTS) {
      throw new FatalJobError('the import was interrupted too often: the file can not be read by this service');
    }
    const report = await this.load(datasource, signal);
    await this.publish(datasource, report);
  }

  /** The last word on an import that can't be done: a state with a reason, and nothing left behind. */
  override async giveUp({ companyId, datasourceId }: Import, error: Error): Promise<void> {
    const seen = await this.leases.abandoned(companyId, datasourceId);
    if (seen === null) return;
    const kept = keptRows(seen, this.clock.now());
    // Before the end is told: nobody would look for it afterwards.
    if (kept !== undefined) await this.rows.reopen(kept.table);
    const failed = await this.leases.fail(seen, reasonOf(error, UNFORESEEN));
    if (failed === null) return;
    await this.rows.remove(companyId, datasourceId, failed.generation);
    await this.uploads.remove(companyId, importing(seen).filename);
  }

  private async load(datasource: Datasource, signal: AbortSignal): Promise<LoadReport> {
    using lease = this.leases.keep(datasource, signal);
    try {
      await using files = await openImport(this.uploads, datasource, {
        signal: lease.signal,
        onProgress: (share) => {
          lease.progress({ percent: share * UNPACK_SHARE, rows: 0 });
        },
      });
      const report = await this.rows.load(nextTable(datasource), this.sourceOf(datasource, files), {
        signal: lease.signal,
        onProgress: progressOf(files, lease),
      });
      return files.completed(report);
    } catch (error) {
      // What is wrong with the file is wrong with it tomorrow too.
      if (isAppError(error, 'invalid_input')) throw new FatalJobError(error.message, { cause: error });
      throw error;
    }
  }

  private async publish(datasource: Datasource, report: LoadReport): Promise<void> {
    const { companyId, id } = datasource;
    const done = await this.leases.finish(datasource, report);
    if (done === null) {
      // Deleted at the moment the rows were published: the remover may have come before them, and nobody would look for them again. When
      // another instance took over instead, the rows are its own.
      if ((await this.datasources.find(companyId, id)) === null) await this.rows.remove(companyId, id);
      return;
    }
    // Who reads the rows before these reads on: they are removed a while later.
    const keepFrom = done.oldRowsUntil === null ? done.generation : done.generation - 1;
    await this.rows.remove(companyId, id, keepFrom);
    await this.uploads.remove(companyId, importing(datasource).filename);
  }

  private sourceOf(datasource: Datasource, { files, columns }: ImportFiles): LoadSource {
    const { config, append } = datasource;
    // A further file is no reason to add up dollars and euros.
    const units = unitsOf(datasource.sources);
    return {
      files: append === null ? files : files.map((file) => withUnits(file, units)),
      columns: loadColumns(config, append === null ? columns : columns.map(timesAsIn(datasource))),
      timeField: config.timeField,
      timeFormat: config.isTimeseries ? (append ?? config).timeFormat : null,
      importedAt: this.clock.now(),
      metaField: config.metaField,
      values: config.values,
      kept: keptRows(datasource, this.clock.now()),
    };
  }
}

/** Times of a further file that are not known as such are written as those of the datasource. */
function timesAsIn({ sources }: Datasource): (column: LoadColumn) => LoadColumn {
  const known = new Map(timeFormatsOf(sources));
  return (column) => (column.type === 'time' ? column : { ...column, timeFormat: known.get(column.name) });
}

function keptRows(datasource: Datasource, now: Date): LoadSource['kept'] {
  const table = visibleTable(datasource, now);
  const { append } = datasource;
  return append === null || table === null ? undefined : { table, keys: append.keys };
}

/** What comes after the unpacking goes on where it ended. */
function progressOf({ isArchive }: ImportFiles, lease: KeptImport): LoadWatch['onProgress'] {
  const before = isArchive ? UNPACK_SHARE : 0;
  return ({ percent, rows }) => {
    lease.progress({ percent: percent === null ? null : before + (percent * (100 - before)) / 100, rows });
  };
}

function nextTable({ companyId, id, generation }: Datasource): TableRef {
  return { companyId, datasourceId: id, generation: generation + 1, visibleFrom: null };
}
