import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../../answering/given-plan.js';
import { profileFor } from '../../../plan/joined-profile.js';
import { AppConfig } from '../../../config/app-config.js';
import type { AggregatePlan, Filter, RowsPlan } from '../../../ports/analysis-plan.js';
import { type FileFormat, type ResultPage, RowDownloads } from '../../../ports/row-downloads.js';
import { RowReader } from '../../../ports/row-reader.js';
import { isNumeric, type QueryResult, type TableProfile, type TableRef } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { plainNumber } from '../../../shared/number-notation.js';
import type { Principal } from '../../../shared/principal.js';
import { hasNoRows } from '../datasource.errors.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { type Download, endedBy } from '../downloads/downloads.service.js';
import { type JoinableDatasource, JoinableTables } from '../joinable-tables.facade.js';
import { noRowsYet } from '../visible-table.js';

/** What a person or a program asks in SQL, of the table `data`. */
export interface QueryRequest {
  readonly datasourceId: DatasourceId;
  readonly statement: string;
  readonly maxRows: number;
}

/** Which rows are listed, or grouped into figures: those that fit the plan and, unless it is empty, have the text somewhere. */
export interface Listing {
  readonly plan: RowsPlan | AggregatePlan;
  readonly search: string;
}

/** A whole result, of a statement or a list. */
export interface ResultRequest {
  /** The first is the table `data`; the others may be joined with it, along confirmed relations. */
  readonly datasourceIds: readonly DatasourceId[];
  readonly asked: string | Listing;
}

export type FileRequest = ResultRequest & { readonly format: FileFormat };
/** `skip`: rows before the page. */
export type PageRequest = ResultRequest & { readonly skip: number; readonly maxRows: number };

@Injectable()
export class QueryService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowReader,
    private readonly downloads: RowDownloads,
    private readonly tables: JoinableTables,
    private readonly config: AppConfig,
  ) {}

  /** The old rows until a running import is complete. @throws AppError `conflict` before the first is. */
  async query(by: Principal, { datasourceId, statement, maxRows }: QueryRequest): Promise<QueryResult> {
    const { table } = await this.readable(by, [datasourceId]);
    return this.rows.query(table, statement, { maxRows, timeoutMs: this.config.limits.queryTimeoutMs });
  }

  /** A page of the result on the rows as they are now. @throws AppError `conflict` as `query`. */
  async page(
    by: Principal,
    { datasourceIds, asked, skip, maxRows }: PageRequest,
    signal: AbortSignal,
  ): Promise<ResultPage> {
    const read = await this.readable(by, datasourceIds);
    const { queryTimeoutMs: timeoutMs } = this.config.limits;
    return this.downloads.resultPage(read.table, statementOrPlan(asked, read), { skip, maxRows, timeoutMs, signal });
  }

  /** The whole result on the rows as they are now. @throws AppError `conflict` as `query`, `rate_limited`. */
  async file(by: Principal, { datasourceIds, asked, format }: FileRequest, signal: AbortSignal): Promise<Download> {
    const read = await this.readable(by, datasourceIds);
    const text = await this.downloads.resultFile(read.table, statementOrPlan(asked, read), format, signal);
    return { name: read.name, text: endedBy(signal, text), format };
  }

  private async readable(by: Principal, ids: readonly DatasourceId[]): Promise<ReadableRows> {
    for (const id of ids) {
      const datasource = await this.datasources.get(by.companyId, id);
      if (datasource.generation === 0) throw noRowsYet(datasource);
    }
    const [main] = await this.tables.get(by.companyId, ids);
    if (main?.table == null) throw hasNoRows();
    return { ...main, table: main.table };
  }
}

type ReadableRows = JoinableDatasource & { readonly table: TableRef };

function statementOrPlan(asked: string | Listing, { profile: own, joined }: ReadableRows): string | Listing['plan'] {
  if (typeof asked === 'string') return asked;
  if (own === null) throw hasNoRows();
  const { plan, search } = asked;
  assertColumns(plan, { profile: own, joined });
  const profile = profileFor(plan, { profile: own, joined });
  const filters = [...plan.filters, ...textAnywhere(search, profile)];
  return plan.kind === 'rows' ? { ...plan, order: inOneOrder(plan.order, profile), filters } : { ...plan, filters };
}

/** Rows that are alike in what they are sorted by come in the order of time on every page. */
function inOneOrder(order: RowsPlan['order'], { timeField, metaField }: TableProfile): RowsPlan['order'] {
  if (order.length === 0) return order;
  const named = order.map(({ by }) => by);
  const more = [timeField, metaField].filter((name) => !named.includes(name));
  return [...order, ...more.map((by) => ({ by, direction: 'asc' as const }))];
}

/** In any column of texts; a number is looked for among numbers too. */
function textAnywhere(search: string, { columns }: TableProfile): readonly Filter[] {
  const text = search.trim();
  if (text === '') return [];
  const number = plainNumber(text, '.');
  const of = columns.flatMap(({ name, type }): Single[] => {
    if (type === 'text') return [{ kind: 'contains', column: name, text, negated: false }];
    if (number === null || !isNumeric(type)) return [];
    return [{ kind: 'compare', column: name, operator: '=', value: Number(number) }];
  });
  if (of.length === 0) throw new AppError('invalid_input', 'there is no column of texts to search in');
  return [{ kind: 'any', of: of.map((one) => [one]) }];
}

type Single = Exclude<Filter, { kind: 'any' }>;
