import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import {
  type JoinMeasure,
  type JoinSide,
  type MetadataQuery,
  type MetadataValues,
  type PlotQuery,
  type PlotSeries,
  RowReader,
  type TablePair,
} from '../ports/row-reader.js';
import { MAIN_TABLE, type QueryLimits, type QueryResult, type TableProfile, type TableRef } from '../ports/table.js';
import { PlanColumns } from '../plan/plan-columns.js';
import { AppError, isAppError, messageOf } from '../shared/app-error.js';
import type { OutputOf } from './engine/engine-protocol.js';
import { type ColumnTypes, joinMeasureSql, typesOf } from './join-sql.js';
import { type CompiledPlan, compileJoined, compilePlan } from './plans/plan-compiler.js';
import type { SandboxPool } from './sandbox/sandbox-pool.js';
import type { TableNow } from './row-tables.js';
import type { TableRequests } from './table-requests.js';

const PLOT_MS = 10_000;
const METADATA_MS = 10_000;
const PROFILE_MS = 120_000;
/** Results are kept, as letters of JSON: all together, and the longest. */
const MOST_KEPT = 32_000_000;
const LONGEST_KEPT = 500_000;

type Selected = OutputOf<'select'>;

/** Answers from base and later inserts together: our own statements in the engine, anybody else's in a sandbox. */
@Injectable()
export class DuckDbRowReader extends RowReader {
  /** What was asked of the same rows before, or is being asked: a picture drawn anew, a question that many ask. */
  private readonly selected = new LRUCache<string, Selected, () => Promise<Selected>>({
    maxSize: MOST_KEPT,
    maxEntrySize: LONGEST_KEPT,
    sizeCalculation: (selected) => JSON.stringify(selected).length,
    fetchMethod: (_key, _stale, { context: ask }) => ask(),
  });

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
    const joined = await this.requests.joinedWith(table, plan);
    const select = async (guarded: boolean): Promise<Omit<QueryResult, 'columns'> & Pick<CompiledPlan, 'finish'>> => {
      if (joined === null) {
        const { dbquery, finish, ...order } = compilePlan(plan, now.columns, { maxRows: limits.maxRows, guarded });
        const ask = (): Promise<Selected> => this.requests.ask('select', table, { order }, limits.timeoutMs, now);
        const selected = await this.selectedBefore(table, now, order, ask);
        return { ...selected, dbquery, finish };
      }
      const { dbquery, finish, most } = compileJoined(plan, now.columns, joined, guarded);
      // In a sandbox, because a join can become far larger than its tables.
      return { ...(await this.query(table, dbquery, { ...limits, maxRows: most ?? limits.maxRows })), finish };
    };
    const answer = async (guarded: boolean): Promise<QueryResult> => {
      const { finish, ...selected } = await select(guarded);
      const { columns, rows } = finish(selected.rows);
      const kept = rows.slice(0, limits.maxRows);
      return { ...selected, columns, rows: kept, truncated: selected.truncated || kept.length < rows.length };
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

  /** Rows never change under a number of them; which can be seen changes where they are kept for a time. */
  private selectedBefore(
    table: TableRef,
    now: TableNow,
    order: object,
    ask: () => Promise<Selected>,
  ): Promise<Selected> {
    if (table.visibleFrom !== null) return ask();
    return this.selected.forceFetch(JSON.stringify([now.table.id, now.key, now.upTo, order]), { context: ask });
  }

  override query(table: TableRef, statement: string, limits: QueryLimits): Promise<QueryResult> {
    return this.requests.sandboxed(table, (rows) => this.sandbox.query(rows, statement, limits));
  }

  override async measureJoin({ left, right, on }: TablePair, limits: QueryLimits): Promise<JoinMeasure> {
    const relation = { id: '', left: MAIN_TABLE, right: 'other', on };
    const joinable = { tables: [{ name: relation.right, table: right }], relations: [relation] };
    const [own, other] = await Promise.all([left, right].map((table) => this.typesOf(table)));
    const types = (name: string): ColumnTypes => (name === MAIN_TABLE ? own : other) ?? new Map();
    const { rows } = await this.query({ ...left, joinable }, joinMeasureSql(relation, types), limits);
    const [of, keys, most, paired, its, itsKeys, itsMost, itsPaired, shared, ...some] = rows[0] ?? [];
    const [examples = [], missing = []] = some.map(textsOf);
    return {
      left: sideOf(of, keys, most, paired),
      right: sideOf(its, itsKeys, itsMost, itsPaired),
      shared: Number(shared),
      examples,
      missing,
    };
  }

  private async typesOf(table: TableRef): Promise<ColumnTypes> {
    const { columns } = await this.requests.tables.now(table);
    return typesOf(PlanColumns.of(columns).all);
  }
}

function sideOf(...counts: readonly [unknown, unknown, unknown, unknown]): JoinSide {
  const [rows, distinct, most, paired] = counts.map(Number);
  return { rows: rows ?? 0, distinct: distinct ?? 0, most: most ?? 0, paired: paired ?? 0 };
}

function textsOf(json: unknown): readonly string[] {
  return typeof json === 'string' ? (JSON.parse(json) as readonly string[]) : [];
}

/** What the engine says of values that are too large for a figure of the plan. */
function isOutOfRange(error: unknown): boolean {
  return !isAppError(error) && /out of range|overflow/i.test(messageOf(error));
}
