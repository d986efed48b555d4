import { Injectable } from '@nestjs/common';
import { Sweeper } from '../../../queue/reconciler.js';
import type { JobPayloads } from '../../../ports/jobs.js';
import { RowEngine } from '../../../ports/row-engine.js';
import { JobProcessor } from '../../../queue/job-processor.js';
import { InsertLedger, isOutgrown } from '../data/insert-ledger.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';

type Compaction = JobPayloads['datasource.compact'];

/** Makes one of a datasource's rows and its later inserts, without what has outlived the lifespan, and counts anew what is left. The next insertions ask for what failed. */
@Injectable()
export class DatasourceCompactor extends JobProcessor<'datasource.compact'> {
  override readonly job = 'datasource.compact';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowEngine,
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
  ) {
    super();
  }

  override async run({ companyId, datasourceId }: Compaction, signal: AbortSignal): Promise<void> {
    const seen = await this.datasources.find(companyId, datasourceId);
    if (seen === null || !(await this.compacted(seen, signal))) return;
    const counted = await this.ledger.refresh(seen);
    if (counted !== null) await this.work.ask('datasource.profile', counted);
  }

  private async compacted(seen: Datasource, signal: AbortSignal): Promise<boolean> {
    const table = seen.updating ? null : this.ledger.tableNow(seen);
    if (table === null) return false;
    try {
      return await this.rows.compact(table, signal);
    } catch (error) {
      // An import or a deletion wins: there is nothing left to compact.
      const now = await this.datasources.find(seen.companyId, seen.id);
      if (now?.generation !== seen.generation) return false;
      throw error;
    }
  }
}

/** Rows outlive their lifespan without anybody doing anything: counts what is left, and has those that can't be seen any more leave the disk. */
@Injectable()
export class LifespanSweeper extends Sweeper {
  protected override readonly failure = 'the rows of a datasource could not be checked against its lifespan';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
  ) {
    super();
  }

  override async sweep(): Promise<void> {
    const withRows = { generation: { gt: 0 }, updating: false, deletedAt: null };
    for await (const datasource of this.datasources.anywhereInOrder(withRows))
      // One whose rows can't be read now must not keep the others waiting.
      if (datasource.config.lifespan > 0) await this.tried(() => this.age(datasource));
  }

  private async age(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.refresh(datasource);
    if (counted === null) return;
    if (isOutgrown(counted)) await this.work.ask('datasource.profile', counted);
    await this.work.ask('datasource.compact', counted);
  }
}
