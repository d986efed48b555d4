import { Injectable } from '@nestjs/common';
import { assertColumns } from '../../../answering/given-plan.js';
import { AppConfig } from '../../../config/app-config.js';
import { Clock } from '../../../ports/clock.js';
import type { Filter, RowsPlan } from '../../../ports/analysis-plan.js';
import { type FileFormat, type ResultPage, RowDownloads } from '../../../ports/row-downloads.js';
import { RowReader } from '../../../ports/row-reader.js';
import { isNumeric, type QueryResult, type TableProfile, type TableRef } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { plainNumber } from '../../../shared/number-notation.js';
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

/** Which rows are listed: those that fit the plan and, unless it is empty, have the text somewhere. */
export interface Listing {
  readonly plan: RowsPlan;
  readonly search: string;
}

/** A whole result, of a statement or a list. */
export interface ResultRequest {
  readonly datasourceId: DatasourceId;
  readonly asked: string | Listing;
}

/** All of it. */
export interface FileRequest extends ResultRequest {
  readonly format: FileFormat;
}

/** A part of it. */
export interface PageRequest extends ResultRequest {
  readonly maxRows: number;
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
    { datasourceId, asked, skip, maxRows }: PageRequest,
    signal: AbortSignal,
  ): Promise<ResultPage> {
    const { table, profile } = await this.readable(by, datasourceId);
    const { queryTimeoutMs: timeoutMs } = this.config.limits;
    return this.downloads.resultPage(table, statementOrPlan(asked, profile), { skip, maxRows, timeoutMs, signal });
  }

  /** The whole result on the rows as they are now. @throws AppError `conflict` as `query`, `rate_limited`. */
  async file(by: Principal, { datasourceId, asked, format }: FileRequest, signal: AbortSignal): Promise<Download> {
    const { table, name, profile } = await this.readable(by, datasourceId);
    const wanted = statementOrPlan(asked, profile);
    const text = await this.downloads.resultFile(table, wanted, format, signal);
    return { name, text: endedBy(signal, text), format };
  }

  private async readable(by: Principal, id: DatasourceId): Promise<ReadableRows> {
    const datasource = await this.datasources.get(by, id);
    const table = visibleTable(datasource, this.clock.now());
    if (table === null) throw datasource.updating ? isUpdating() : hasNoRows();
    return { table, name: datasource.name, profile: datasource.profile };
  }
}

interface ReadableRows {
  readonly table: TableRef;
  readonly name: string;
  readonly profile: TableProfile | null;
}

function statementOrPlan(asked: string | Listing, profile: TableProfile | null): string | RowsPlan {
  if (typeof asked === 'string') return asked;
  if (profile === null) throw hasNoRows();
  const { plan, search } = asked;
  assertColumns(plan, profile);
  return {
    ...plan,
    order: inOneOrder(plan.order, profile),
    filters: [...plan.filters, ...textAnywhere(search, profile)],
  };
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
  return of.length === 1 ? of : [{ kind: 'any', of: of.map((one) => [one]) }];
}

type Single = Exclude<Filter, { kind: 'any' }>;
