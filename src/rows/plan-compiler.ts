import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { Cell, ResultColumn } from '../ports/table.js';
import { aggregateQuery, type PlanQuery } from './plan-compiler.aggregate.js';
import { PlanColumns, type TableColumn } from '../plan/plan-columns.js';
import { rowsQuery } from './plan-compiler.rows.js';
import { statisticQuery } from './plan-compiler.statistic.js';
import { BoundWriter, type PlanValue, PlainWriter, type PlanWriter } from './plan-compiler.writers.js';

export type { TableColumn } from '../plan/plan-columns.js';

export interface CompiledPlan {
  /**
   * Selects from the relation `visible`, by physical names, one row more than the caller wants so that it sees a cut. It follows
   * `WITH visible AS (…)`: where it has steps of its own, it begins with a comma.
   */
  readonly sql: string;
  /** `$1`, `$2` … of `sql`. */
  readonly params: readonly PlanValue[];
  /** The same query as a person writes it over the table `data`. */
  readonly dbquery: string;
  /** Most rows that `sql` is to be asked for. */
  readonly maxRows: number;
  /** Makes the answer of what `sql` gives. */
  readonly finish: (rows: readonly (readonly Cell[])[]) => PlanAnswer;
}

export interface PlanAnswer {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
}

export interface CompileOptions {
  readonly maxRows: number;
  /** For when the plan's figures were out of range: a query that is harder to read and in which what can't be told is null. */
  readonly guarded?: boolean;
}

/**
 * Compiles a plan to DuckDB's SQL. Names come from the table alone and values are bound, so nothing in a plan can be a command.
 *
 * @throws AppError `invalid_input` when the plan does not fit the table.
 */
export function compilePlan(
  plan: AnalysisPlan,
  columns: readonly TableColumn[],
  { maxRows, guarded = false }: CompileOptions,
): CompiledPlan {
  const table = PlanColumns.of(columns);
  const bound = new BoundWriter(guarded);
  const plain = new PlainWriter(guarded);
  if (plan.kind === 'statistic') {
    const { statement, finish, most } = statisticQuery(plan, table, bound);
    const dbquery = statisticQuery(plan, table, plain).statement;
    return { sql: statement, params: bound.params, dbquery, maxRows: most, finish };
  }
  const query = (writer: PlanWriter, most: number | null): PlanQuery =>
    plan.kind === 'aggregate' ? aggregateQuery(plan, table, writer, most) : rowsQuery(plan, table, writer, most);
  const { statement, columns: results } = query(bound, maxRows + 1);
  return {
    sql: statement,
    params: bound.params,
    dbquery: query(plain, null).statement,
    maxRows,
    finish: (rows) => ({ columns: results, rows }),
  };
}
