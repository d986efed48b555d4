import { type PlanColumn, PlanColumns, type TableColumn } from '../../plan/plan-columns.js';
import type { AnalysisPlan, PlanOrder } from '../../ports/analysis-plan.js';
import { MAIN_TABLE, type TableRelation } from '../../ports/table.js';
import { type ColumnTypes, joinCondition, nameOf, typesOf } from '../join-sql.js';
import { quotedName } from '../sql-text.js';
import { aggregateQuery, type PlanQuery } from './aggregate.js';
import { assertBounds, tighter } from './plan-checks.js';
import {
  BoundWriter,
  clause,
  limitClause,
  orderTerm,
  type PlanValue,
  PlanWriter,
  qualifyClause,
  rankedKey,
  selected,
} from './query.js';
import { columnsNeeded, selectionOf } from './selection.js';
import { type FinishedQuery, statisticQuery } from './statistics.js';

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
  readonly finish: FinishedQuery['finish'];
}

interface CompileOptions {
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
  const { statement, most, finish } = queryFor(plan, table, bound, maxRows + 1);
  const dbquery = queryFor(plan, table, new PlanWriter(guarded), null).statement;
  return { sql: statement, params: bound.params, dbquery, maxRows: most ?? maxRows, finish };
}

/** `most` bounds what single rows and groups are listed; a statistic needs as many rows as it says. */
function queryFor(plan: AnalysisPlan, table: PlanColumns, writer: PlanWriter, most: number | null): FinishedQuery {
  if (plan.kind === 'statistic') return statisticQuery(plan, table, writer);
  const { statement, columns } =
    plan.kind === 'aggregate' ? aggregateQuery(plan, table, writer, most) : rowsQuery(plan, table, writer, most);
  return { statement, most: null, finish: (rows) => ({ columns, rows }) };
}

/** A table that a plan joins, the columns of which are those it has now. */
export interface JoinedTable {
  /** From the plan's own table to it. */
  readonly relation: TableRelation;
  readonly columns: readonly TableColumn[];
  /** What the plan calls it. */
  readonly name: string;
}

export interface CompiledJoin extends Pick<CompiledPlan, 'dbquery' | 'finish'> {
  /** Most rows that the query is to be asked for; null: as many as are wanted. */
  readonly most: number | null;
}

/**
 * Compiles a plan that joins a table to one query, which runs as it is shown.
 *
 * @throws AppError `invalid_input` when the plan does not fit the tables.
 */
export function compileJoined(
  plan: AnalysisPlan,
  columns: readonly TableColumn[],
  joined: JoinedTable,
  guarded = false,
): CompiledJoin {
  const { relation, name } = joined;
  const [own, right] = [PlanColumns.of(columns).all, PlanColumns.of(joined.columns).all];
  const table = PlanColumns.joined(own, right, name);
  const needed = columnsNeeded(plan, table);
  const read = right.flatMap((column, at) => {
    const as = table.all[own.length + at];
    return as !== undefined && needed.includes(as) ? [[column, as] as const] : [];
  });
  const writer = new PlanWriter(guarded, { query: joinQuery(own, right, relation, read), table: relation.right });
  const { statement, most, finish } = queryFor(plan, table, writer, null);
  return { dbquery: statement, finish, most };
}

/** Each row of the table, with what the plan reads of those that belong to it. */
function joinQuery(
  own: readonly PlanColumn[],
  right: readonly PlanColumn[],
  relation: TableRelation,
  read: readonly (readonly [PlanColumn, PlanColumn])[],
): string {
  const types = (name: string): ColumnTypes => typesOf(name === relation.left ? own : right);
  const name = nameOf(relation.right);
  const listed = read.map(([column, as]) =>
    selected({ expression: `${name}.${quotedName(column.visible)}`, name: quotedName(as.visible) }),
  );
  const outputs = [`${MAIN_TABLE}.*`, ...listed].join(', ');
  return `SELECT ${outputs}\n  FROM ${MAIN_TABLE}\n  LEFT JOIN ${name} ON ${joinCondition(relation, types)}`;
}

type Rows = Extract<AnalysisPlan, { kind: 'rows' }>;

interface Listed {
  readonly plan: Rows;
  readonly writer: PlanWriter;
  readonly wanted: readonly PlanColumn[];
  readonly order: readonly { readonly column: PlanColumn; readonly direction: PlanOrder['direction'] }[];
  readonly each: readonly PlanColumn[];
}

/** Single rows, or each different one once. */
function rowsQuery(plan: Rows, table: PlanColumns, writer: PlanWriter, most: number | null): PlanQuery {
  assertBounds(plan);
  const { limit: own, skip = 0 } = plan;
  const { steps, context } = selectionOf(plan, table, writer);
  const { columns } = context;
  const listed = {
    plan,
    writer,
    wanted: plan.columns.length === 0 ? columns.all : [...new Set(plan.columns.map((name) => columns.named(name)))],
    order: plan.order.map(({ by, direction }) => ({ column: columns.named(by), direction })),
    each: (plan.each ?? []).map((name) => columns.named(name)),
  };
  const outputs = listed.wanted.map((column) =>
    selected({ expression: writer.column(column), name: writer.label(column.visible) }),
  );
  const within = listed.each.length > 0 && own !== null;
  // Equal rows are one group; so that the limit can be counted within others, these belong to what is equal.
  const distinct = plan.distinct === true ? [...new Set([...listed.wanted, ...listed.each])] : [];
  const written = (some: readonly PlanColumn[]): readonly string[] => some.map((column) => writer.column(column));
  const clauses = [
    ...clause('GROUP BY', written(distinct), ', '),
    ...(within ? [qualifyClause(written(listed.each), orderOf(listed), { limit: own, skip })] : []),
    ...clause('ORDER BY', [...(within ? eachFirst(listed) : []), ...orderOf(listed)], ', '),
    ...limitClause(within ? most : tighter(own, most), within ? 0 : skip),
  ];
  return {
    statement: steps.statement(outputs, clauses),
    columns: listed.wanted.map(({ visible, type }) => ({ name: visible, type })),
  };
}

function eachFirst({ each, order, writer }: Listed): readonly string[] {
  const ordered = order.map(({ column }) => column);
  return each.filter((column) => !ordered.includes(column)).map((column) => orderTerm(writer.column(column), 'asc'));
}

/** As the plan says, then by what is listed, so that the same rows come in the same order always. */
function orderOf(listed: Listed): readonly string[] {
  const { plan, order, each, wanted, writer } = listed;
  // Rows as they are stored come in that order; what is grouped or chosen comes in none.
  const isStored = order.length === 0 && plan.distinct !== true && each.length === 0;
  const rest = isStored ? [] : wanted.filter((column) => !order.some((term) => term.column === column));
  return [
    ...order.map(({ column, direction }) => orderTerm(keyOf(column, direction, listed), direction)),
    ...rest.map((column) => orderTerm(writer.column(column), 'asc')),
  ];
}

/** A column that different rows are not told apart by counts with the value that puts them first. */
function keyOf(column: PlanColumn, direction: PlanOrder['direction'], listed: Listed): string {
  const { plan, wanted, each, writer } = listed;
  const own = rankedKey(writer.column(column), column.ranked, writer);
  if (plan.distinct !== true || wanted.includes(column) || each.includes(column)) return own;
  return `${direction === 'desc' ? 'max' : 'min'}(${own})`;
}
