import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { DatasourceCompactor } from './datasource-compactor.js';

type Compaction = JobPayloads['datasource.compact'];

@Injectable()
export class DatasourceCompactProcessor extends JobProcessor<'datasource.compact'> {
  override readonly job = 'datasource.compact';

  constructor(
    private readonly compactor: DatasourceCompactor,
    private readonly log: Log,
  ) {
    super();
  }

  override run(payload: Compaction, signal: AbortSignal): Promise<void> {
    return this.compactor.run(payload, signal);
  }

  /** The rows are all there; the next insertions ask again. */
  override giveUp({ datasourceId }: Compaction, error: Error): Promise<void> {
    this.log.warn('the rows of a datasource could not be compacted', { datasourceId, reason: error.message });
    return Promise.resolve();
  }
}
