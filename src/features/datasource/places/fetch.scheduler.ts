import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { RowEngine } from '../../../ports/row-engine.js';
import { Reconciler } from '../../../queue/reconciler.js';
import { turnAfter } from '../../../shared/planned-turns.js';
import { DatasourceRepository } from '../datasource.repository.js';
import type { Datasource } from '../datasource.types.js';
import { PlaceFetcher } from './place-fetcher.js';
import { PlaceService } from './place.service.js';

/** Begins the fetches whose turn has come, of all companies, each claimed by compare-and-set. Turns missed meanwhile are one. */
@Injectable()
export class FetchScheduler extends Reconciler {
  protected override readonly failure = 'datasources could not be fetched at their turn';

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly service: PlaceService,
    private readonly rows: RowEngine,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    const now = this.clock.now();
    const due = { nextFetchAt: { lte: now }, updating: false, deletedAt: null };
    for (const datasource of await this.datasources.anywhere(due)) {
      const { nextFetchAt, fetchRhythm } = datasource;
      const next = fetchRhythm && nextFetchAt ? turnAfter(now, nextFetchAt, fetchRhythm) : null;
      await this.service.begin(datasource, next);
    }
    // Rows of an earlier generation, which nobody reads any more.
    const outdated = { oldRowsUntil: { lte: now }, deletedAt: null };
    for (const datasource of await this.datasources.anywhere(outdated)) await this.removeOld(datasource);
  }

  /** Nobody reads them any more. Somebody who fetches again at this moment says anew until when. */
  private async removeOld({ companyId, id, generation, oldRowsUntil }: Datasource): Promise<void> {
    await this.rows.remove(companyId, id, generation);
    await this.datasources.swap({ companyId, id }, { oldRowsUntil }, { oldRowsUntil: null });
  }
}

/** At every start: seals the secrets of places under the current key. */
@Injectable()
export class PlaceResealer extends Reconciler {
  protected override readonly failure = 'secrets of places could not be sealed under the current key';
  private isDone = false;

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly places: PlaceFetcher,
  ) {
    super();
  }

  override async reconcile(): Promise<void> {
    if (this.isDone) return;
    const fetched = this.datasources.anywhereInOrder({ place: { not: null } });
    for await (const datasource of fetched) await this.reseal(datasource);
    this.isDone = true;
  }

  private async reseal(seen: Datasource): Promise<void> {
    const { companyId, place: before, updatedAt } = seen;
    const place = before && (await this.places.resealed(companyId, before));
    if (place !== null) await this.datasources.swap(seen, { updatedAt }, { place });
  }
}
