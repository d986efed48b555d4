import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { RowEngine } from '../../../ports/row-engine.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UploadFiles } from '../upload/upload-files.js';

/** Removes what hangs on a datasource; it may be called again until it succeeds. */
export type RemoveDependents = (companyId: CompanyId, datasourceId: DatasourceId) => Promise<void>;

type Removal = JobPayloads['datasource.remove'];

/** Removes a deleted datasource's rows, file and dependents, and its record last, so that an interrupted removal is found again by the sweeper of the bin. */
@Injectable()
export class DatasourceRemover extends JobProcessor<'datasource.remove'> {
  override readonly job = 'datasource.remove';
  private readonly dependents: RemoveDependents[] = [];

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowEngine,
    private readonly uploads: UploadFiles,
  ) {
    super();
  }

  /** Whoever keeps something of datasources says how it goes. */
  alsoRemove(dependents: RemoveDependents): void {
    this.dependents.push(dependents);
  }

  override async run({ companyId, datasourceId }: Removal): Promise<void> {
    const datasource = await this.datasources.findDeleted(companyId, datasourceId);
    if (datasource === null) return;
    for (const remove of this.dependents) await remove(companyId, datasourceId);
    await this.rows.remove(companyId, datasourceId);
    for (const filename of [datasource.filename, datasource.append?.filename])
      if (filename !== undefined) await this.uploads.remove(companyId, filename);
    await this.datasources.removeDeleted(datasource);
  }
}
