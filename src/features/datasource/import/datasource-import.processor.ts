import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { DatasourceImporter } from './datasource-importer.js';

type Import = JobPayloads['datasource.import'];

@Injectable()
export class DatasourceImportProcessor extends JobProcessor<'datasource.import'> {
  override readonly job = 'datasource.import';

  constructor(private readonly importer: DatasourceImporter) {
    super();
  }

  override run(payload: Import, signal: AbortSignal): Promise<void> {
    return this.importer.run(payload, signal);
  }

  override giveUp(payload: Import, error: Error): Promise<void> {
    return this.importer.giveUp(payload, error);
  }
}
