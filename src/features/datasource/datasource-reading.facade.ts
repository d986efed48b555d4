import { Injectable } from '@nestjs/common';
import type { DatasourceId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { QueryService } from './data/query.service.js';
import { RowsService } from './data/rows.service.js';
import { DatasourceFacade } from './datasource.facade.js';
import { DatasourceService } from './datasource.service.js';
import type { Datasource } from './datasource.types.js';
import { SemanticsService } from './semantics/semantics.service.js';

export { SemanticsBody, writtenFrom } from './semantics/semantics.wire.js';
export type { WrittenSemantics } from './semantics/semantics.service.js';
export { plotView } from './data/rows.wire.js';
export type { Datasource } from './datasource.types.js';

/** What the API's own controllers stand on, for another door to it. */
@Injectable()
export class DatasourceReading {
  constructor(
    readonly datasources: DatasourceService,
    readonly rows: RowsService,
    readonly queries: QueryService,
    readonly semantics: SemanticsService,
    private readonly known: DatasourceFacade,
  ) {}

  /** With a profile of the rows as they are now. @throws AppError `not_found` */
  async describe(by: Principal, id: DatasourceId): Promise<Datasource> {
    await this.known.refreshed(by.companyId, id);
    return this.datasources.get(by, id);
  }
}
