import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { Reconciler } from '../../../queue/reconciler.js';
import type { Datasource } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';
import { InsertLedger, isOutgrown } from './insert-ledger.js';

/** Counts the rows that came in while a process died, when nobody can be inserting them any more. */
@Injectable()
export class InsertReconciler extends Reconciler {
  protected override readonly failure = 'inserted rows could not be counted';

  constructor(
    private readonly ledger: InsertLedger,
    private readonly work: DatasourceWork,
    protected override readonly log: Log,
  ) {
    super();
  }

  override onApplicationBootstrap(): Promise<void> {
    return this.tried(() => this.reconcile(true));
  }

  override async reconcile(atStart = false): Promise<void> {
    for (const datasource of await this.ledger.abandoned(atStart)) {
      // One whose rows can't be read now must not keep the others waiting.
      await this.tried(() => this.recount(datasource));
    }
  }

  private async recount(datasource: Datasource): Promise<void> {
    const counted = await this.ledger.recount(datasource);
    if (counted !== null && isOutgrown(counted)) await this.work.ask('datasource.profile', counted);
  }
}
