import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { type QueryLanguage, SQL } from '../ports/query-language.js';
import {
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
  RowReader,
} from '../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../ports/table.js';
import { AppError, isAppError, messageOf } from '../shared/app-error.js';
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
  readonly language: QueryLanguage = SQL;

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
    const answer = async (guarded: boolean): Promise<QueryResult> => {
      const { dbquery, finish, ...order } = compilePlan(plan, columns, { maxRows: limits.maxRows, guarded });
      const selected = await this.engine.request('select', { table: wire, order }, limits.timeoutMs);
      const { columns: results, rows } = finish(selected.rows);
      const kept = rows.slice(0, limits.maxRows);
      const truncated = selected.truncated || kept.length < rows.length;
      return { columns: results, rows: kept, truncated, rowsScanned: selected.rowsScanned, dbquery };
    };
    try {
      return await answer(false);
    } catch (error) {
      // Rare enough that every other query should stay as a person would write it.
      if (!isOutOfRange(error)) throw error;
    }
    try {
      return await answer(true);
    } catch (error) {
      if (!isOutOfRange(error)) throw error;
      throw new AppError('invalid_input', 'the numbers are too large for this to be worked out', { cause: error });
    }
  }

  override async query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    const { base, later } = await this.engine.request('snapshot', { table: wireTable(this.files, table) }, SNAPSHOT_MS);
    return this.sandbox.query(base, later, table, statement, limits);
  }
}

/** What the engine says of values that are too large for a figure of the plan. */
function isOutOfRange(error: unknown): boolean {
  return !isAppError(error) && /out of range|overflow/i.test(messageOf(error));
}
