import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { TableColumn } from '../plan/plan-columns.js';
import type { AggregatePlan, AnalysisPlan, RowsPlan } from '../ports/analysis-plan.js';
import type { ObjectStore } from '../ports/object-store.js';
import {
  type ExportQuery,
  type FileFormat,
  type PageLimits,
  type ResultPage,
  RowDownloads,
} from '../ports/row-downloads.js';
import type { RejectedLine } from '../ports/row-engine.js';
import type { TableRef } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { parseLayout } from '../shared/time-format/time-format.js';
import { type ExportOrder, type ExportRuns, ExportTurns } from './export/export-runs.js';
import { rejectedLines } from './import/rejects-file.js';
import { compileJoined, compilePlan } from './plans/plan-compiler.js';
import type { SandboxedRows, SandboxPool } from './sandbox/sandbox-pool.js';
import type { TableRequests } from './table-requests.js';

const SNAPSHOT_MS = 60_000;

const COUNT = {
  kind: 'aggregate',
  measures: [{ aggregate: 'count', column: null, label: 'rows' }],
  dimensions: [],
  having: [],
  order: [],
  limit: null,
} as const;

/** Rows as files, written by a process of its own for each export, the lines that an import has left out, and results of the sandbox. */
@Injectable()
export class DuckDbRowDownloads extends RowDownloads {
  private readonly turns = new ExportTurns();
  /** What was counted for a page is the same for the next. */
  private readonly counts = new LRUCache<string, number>({ max: 500 });

  constructor(
    private readonly requests: TableRequests,
    private readonly store: ObjectStore,
    private readonly runs: ExportRuns,
    private readonly sandbox: SandboxPool,
  ) {
    super();
  }

  override async exportRows(table: TableRef, query: ExportQuery, format: FileFormat): Promise<Readable> {
    const before = await this.requests.tables.now(table);
    const end = this.turns.take(table.companyId);
    const order = await this.orderFor(table, query).catch((error: unknown) => {
      end();
      throw error;
    });
    return this.runs.start({ ...order, format }, end).catch(async (error: unknown) => {
      // The files were replaced or removed before the process had opened them.
      if (await this.requests.tables.isReplaced(table, before)) return this.exportRows(table, query, format);
      throw error;
    });
  }

  override async rejectedLines(table: TableRef): Promise<AsyncIterable<RejectedLine>> {
    const name = await this.requests.tables.rejectsOf(table);
    if (name === null) return rejectedLines(Readable.from([]));
    return rejectedLines(await this.store.read({ companyId: table.companyId, area: 'rows', name }));
  }

  override resultPage(
    table: TableRef,
    asked: string | RowsPlan | AggregatePlan,
    limits: PageLimits,
  ): Promise<ResultPage> {
    return this.requests.sandboxed(table, (rows) => this.pageOf(rows, asked, limits));
  }

  private async pageOf(
    rows: SandboxedRows,
    asked: string | RowsPlan | AggregatePlan,
    limits: PageLimits,
  ): Promise<ResultPage> {
    const { table } = rows;
    if (typeof asked === 'string') return this.sandbox.page(rows, asked, limits);
    if (asked.kind === 'aggregate') return this.sandbox.page(rows, await this.statementOf(table, asked), limits);
    const { skip, maxRows } = limits;
    const statement = await this.statementOf(table, { ...asked, skip, limit: maxRows });
    const page = await this.sandbox.page(rows, statement, { ...limits, skip: 0 });
    return { ...page, total: await this.countOf(rows, asked, { ...limits, rowsScanned: page.rowsScanned }) };
  }

  override async resultFile(
    table: TableRef,
    asked: string | RowsPlan | AggregatePlan,
    format: FileFormat,
    signal: AbortSignal,
  ): Promise<Readable> {
    const end = this.turns.take(table.companyId);
    try {
      const statement = typeof asked === 'string' ? asked : await this.statementOf(table, asked);
      const file = await this.requests.sandboxed(table, (rows) => this.sandbox.file(rows, statement, format, signal));
      return file.once('close', end);
    } catch (error) {
      end();
      throw error;
    }
  }

  private async statementOf(table: TableRef, plan: AnalysisPlan): Promise<string> {
    const { columns } = await this.requests.tables.now(table);
    const joined = await this.requests.joinedWith(table, plan);
    if (joined !== null) return compileJoined(plan, columns, joined).dbquery;
    return compilePlan(plan, columns, { maxRows: 1 }).dbquery;
  }

  /** How many rows a plan lists. Rows are never changed: as long as there are as many, as many fit. */
  private async countOf(
    rows: SandboxedRows,
    { filters, derived, join }: RowsPlan,
    { rowsScanned, ...limits }: PageLimits & { readonly rowsScanned: number },
  ): Promise<number> {
    if (filters.length === 0 && join === undefined) return rowsScanned;
    const statement = await this.statementOf(rows.table, { ...COUNT, join, derived, filters });
    const key = JSON.stringify([rows.tables, rowsScanned, statement]);
    const isSteady = rows.tables.every(({ visibleFrom }) => visibleFrom === null);
    const known = isSteady ? this.counts.get(key) : undefined;
    if (known !== undefined) return known;
    const counted = await this.sandbox.page(rows, statement, { ...limits, skip: 0, maxRows: 1 });
    const count = Number(counted.rows[0]?.[0] ?? 0);
    this.counts.set(key, count);
    return count;
  }

  private async orderFor(table: TableRef, query: ExportQuery): Promise<Omit<ExportOrder, 'format'>> {
    // What can't be understood is refused before anything is started.
    for (const [, layout] of query.timeFormats) parseLayout(layout);
    const snapshot = await this.requests.ask('snapshot', table, {}, SNAPSHOT_MS);
    // Asked after it: rows of the snapshot may have made columns wider.
    const { columns: all, table: stored } = await this.requests.tables.now(table);
    const columns = query.columns.map((name) => columnNamed(all, name));
    return {
      base: snapshot.base,
      later: snapshot.later,
      width: all.length,
      meta: columnNamed(all, stored.metaField),
      time: columnNamed(all, stored.timeField),
      columns,
      asset: query.asset,
      from: latest(query.from, table.visibleFrom)?.toISOString() ?? null,
      to: query.to?.toISOString() ?? null,
      timeFormats: query.timeFormats.flatMap(([name, layout]) =>
        all.filter((column) => column.name === name).map(({ physical }) => [physical, layout] as const),
      ),
    };
  }
}

function columnNamed(columns: readonly TableColumn[], name: string): TableColumn {
  const column = columns.find((one) => one.name === name);
  if (column) return column;
  const problem = `there is no column "${name}"`;
  throw new AppError('invalid_input', problem, { details: [{ field: 'columns', problem }] });
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
