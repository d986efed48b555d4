import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { RowReader, type MetadataValues } from '../../../ports/row-reader.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Page } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceService } from '../datasource.service.js';
import { visibleTable } from '../visible-table.js';

export interface MetadataRequest {
  readonly datasourceId: DatasourceId;
  readonly search: string;
  readonly page: Page;
}

@Injectable()
export class MetadataService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly rows: RowReader,
    private readonly clock: Clock,
  ) {}

  /** Of the old rows until a running import is complete; none before the first is. */
  async list(by: Principal, { datasourceId, search, page }: MetadataRequest): Promise<MetadataValues> {
    const table = visibleTable(await this.datasources.get(by, datasourceId), this.clock.now());
    if (table === null) return { values: [], total: 0 };
    return this.rows.distinctMetadata(table, { search, skip: page.index * page.size, limit: page.size });
  }
}
