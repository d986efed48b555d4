import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { Clock } from '../../../ports/clock.js';
import { RowReader } from '../../../ports/row-reader.js';
import type { QueryResult } from '../../../ports/table.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { hasNoRows, isUpdating } from '../datasource.errors.js';
import { DatasourceService } from '../datasource.service.js';
import { visibleTable } from '../visible-table.js';

/** What a person or a program asks in SQL, of the table `data`. */
export interface QueryRequest {
  readonly datasourceId: DatasourceId;
  readonly statement: string;
  readonly maxRows: number;
}

@Injectable()
export class QueryService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly rows: RowReader,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** The old rows until a running import is complete. @throws AppError `conflict` before the first is. */
  async query(by: Principal, { datasourceId, statement, maxRows }: QueryRequest): Promise<QueryResult> {
    const datasource = await this.datasources.get(by, datasourceId);
    const table = visibleTable(datasource, this.clock.now());
    if (table === null) throw datasource.updating ? isUpdating() : hasNoRows();
    return this.rows.query(table, statement, { maxRows, timeoutMs: this.config.limits.queryTimeoutMs });
  }
}
