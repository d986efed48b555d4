import type { AnalysisPlan, PlanOrder } from '../ports/analysis-plan.js';
import type { PlanQuery } from './plan-compiler.aggregate.js';
import type { PlanColumn, PlanColumns } from '../plan/plan-columns.js';
import { assertDirection, tighter, wholeLimit, wholeSkip } from '../plan/plan-order.js';
import { limitClause, orderTerm, qualifyClause, rankedKey } from './plan-compiler.order.js';
import { selectionOf } from './plan-compiler.selection.js';
import { clause, selected } from './plan-compiler.steps.js';
import type { PlanWriter } from './plan-compiler.writers.js';

type Rows = Extract<AnalysisPlan, { kind: 'rows' }>;

interface Listed {
  readonly plan: Rows;
  readonly writer: PlanWriter;
  readonly wanted: readonly PlanColumn[];
  readonly order: readonly { readonly column: PlanColumn; readonly direction: PlanOrder['direction'] }[];
  readonly each: readonly PlanColumn[];
}

function wantedOf({ columns: names }: Rows, columns: PlanColumns): readonly PlanColumn[] {
  return names.length === 0 ? columns.all : [...new Set(names.map((name) => columns.named(name)))];
}

/** Single rows, or each different one once. */
export function rowsQuery(plan: Rows, table: PlanColumns, writer: PlanWriter, most: number | null): PlanQuery {
  const own = wholeLimit(plan.limit);
  const skip = wholeSkip(plan.skip);
  const { steps, context } = selectionOf(plan, table, writer);
  const { columns } = context;
  const listed = {
    plan,
    writer,
    wanted: wantedOf(plan, columns),
    order: plan.order.map((order) => {
      assertDirection(order);
      return { column: columns.named(order.by), direction: order.direction };
    }),
    each: (plan.each ?? []).map((name) => columns.named(name)),
  };
  const outputs = listed.wanted.map((column) =>
    selected({ expression: writer.column(column), name: writer.label(column.visible) }),
  );
  const within = listed.each.length > 0 && own !== null;
  const clauses = [
    ...(plan.distinct === true ? [`GROUP BY ${distinctKeys(listed).join(', ')}`] : []),
    ...(within
      ? [
          qualifyClause(
            listed.each.map((column) => writer.column(column)),
            orderOf(listed),
            { limit: own, skip },
          ),
        ]
      : []),
    ...clause('ORDER BY', [...(within ? eachFirst(listed) : []), ...orderOf(listed)], ', '),
    ...limitClause(within ? most : tighter(own, most), within ? 0 : skip),
  ];
  return {
    statement: steps.statement(outputs, clauses),
    columns: listed.wanted.map(({ visible, type }) => ({ name: visible, type })),
  };
}

/** Equal rows are one group; so that the limit can be counted within others, these belong to what is equal. */
function distinctKeys({ wanted, each, writer }: Listed): readonly string[] {
  return [...new Set([...wanted, ...each])].map((column) => writer.column(column));
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
