import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'vitest';
import type { AggregatePlan, AnalysisPlan, Measure } from '../../ports/analysis-plan.js';
import { figures } from '../../ports/plans.fixture.js';
import type { Cell } from '../../ports/table.js';
import { AppError, isAppError } from '../../shared/app-error.js';
import { cellFrom } from '../cells.js';
import { Gate } from '../sandbox/gate.js';
import { quotedName } from '../sql-text.js';
import type { TableColumn } from '../../plan/plan-columns.js';
import { type CompiledPlan, compilePlan } from './plan-compiler.js';

type PlanAnswer = ReturnType<CompiledPlan['finish']>;

export { listing } from '../../ports/plans.fixture.js';

export const COUNT: Measure = { aggregate: 'count', column: null, label: 'n' };

export function aggregate(part: Partial<AggregatePlan>): AggregatePlan {
  return figures({ measures: [COUNT], ...part });
}

export function grouped(column: string): AggregatePlan['dimensions'][number] {
  return { kind: 'column', column, label: column };
}

/** A small table that plans are tried on. */
export class PlanTable {
  private constructor(
    readonly connection: DuckDBConnection,
    private readonly columns: readonly TableColumn[],
  ) {}

  /** @param rows a query for the values, in the order of the columns */
  static async of(columns: readonly (readonly [string, TableColumn['type']])[], rows: string): Promise<PlanTable> {
    const connection = await (await DuckDBInstance.create(':memory:', { threads: '1' })).connect();
    const known = columns.map(([name, type], index) => ({ physical: `c${index}`, name, type }));
    const types = { number: 'DOUBLE', integer: 'BIGINT', text: 'VARCHAR', time: 'TIMESTAMP', boolean: 'BOOLEAN' };
    const typed = known.map(({ physical, type }) => `${physical} ${types[type]}`).join(', ');
    await connection.run(`CREATE TABLE stored (${typed})`);
    await connection.run(`INSERT INTO stored ${rows}`);
    const shown = known.map(({ physical, name }) => `${physical} AS ${quotedName(name)}`).join(', ');
    await connection.run(`CREATE VIEW data AS SELECT ${shown} FROM stored`);
    return new PlanTable(connection, known);
  }

  async select(sql: string, params: readonly Cell[] = []): Promise<readonly (readonly Cell[])[]> {
    return (await this.connection.runAndReadAll(sql, [...params])).getRows().map((row) => row.map(cellFrom));
  }

  /** What a plan gives, once it is sure that the query shown passes the gate, and that it and the guarded one give the same. */
  async answer(plan: AnalysisPlan): Promise<PlanAnswer> {
    const answered = await this.run(plan, false);
    expect(nearly((await this.run(plan, true)).rows)).toEqual(nearly(answered.rows));
    return answered;
  }

  async rows(plan: AnalysisPlan): Promise<readonly (readonly Cell[])[]> {
    return (await this.answer(plan)).rows;
  }

  /** The one figure of a plan. */
  async figure(measure: Omit<Measure, 'label'>, part: Partial<AggregatePlan> = {}): Promise<Cell> {
    const [[figure = null] = []] = await this.rows(aggregate({ ...part, measures: [{ ...measure, label: 'x' }] }));
    return figure;
  }

  dbquery(plan: AnalysisPlan): string {
    return compilePlan(plan, this.columns, { maxRows: 100 }).dbquery;
  }

  /** As the row reader does it: what is out of range is asked again with care, and then refused. */
  async careful(plan: AnalysisPlan): Promise<PlanAnswer> {
    const first = await this.run(plan, false).catch(outOfRange);
    if (first !== null) return first;
    const second = await this.run(plan, true).catch(outOfRange);
    if (second !== null) return second;
    throw new AppError('invalid_input', 'too large');
  }

  private async run(plan: AnalysisPlan, guarded: boolean): Promise<PlanAnswer> {
    const { sql, params, dbquery, finish } = compilePlan(plan, this.columns, { maxRows: 100, guarded });
    const rows = await this.select(`WITH visible AS NOT MATERIALIZED (SELECT * FROM stored) ${sql}`, params);
    await this.assertLegitimate(dbquery);
    expect(nearly(await this.select(dbquery)), dbquery).toEqual(nearly(rows));
    return finish(rows);
  }

  private async assertLegitimate(dbquery: string): Promise<void> {
    const parsed = await this.connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)', [dbquery]);
    new Gate([]).assertAllowed(String(parsed.getRows()[0]?.[0]));
  }
}

function outOfRange(error: unknown): null {
  if (isAppError(error) || !/out of range|overflow/i.test(String(error))) throw error;
  return null;
}

/** Sums of fractions differ in their last digits by the order in which threads add them up. */
export function nearly(rows: readonly (readonly Cell[])[]): readonly (readonly Cell[])[] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(9)) : cell)));
}
