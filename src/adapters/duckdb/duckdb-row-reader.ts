import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import {
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
  RowReader,
} from '../../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../../ports/table.js';
import { wireTable } from './duckdb-row-engine.js';
import type { EngineProcess } from './engine-client.js';
import { compilePlan } from './plan-compiler.js';
import type { RowFiles } from './row-files.js';
import type { SandboxPool } from './sandbox-pool.js';

const PLOT_MS = 10_000;
const METADATA_MS = 10_000;
const PROFILE_MS = 120_000;
const COLUMNS_MS = 10_000;
const SNAPSHOT_MS = 60_000;

/** Answers from base and later inserts together: our own statements in the engine, anybody else's in a sandbox. */
@Injectable()
export class DuckDbRowReader extends RowReader {
  constructor(
    private readonly engine: EngineProcess,
    private readonly files: RowFiles,
    private readonly sandbox: SandboxPool,
  ) {
    super();
  }

  override plot(table: TableRef, query: PlotQuery): Promise<PlotSeries> {
    const { from, to } = query;
    const wire = { ...query, from: from?.toISOString() ?? null, to: to?.toISOString() ?? null };
    return this.engine.request('plot', { table: wireTable(this.files, table), query: wire }, PLOT_MS);
  }

  override profile(table: TableRef): Promise<TableProfile> {
    return this.engine.request('profile', { table: wireTable(this.files, table) }, PROFILE_MS);
  }

  override distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues> {
    return this.engine.request('metadata', { table: wireTable(this.files, table), query }, METADATA_MS);
  }

  override async analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    const wire = wireTable(this.files, table);
    const columns = await this.engine.request('columns', { table: wire }, COLUMNS_MS);
    const compiled = compilePlan(plan, columns, limits.maxRows);
    const order = { sql: compiled.sql, params: compiled.params, maxRows: limits.maxRows };
    const selected = await this.engine.request('select', { table: wire, order }, limits.timeoutMs);
    return { ...selected, columns: compiled.columns, dbquery: compiled.dbquery };
  }

  override async query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    const { base, later } = await this.engine.request('snapshot', { table: wireTable(this.files, table) }, SNAPSHOT_MS);
    return this.sandbox.query(base, later, table, statement, limits);
  }
}
