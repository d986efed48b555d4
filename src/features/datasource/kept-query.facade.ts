import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import type { Filter, Measure } from '../../ports/analysis-plan.js';
import { RowReader } from '../../ports/row-reader.js';
import type { Cell, QueryResult, TableRef } from '../../ports/table.js';
import type { Query } from './joinable-tables.facade.js';

/** Runs what is kept of a query, of a board, an alert or a verified answer, through the gate that every plan and all SQL passes. */
@Injectable()
export class KeptQueries {
  constructor(
    private readonly rows: RowReader,
    private readonly config: AppConfig,
  ) {}

  /** @throws AppError as the row reader does. */
  run(table: TableRef, { plan, sql }: Query, maxRows: number): Promise<QueryResult> {
    const limits = { maxRows, timeoutMs: this.config.limits.queryTimeoutMs };
    return plan === null ? this.rows.query(table, sql ?? '', limits) : this.rows.analyze(table, plan, limits);
  }

  /** One figure of the rows that fit; null: no row has one. @throws AppError as the row reader does. */
  async figure(table: TableRef, measure: Measure, filters: readonly Filter[] = []): Promise<Cell> {
    const whole = { dimensions: [], having: [], order: [], limit: 1 };
    const plan = { kind: 'aggregate', measures: [measure], filters, ...whole } as const;
    const { rows } = await this.run(table, { plan, sql: null }, 1);
    return rows[0]?.[0] ?? null;
  }

  /** The newest time in a column; null: no row has one. @throws AppError as the row reader does. */
  async newest(table: TableRef, column: string): Promise<Date | null> {
    const newest = await this.figure(table, { aggregate: 'max', column, label: 'newest' });
    return typeof newest === 'string' ? new Date(newest) : null;
  }
}
