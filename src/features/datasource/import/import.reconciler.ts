import { Injectable } from '@nestjs/common';
import { Log } from '../../../ports/log.js';
import { LeaseKeeper } from '../../../queue/lease-keeper.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { UPDATING } from '../datasource.types.js';
import { DatasourceWork } from '../datasource-work.js';

/** Puts back to work what nobody works on: fetches and imports that a queue or a process lost. */
@Injectable()
export class ImportReconciler extends Reconciler {
  protected override readonly failure = 'interrupted imports could not be looked up';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly leases: LeaseKeeper,
    private readonly work: DatasourceWork,
    protected override readonly log: Log,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    for (const datasource of await this.datasources.anywhere(UPDATING)) {
      if (!this.leases.isAbandoned(datasource)) continue;
      const isFetched = datasource.refetch?.isPending === true;
      await this.work.ask(isFetched ? 'datasource.fetch' : 'datasource.import', datasource);
    }
  }
}
