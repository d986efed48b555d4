import { Injectable } from '@nestjs/common';
import { withRoles } from '../../../plan/column-roles.js';
import { Clock } from '../../../ports/clock.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { RowReader } from '../../../ports/row-reader.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';

type Profile = JobPayloads['datasource.profile'];

/** Profiles of one company are made one after the other: each reads the whole table. */
const MOST_WAITING = 20;

/** Makes the profile of a datasource's rows anew and keeps it. Where that fails the old one stays; the next rows that come in ask for another. */
@Injectable()
export class ProfileBuilder extends JobProcessor<'datasource.profile'> {
  override readonly job = 'datasource.profile';
  private readonly turns = new KeyedSemaphore(1, MOST_WAITING);

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowReader,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async run({ companyId, datasourceId }: Profile): Promise<void> {
    const datasource = await this.datasources.find(companyId, datasourceId);
    if (datasource !== null) await this.rebuild(datasource);
  }

  /**
   * The datasource with a profile that knows of every row stored before the call. Null when there are no rows to describe, or others
   * have taken their place.
   *
   * @throws AppError `rate_limited` when too many of the company wait.
   */
  rebuild(of: Datasource): Promise<Datasource | null> {
    return this.turns.run(of.companyId, async () => {
      const seen = await this.datasources.find(of.companyId, of.id);
      const table = seen === null || seen.updating ? null : visibleTable(seen, this.clock.now());
      if (seen === null || table === null) return null;
      const profile = withRoles(await this.rows.profile(table), seen.profile);
      return this.datasources.changeRows(seen, { set: { profile } });
    });
  }
}
