import { type PlanColumns, shown } from '../../plan/plan-columns.js';
import type { AnalysisPlan, Having, PlanOrder, Summary } from '../../ports/analysis-plan.js';
import { type ColumnType, isNumeric, type ResultColumn } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { aggregateSql, type FormulaAggregate } from './aggregate-functions.js';
import { assertNumber, computedOf, dimensionOf, type Figure, type Grouping, measuresOf } from './figures.js';
import { assertBounds, assertKnown, tighter } from './plan-checks.js';
import {
  clause,
  limitClause,
  operatorFrom,
  orderTerm,
  type PlanWriter,
  qualifyClause,
  selected,
  sortKey,
  type Steps,
} from './query.js';
import { selectionOf } from './selection.js';

type Aggregate = Extract<AnalysisPlan, { kind: 'aggregate' }>;

export interface PlanQuery {
  readonly statement: string;
  readonly columns: readonly ResultColumn[];
}

interface Parts {
  readonly plan: Aggregate;
  readonly writer: PlanWriter;
  readonly steps: Steps;
  readonly dimensions: readonly Grouping[];
  readonly measures: readonly Figure[];
  readonly computed: readonly Figure[];
  /** Most rows of the statement; the plan's own limit may be lower. */
  readonly most: number | null;
}

/** Figures by groups. One SELECT where it can be one, else steps: the groups, what is computed from them, the choice. */
export function aggregateQuery(
  plan: Aggregate,
  table: PlanColumns,
  writer: PlanWriter,
  most: number | null,
): PlanQuery {
  assertBounds(plan);
  const more = plan.measures.flatMap(({ filters = [] }) => filters);
  const selection = selectionOf(plan, table, writer, more);
  const dimensions = plan.dimensions.map((dimension) => dimensionOf(dimension, selection.context));
  const measures = measuresOf(plan.measures, dimensions, selection);
  const computed = (plan.computed ?? []).map((one) => computedOf(one, { measures, dimensions, writer }));
  const parts = { plan, writer, steps: selection.steps, dimensions, measures, computed, most };
  assertLabels(outputsOf(parts));
  const statement = isSimple(parts) ? simple(parts) : stepwise(parts);
  const columns = plan.summary
    ? [summaryColumn(plan.summary, parts)]
    : outputsOf(parts).map(({ label, type }) => ({ name: label, type }));
  return { statement, columns };
}

function outputsOf({ dimensions, measures, computed }: Parts): readonly Figure[] {
  return [...dimensions, ...measures, ...computed];
}

/** @throws AppError `invalid_input` unless each has a label of its own. */
function assertLabels(outputs: readonly { readonly label: string }[]): void {
  if (outputs.length === 0) throw new AppError('invalid_input', 'the plan has neither measures nor dimensions');
  const seen = new Set<string>();
  for (const { label } of outputs) {
    if (label.trim() === '') throw new AppError('invalid_input', 'a measure or dimension of the plan has no label');
    if (label.includes('\0')) throw new AppError('invalid_input', 'a label has a character that no text has');
    if (seen.has(label.toLowerCase())) {
      throw new AppError('invalid_input', `the label "${shown(label)}" is used twice`);
    }
    seen.add(label.toLowerCase());
  }
}

function isSimple({ plan, dimensions, computed }: Parts): boolean {
  const isRanked = dimensions.some(({ ranked }) => ranked !== undefined);
  return computed.length === 0 && !isRanked && !isWithinGroups(plan) && plan.summary === undefined;
}

function isWithinGroups({ each = [], limit }: Aggregate): boolean {
  return each.length > 0 && limit !== null;
}

function simple(parts: Parts): string {
  const { plan, steps, most } = parts;
  const limit = tighter(plan.limit, most);
  const clauses = [...grouping(parts), ...clause('ORDER BY', orderOf(parts), ', '), ...limitClause(limit, plan.skip)];
  return steps.statement(groupOutputs(parts), clauses);
}

function groupOutputs({ dimensions, measures, writer }: Parts): readonly string[] {
  return [...dimensions, ...measures].map((figure) => named(figure, writer));
}

function named({ expression, label }: Figure, writer: PlanWriter): string {
  return selected({ expression, name: writer.label(label) });
}

/** The conditions on figures stand here unless there are computed ones, which follow from all groups. */
function grouping(parts: Parts): readonly string[] {
  const places = parts.dimensions.map((_, index) => String(index + 1));
  const having = parts.computed.length > 0 ? [] : conditionsOnFigures(parts, ({ expression }) => expression);
  return [...clause('GROUP BY', places, ', '), ...clause('HAVING', having, '\n  AND ')];
}

function conditionsOnFigures(parts: Parts, written: (figure: Figure) => string): readonly string[] {
  return parts.plan.having.map((having) => {
    const figure = figureAt(having.measure, parts);
    assertNumber(figure);
    return `${written(figure)} ${operatorFrom(having.operator)} ${parts.writer.number(having.value)}`;
  });
}

function figureAt(index: Having['measure'], { measures, computed }: Parts): Figure {
  const figure = [...measures, ...computed][index];
  if (!figure) throw new AppError('invalid_input', `the plan speaks of measure ${index}, which it lacks`);
  return figure;
}

function stepwise(parts: Parts): string {
  const { plan, steps, computed, most, writer } = parts;
  steps.push('grouped', groupOutputs(parts), grouping(parts));
  let outputs = ['*', ...computed.map((figure) => named(figure, writer))];
  if (computed.length > 0 && (plan.having.length > 0 || isWithinGroups(plan) || plan.summary !== undefined)) {
    steps.push('computed', outputs);
    steps.where(conditionsOnFigures(parts, ({ label }) => writer.label(label)));
    outputs = ['*'];
  }
  if (plan.summary !== undefined) return summarised(plan.summary, parts);
  const limit = isWithinGroups(plan) ? most : tighter(plan.limit, most);
  const skip = isWithinGroups(plan) ? 0 : plan.skip;
  return steps.statement(outputs, [...choice(parts), ...limitClause(limit, skip)]);
}

/** Of each combination the first ones; then all in their order. */
function choice(parts: Parts): readonly string[] {
  const { plan, dimensions, writer } = parts;
  const order = orderOf(parts);
  if (!isWithinGroups(plan) || plan.limit === null) return clause('ORDER BY', order, ', ');
  const each = (plan.each ?? []).map((label) => {
    const dimension = dimensions.find((one) => one.label === label);
    if (dimension) return dimension;
    throw new AppError('invalid_input', `"${shown(label)}" is no label of a dimension`);
  });
  const keys = each.map((dimension) => sortKey(dimension, writer));
  const first = keys.map((key) => orderTerm(key, 'asc'));
  const rest = order.filter((term) => !first.includes(term));
  const kept = { limit: plan.limit, skip: plan.skip ?? 0 };
  return [qualifyClause(keys, rest, kept), ...clause('ORDER BY', [...first, ...rest], ', ')];
}

function summarised(summary: Summary, parts: Parts): string {
  const { plan, steps, writer } = parts;
  if (plan.limit !== null || (plan.skip ?? 0) > 0) {
    const limit = isWithinGroups(plan) ? [] : limitClause(plan.limit, plan.skip);
    steps.push('chosen', ['*'], [...choice(parts), ...limit]);
  }
  const figure = summary.measure === null ? '*' : writer.label(figureAt(summary.measure, parts).label);
  const expression = aggregateSql(summary.aggregate satisfies FormulaAggregate, { x: figure }, writer);
  return steps.statement([selected({ expression, name: writer.label(summary.label) })]);
}

const SUMMARIES: readonly Summary['aggregate'][] = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev'];

function summaryColumn(summary: Summary, parts: Parts): ResultColumn {
  assertKnown(summary.aggregate, SUMMARIES);
  assertLabels([{ label: summary.label }]);
  if (summary.aggregate === 'count') return { name: summary.label, type: 'integer' };
  if (summary.measure === null) {
    throw new AppError('invalid_input', `the summary "${shown(summary.label)}" lacks a measure`);
  }
  return { name: summary.label, type: summaryType(summary, figureAt(summary.measure, parts)) };
}

function summaryType({ aggregate }: Summary, figure: Figure): ColumnType {
  const keeps = aggregate === 'min' || aggregate === 'max';
  if (!isNumeric(figure.type) && !(keeps && figure.type !== 'boolean')) assertNumber({ ...figure, type: 'text' });
  return keeps || aggregate === 'sum' ? figure.type : 'number';
}

/** As the plan says, then by the dimensions in their order, so that equal figures come out in one order always. */
function orderOf(parts: Parts): readonly string[] {
  const { plan, dimensions, writer } = parts;
  const outputs = outputsOf(parts);
  const ordered = plan.order.map((order) => ({ output: labelled(order, outputs), direction: order.direction }));
  const rest = dimensions.filter(({ label }) => !ordered.some(({ output }) => output.label === label));
  return [
    ...ordered.map(({ output, direction }) => orderTerm(sortKey(output, writer), direction)),
    ...rest.map((dimension) => orderTerm(sortKey(dimension, writer), 'asc')),
  ];
}

function labelled(order: PlanOrder, outputs: readonly (Figure & Partial<Grouping>)[]): Figure & Partial<Grouping> {
  const found = outputs.find(({ label }) => label === order.by);
  if (found) return found;
  throw new AppError('invalid_input', `the plan orders by "${shown(order.by)}", which is no label of it`);
}
