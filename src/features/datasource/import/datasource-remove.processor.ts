import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { DatasourceRemover } from './datasource-remover.js';

type Removal = JobPayloads['datasource.remove'];

@Injectable()
export class DatasourceRemoveProcessor extends JobProcessor<'datasource.remove'> {
  override readonly job = 'datasource.remove';

  constructor(
    private readonly remover: DatasourceRemover,
    private readonly log: Log,
  ) {
    super();
  }

  override run({ companyId, datasourceId }: Removal): Promise<void> {
    return this.remover.run(companyId, datasourceId);
  }

  /** Nobody sees the datasource any more; the sweeper of the bin asks for its removal again. */
  override giveUp({ datasourceId }: Removal, error: Error): Promise<void> {
    this.log.error('a deleted datasource could not be removed yet', { datasourceId, reason: error.message });
    return Promise.resolve();
  }
}
