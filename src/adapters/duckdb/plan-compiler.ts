import type { AnalysisPlan, PlanOrder } from '../../ports/analysis-plan.js';
import type { ColumnType, ResultColumn } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { PlanColumns, type TableColumn } from './plan-compiler.columns.js';
import { conditionsOf, figureConditionsOf } from './plan-compiler.filters.js';
import { dimensionOf, measureOf } from './plan-compiler.figures.js';
import { BoundWriter, type PlanValue, PlainWriter, type PlanWriter } from './plan-compiler.writers.js';
import { quotedName } from './sandbox-names.js';

export type { TableColumn } from './plan-compiler.columns.js';

export interface CompiledPlan {
  /** Selects from the relation `visible`, by physical names, one row more than the caller wants so that it sees a cut. */
  readonly sql: string;
  /** `$1`, `$2` … of `sql`. */
  readonly params: readonly PlanValue[];
  /** The same query as a person writes it over the table `data`. */
  readonly dbquery: string;
  readonly columns: readonly ResultColumn[];
}

/** One column of a query's result: its expression, its name and its type. */
interface Output {
  readonly expression: string;
  readonly label: string;
  readonly type: ColumnType;
}

interface Clauses {
  readonly outputs: readonly Output[];
  readonly where: readonly string[];
  readonly grouped: boolean;
  readonly dimensions: number;
  readonly having: readonly string[];
  readonly order: readonly string[];
}

type Aggregate = Extract<AnalysisPlan, { kind: 'aggregate' }>;
type Rows = Extract<AnalysisPlan, { kind: 'rows' }>;

/**
 * Compiles a plan to DuckDB's SQL. Names come from the table alone and values are bound, so nothing in a plan can be a command.
 *
 * @throws AppError `invalid_input` when the plan does not fit the table.
 */
export function compilePlan(plan: AnalysisPlan, columns: readonly TableColumn[], maxRows: number): CompiledPlan {
  const limit = wholeLimit(plan.limit);
  const bound = new BoundWriter();
  const known = new PlanColumns(columns);
  const clauses = clausesOf(plan, known, bound);
  const plain = clausesOf(plan, known, new PlainWriter());
  return {
    sql: statementOf(clauses, 'visible', Math.min(limit ?? Number.POSITIVE_INFINITY, maxRows + 1)),
    params: bound.params,
    dbquery: statementOf(plain, 'data', limit),
    columns: clauses.outputs.map(({ label, type }) => ({ name: label, type })),
  };
}

function clausesOf(plan: AnalysisPlan, columns: PlanColumns, writer: PlanWriter): Clauses {
  return plan.kind === 'aggregate' ? aggregateClauses(plan, columns, writer) : rowClauses(plan, columns, writer);
}

function aggregateClauses(plan: Aggregate, columns: PlanColumns, writer: PlanWriter): Clauses {
  const dimensions = plan.dimensions.map((dimension) => dimensionOf(dimension, columns, writer));
  const measures = plan.measures.map((measure) => measureOf(measure, columns, writer));
  const outputs = [...dimensions, ...measures];
  assertLabels(outputs);
  return {
    outputs,
    where: conditionsOf(plan.filters, columns, writer),
    grouped: true,
    dimensions: dimensions.length,
    having: figureConditionsOf(plan.having, measures, writer),
    order: aggregateOrder(plan.order, outputs, dimensions),
  };
}

function rowClauses(plan: Rows, columns: PlanColumns, writer: PlanWriter): Clauses {
  const listed = plan.columns.length === 0 ? columns.all : plan.columns.map((name) => columns.named(name));
  const wanted = [...new Set(listed)];
  const outputs = wanted.map((column) => ({
    expression: writer.column(column),
    label: column.visible,
    type: column.type,
  }));
  const ordered = plan.order.map(({ by, direction }) => ({ column: columns.named(by), direction }));
  const rest = ordered.length === 0 ? [] : wanted.filter((column) => !ordered.some((term) => term.column === column));
  return {
    outputs,
    where: conditionsOf(plan.filters, columns, writer),
    grouped: false,
    dimensions: 0,
    having: [],
    order: [
      ...ordered.map((term) => orderTerm(writer.column(term.column), term.direction)),
      ...rest.map((column) => orderTerm(writer.column(column), 'asc')),
    ],
  };
}

function assertLabels(outputs: readonly Output[]): void {
  if (outputs.length === 0) throw new AppError('invalid_input', 'the plan has neither measures nor dimensions');
  const seen = new Set<string>();
  for (const { label } of outputs) {
    if (label.trim() === '') throw new AppError('invalid_input', 'a measure or dimension of the plan has no label');
    if (seen.has(label.toLowerCase())) throw new AppError('invalid_input', `the label "${label}" is used twice`);
    seen.add(label.toLowerCase());
  }
}

/** As the plan says, then by the dimensions in their order, so that equal figures come out in one order always. */
function aggregateOrder(
  order: readonly PlanOrder[],
  outputs: readonly Output[],
  dimensions: readonly Output[],
): readonly string[] {
  const ordered = order.map(({ by, direction }) => ({ label: labelled(by, outputs), direction }));
  const rest = dimensions.filter(({ label }) => !ordered.some((term) => term.label === label));
  return [
    ...ordered.map((term) => orderTerm(quotedName(term.label), term.direction)),
    ...rest.map(({ label }) => orderTerm(quotedName(label), 'asc')),
  ];
}

function labelled(by: string, outputs: readonly Output[]): string {
  const found = outputs.find(({ label }) => label === by);
  if (!found) throw new AppError('invalid_input', `the plan orders by "${by}", which is no label of it`);
  return found.label;
}

function orderTerm(expression: string, direction: PlanOrder['direction']): string {
  return `${expression}${direction === 'desc' ? ' DESC' : ''} NULLS LAST`;
}

function statementOf(clauses: Clauses, relation: string, limit: number | null): string {
  const groups = Array.from({ length: clauses.dimensions }, (_, index) => String(index + 1));
  return [
    `SELECT\n  ${clauses.outputs.map(selected).join(',\n  ')}`,
    `FROM ${relation}`,
    ...clause('WHERE', clauses.where, '\n  AND '),
    ...(clauses.grouped ? clause('GROUP BY', groups, ', ') : []),
    ...clause('HAVING', clauses.having, '\n  AND '),
    ...clause('ORDER BY', clauses.order, ', '),
    ...(limit === null ? [] : [`LIMIT ${limit}`]),
  ].join('\n');
}

function selected({ expression, label }: Output): string {
  const name = quotedName(label);
  return expression === name ? name : `${expression} AS ${name}`;
}

function clause(word: string, terms: readonly string[], separator: string): readonly string[] {
  return terms.length === 0 ? [] : [`${word} ${terms.join(separator)}`];
}

function wholeLimit(limit: number | null): number | null {
  if (limit === null) return null;
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new AppError('invalid_input', 'the limit of the plan must be a whole number above 0');
  }
  return limit;
}
