import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../config/app-config.js';
import { Clock } from '../../../ports/clock.js';
import { type ResultPage, RowDownloads } from '../../../ports/row-downloads.js';
import { RowReader } from '../../../ports/row-reader.js';
import type { QueryResult, TableRef } from '../../../ports/table.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { hasNoRows, isUpdating } from '../datasource.errors.js';
import { DatasourceService } from '../datasource.service.js';
import { type Download, endedBy } from '../downloads/downloads.service.js';
import { visibleTable } from '../visible-table.js';

/** What a person or a program asks in SQL, of the table `data`. */
export interface QueryRequest {
  readonly datasourceId: DatasourceId;
  readonly statement: string;
  readonly maxRows: number;
}

/** A part of what a statement gives. */
export interface PageRequest extends QueryRequest {
  /** Rows before it. */
  readonly skip: number;
}

@Injectable()
export class QueryService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly rows: RowReader,
    private readonly downloads: RowDownloads,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** The old rows until a running import is complete. @throws AppError `conflict` before the first is. */
  async query(by: Principal, { datasourceId, statement, maxRows }: QueryRequest): Promise<QueryResult> {
    const { table } = await this.readable(by, datasourceId);
    return this.rows.query(table, statement, { maxRows, timeoutMs: this.config.limits.queryTimeoutMs });
  }

  /** A page of the result on the rows as they are now. @throws AppError `conflict` as `query`. */
  async page(
    by: Principal,
    { datasourceId, statement, skip, maxRows }: PageRequest,
    signal: AbortSignal,
  ): Promise<ResultPage> {
    const { table } = await this.readable(by, datasourceId);
    const { queryTimeoutMs: timeoutMs } = this.config.limits;
    return this.downloads.resultPage(table, statement, { skip, maxRows, timeoutMs, signal });
  }

  /** The whole result on the rows as they are now. @throws AppError `conflict` as `query`, `rate_limited`. */
  async csv(
    by: Principal,
    { datasourceId, statement }: Omit<QueryRequest, 'maxRows'>,
    signal: AbortSignal,
  ): Promise<Download> {
    const { table, name } = await this.readable(by, datasourceId);
    return { name, text: endedBy(signal, await this.downloads.resultCsv(table, statement, signal)) };
  }

  private async readable(
    by: Principal,
    id: DatasourceId,
  ): Promise<{ readonly table: TableRef; readonly name: string }> {
    const datasource = await this.datasources.get(by, id);
    const table = visibleTable(datasource, this.clock.now());
    if (table === null) throw datasource.updating ? isUpdating() : hasNoRows();
    return { table, name: datasource.name };
  }
}
