import { Injectable } from '@nestjs/common';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import {
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
  RowReader,
} from '../ports/row-reader.js';
import type { QueryLimits, QueryResult, TableProfile, TableRef } from '../ports/table.js';
import { AppError, isAppError, messageOf } from '../shared/app-error.js';
import { compilePlan } from './plans/plan-compiler.js';
import type { SandboxPool } from './sandbox/sandbox-pool.js';
import type { TableRequests } from './table-requests.js';

const PLOT_MS = 10_000;
const METADATA_MS = 10_000;
const PROFILE_MS = 120_000;
const SNAPSHOT_MS = 60_000;

/** Answers from base and later inserts together: our own statements in the engine, anybody else's in a sandbox. */
@Injectable()
export class DuckDbRowReader extends RowReader {
  constructor(
    private readonly requests: TableRequests,
    private readonly sandbox: SandboxPool,
  ) {
    super();
  }

  override plot(table: TableRef, query: PlotQuery): Promise<PlotSeries> {
    const { from, to } = query;
    const wire = { ...query, from: from?.toISOString() ?? null, to: to?.toISOString() ?? null };
    return this.requests.ask('plot', table, { query: wire }, PLOT_MS);
  }

  override profile(table: TableRef): Promise<TableProfile> {
    return this.requests.ask('profile', table, {}, PROFILE_MS);
  }

  override distinctMetadata(table: TableRef, query: MetadataQuery): Promise<MetadataValues> {
    return this.requests.ask('metadata', table, { query }, METADATA_MS);
  }

  override async analyze(table: TableRef, plan: AnalysisPlan, limits: QueryLimits): Promise<QueryResult> {
    const now = await this.requests.tables.now(table);
    const answer = async (guarded: boolean): Promise<QueryResult> => {
      const { dbquery, finish, ...order } = compilePlan(plan, now.columns, { maxRows: limits.maxRows, guarded });
      const selected = await this.requests.ask('select', table, { order }, limits.timeoutMs, now);
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
    const { base, later } = await this.requests.ask('snapshot', table, {}, SNAPSHOT_MS);
    return this.sandbox.query({ table, base, later }, statement, limits);
  }
}

/** What the engine says of values that are too large for a figure of the plan. */
function isOutOfRange(error: unknown): boolean {
  return !isAppError(error) && /out of range|overflow/i.test(messageOf(error));
}
