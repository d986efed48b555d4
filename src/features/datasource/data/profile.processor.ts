import { Injectable } from '@nestjs/common';
import type { JobPayloads } from '../../../ports/jobs.js';
import { Log } from '../../../ports/log.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { ProfileBuilder } from './profile-builder.js';

type Profile = JobPayloads['datasource.profile'];

@Injectable()
export class ProfileProcessor extends JobProcessor<'datasource.profile'> {
  override readonly job = 'datasource.profile';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly profiles: ProfileBuilder,
    private readonly log: Log,
  ) {
    super();
  }

  override async run({ companyId, datasourceId }: Profile): Promise<void> {
    const datasource = await this.datasources.find(companyId, datasourceId);
    if (datasource !== null) await this.profiles.rebuild(datasource);
  }

  /** The old profile stays; the next rows that come in ask for another. */
  override giveUp({ datasourceId }: Profile, error: Error): Promise<void> {
    this.log.warn('a profile could not be made', { datasourceId, reason: error.message });
    return Promise.resolve();
  }
}
