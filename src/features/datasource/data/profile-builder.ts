import { Injectable } from '@nestjs/common';
import { withRoles } from '../../../plan/column-roles.js';
import { Clock } from '../../../ports/clock.js';
import { RowReader } from '../../../ports/row-reader.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { visibleTable } from '../visible-table.js';
import { KeyedSemaphore } from '../../../shared/keyed-semaphore.js';

/** Profiles of one company are made one after the other: each reads the whole table. */
const MOST_WAITING = 20;

/** Makes the profile of a datasource's rows anew and keeps it. */
@Injectable()
export class ProfileBuilder {
  private readonly turns = new KeyedSemaphore(1, MOST_WAITING);

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowReader,
    private readonly clock: Clock,
  ) {}

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
      return this.datasources.storeProfile(seen, withRoles(await this.rows.profile(table), seen.profile));
    });
  }
}
