import { Injectable } from '@nestjs/common';
import type { PlotSeries } from '../../ports/row-reader.js';
import type { QueryResult } from '../../ports/table.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { type PlotRequest, RowsService } from './data/rows.service.js';
import { QueryService, type QueryRequest } from './data/query.service.js';
import type { TableSemantics } from '../../ports/table-semantics.js';
import { DatasourceFacade } from './datasource.facade.js';
import { DatasourceService } from './datasource.service.js';
import type { Datasource } from './datasource.types.js';
import type { WrittenSemantics } from './semantics/semantics-check.js';
import { SemanticsService } from './semantics/semantics.service.js';

export { SemanticsBody, writtenFrom } from './semantics/semantics.wire.js';
export type { WrittenSemantics } from './semantics/semantics-check.js';
export { plotView } from './data/rows.wire.js';
export type { Datasource } from './datasource.types.js';

/** What the API lets somebody read of datasources, for another door to it. */
@Injectable()
export class DatasourceReading {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly known: DatasourceFacade,
    private readonly rows: RowsService,
    private readonly queries: QueryService,
    private readonly semantics: SemanticsService,
  ) {}

  /** Newest first; with `search`, those whose name has that text. */
  list(by: Principal, page: Page, search = ''): Promise<PageOf<Datasource>> {
    return this.datasources.list(by, page, search);
  }

  /** With a profile of the rows as they are now. @throws AppError `not_found` */
  async describe(by: Principal, id: DatasourceId): Promise<Datasource> {
    await this.known.refreshed(by.companyId, id);
    return this.datasources.get(by, id);
  }

  /** @throws AppError `not_found` */
  get(by: Principal, id: DatasourceId): Promise<Datasource> {
    return this.datasources.get(by, id);
  }

  /** A description as it would be kept; nothing is kept. @throws AppError `invalid_input`, or `conflict` without rows. */
  checkedSemantics(by: Principal, id: DatasourceId, semantics: WrittenSemantics): Promise<TableSemantics> {
    return this.semantics.checked(by, id, semantics);
  }

  plot(by: Principal, request: PlotRequest): Promise<PlotSeries> {
    return this.rows.plot(by, request);
  }

  query(by: Principal, request: QueryRequest): Promise<QueryResult> {
    return this.queries.query(by, request);
  }
}
