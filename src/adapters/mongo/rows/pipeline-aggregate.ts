import type { AggregatePlan, Having, PlanOrder, Summary } from '../../../ports/analysis-plan.js';
import type { ResultColumn } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { type PlanColumns, shown } from '../../../plan/plan-columns.js';
import { assertLabels, assertNumber, summaryColumn } from '../../../plan/plan-figures.js';
import { assertDirection, tighter, wholeLimit, wholeSkip } from '../../../plan/plan-order.js';
import { finite } from '../../../plan/plan-values.js';
import { comparisonFrom } from '../../../plan/plan-words.js';
import type { Stage } from './mongo-table.js';
import { Accumulators } from './pipeline-accumulators.js';
import { computedOf, type ComputedFigure } from './pipeline-computed.js';
import { comparison, matchOf } from './pipeline-conditions.js';
import { type Figure, figuresOf, type Grouping, groupingOf, type Output } from './pipeline-figures.js';
import { emptyFigure, figureTerm } from './pipeline-formulas.js';
import { firstOfEach, sorted, type Sorting, sortingOf } from './pipeline-order.js';
import { type Result, resultStages } from './pipeline-results.js';
import { selectionOf } from './pipeline-selection.js';
import type { PipelineSteps } from './pipeline-steps.js';
import type { Term } from './pipeline-terms.js';
import type { PipelineWriter } from './pipeline-writers.js';

interface Parts {
  readonly plan: AggregatePlan;
  readonly writer: PipelineWriter;
  readonly steps: PipelineSteps;
  readonly dimensions: readonly Grouping[];
  readonly measures: readonly Figure[];
  readonly computed: readonly ComputedFigure[];
  readonly accumulators: Accumulators;
  /** Most rows; the plan's own limit may be lower. */
  readonly most: number | null;
}

/** Figures by groups: the groups under their labels, what is computed from them, the choice. */
export function aggregatePipeline(
  plan: AggregatePlan,
  table: PlanColumns,
  writer: PipelineWriter,
  most: number | null,
): Result {
  wholeLimit(plan.limit);
  wholeSkip(plan.skip);
  const more = plan.measures.flatMap(({ filters = [] }) => filters);
  const context = selectionOf(plan, table, writer, more);
  const dimensions = plan.dimensions.map((dimension) => groupingOf(dimension, context));
  const accumulators = new Accumulators(writer);
  const { figures } = figuresOf(plan.measures, dimensions, context);
  const measures = figures.map((figure) => figure(accumulators));
  const computed = (plan.computed ?? []).map((one) => computedOf(one, { measures, dimensions, writer }));
  const parts = { plan, writer, steps: context.steps, dimensions, measures, computed, accumulators, most };
  assertLabels(outputsOf(parts));
  const summary = plan.summary ? summaryColumn(plan.summary, (index) => figureAt(index, parts)) : null;
  return summary && plan.summary ? summarised(plan.summary, summary, parts) : listed(parts);
}

function outputsOf({ dimensions, measures, computed }: Parts): readonly Output[] {
  return [...dimensions, ...measures, ...computed];
}

function columnOf({ label, type }: Output): ResultColumn {
  return { name: label, type };
}

function isWithinGroups({ each = [], limit }: AggregatePlan): boolean {
  return each.length > 0 && limit !== null;
}

function listed(parts: Parts): Result {
  const { plan, steps, writer, most } = parts;
  const outputs = outputsOf(parts);
  const limit = isWithinGroups(plan) ? most : tighter(plan.limit, most);
  const chosen = choice(parts, limit);
  const stages = [...steps.statement(), ...groups(parts), ...chosen];
  const labels = outputs.map(({ label }) => label);
  const isOne = plan.dimensions.length === 0 && isBare(parts) && (plan.skip ?? 0) === 0;
  return {
    stages: [...stages, ...resultStages(labels, writer, isTidy(parts, chosen))],
    fields: labels.map((label) => writer.label(label)),
    columns: outputs.map(columnOf),
    empty: isOne ? outputs.map(({ empty }) => empty) : null,
  };
}

/** Nothing but the results' own fields is left in the rows. */
function isTidy({ computed }: Parts, chosen: readonly Stage[]): boolean {
  return computed.every(({ stages }) => stages.length === 1) && !chosen.some((stage) => '$set' in stage);
}

function isBare({ plan, computed }: Parts): boolean {
  return plan.having.length === 0 && computed.length === 0 && plan.summary === undefined;
}

/** The groups with all figures, those that the conditions leave. */
function groups(parts: Parts): readonly Stage[] {
  const { computed, plan, dimensions } = parts;
  const one = plan.dimensions.length === 0 && !isBare(parts);
  const own = one ? alwaysOne(parts) : grouped(parts);
  if (dimensions.length === 0 && parts.measures.length === 0) return own;
  const conditions = conditionsOnFigures(parts);
  return [...own, ...computed.flatMap(({ stages }) => stages), ...conditions];
}

function grouped({ accumulators, dimensions, measures, writer }: Parts): readonly Stage[] {
  const key = dimensions.map(({ label, term }) => [writer.label(label), term] as const);
  const fields = [
    ...dimensions.map(
      ({ label }) => [writer.label(label), { $ifNull: [`$_id.${writer.label(label)}`, null] }] as const,
    ),
    ...measures.map(({ label, term }) => [writer.label(label), term] as const),
  ];
  const id = key.length === 0 ? null : Object.fromEntries(key);
  return [...accumulators.stages(id), { $replaceWith: Object.fromEntries(fields) }];
}

/** Without dimensions there is one group, also of no rows at all. */
function alwaysOne(parts: Parts): readonly Stage[] {
  const group = parts.writer.fresh('group');
  const empty = parts.measures.map(({ label, empty: none }) => [parts.writer.label(label), none] as const);
  return [
    { $facet: { [group]: grouped(parts) } },
    { $replaceWith: { $mergeObjects: [Object.fromEntries(empty), { $first: `$${group}` }] } },
  ];
}

function conditionsOnFigures(parts: Parts): readonly Stage[] {
  const conditions = parts.plan.having.map(({ measure, operator, value }) => {
    const figure = figureAt(measure, parts);
    assertNumber(figure);
    const field = parts.writer.label(figure.label);
    return comparison({ term: `$${field}`, field }, comparisonFrom(operator), finite(value));
  });
  return conditions.length === 0 ? [] : [matchOf(conditions)];
}

function figureAt(index: Having['measure'], { measures, computed }: Parts): Output {
  const figure = [...measures, ...computed][index];
  if (!figure) throw new AppError('invalid_input', `the plan speaks of measure ${index}, which it lacks`);
  return figure;
}

/** Of each combination the first ones; then all in their order. */
function choice(parts: Parts, limit: number | null): readonly Stage[] {
  const { plan, writer } = parts;
  const skip = plan.skip ?? 0;
  if (!isWithinGroups(plan) || plan.limit === null) return sorted(orderOf(parts, []), limit, skip);
  const order = orderOf(parts, []);
  const each = eachOf(parts);
  const fields = each.map(({ label }) => writer.label(label));
  return [
    ...firstOfEach(fields, order, { limit: plan.limit, skip, writer }),
    ...sorted(orderOf(parts, each), limit, 0),
  ];
}

function eachOf({ plan, dimensions }: Parts): readonly Grouping[] {
  return (plan.each ?? []).map((label) => {
    const dimension = dimensions.find((one) => one.label === label);
    if (dimension) return dimension;
    throw new AppError('invalid_input', `"${shown(label)}" is no label of a dimension`);
  });
}

/** As the plan says, then by the dimensions in their order, so that equal figures come out in one order always. */
function orderOf(parts: Parts, first: readonly Grouping[]): Sorting {
  const { plan, dimensions, writer } = parts;
  const ordered = plan.order.map((order) => ({
    output: labelled(order, outputsOf(parts)),
    direction: order.direction,
  }));
  const rest = dimensions.filter(({ label }) => !ordered.some(({ output }) => output.label === label));
  const ascending = (output: Output): { readonly output: Output; readonly direction: 'asc' } => ({
    ...{ output, direction: 'asc' },
  });
  const keys = [...first.map(ascending), ...ordered, ...rest.map(ascending)].map(({ output, direction }) => {
    return { field: writer.label(output.label), direction, ranked: output.ranked };
  });
  return sortingOf(keys, writer);
}

function labelled(order: PlanOrder, outputs: readonly Output[]): Output {
  assertDirection(order);
  const found = outputs.find(({ label }) => label === order.by);
  if (found) return found;
  throw new AppError('invalid_input', `the plan orders by "${shown(order.by)}", which is no label of it`);
}

function summarised(summary: Summary, column: ResultColumn, parts: Parts): Result {
  const { plan, steps, writer } = parts;
  const isChosen = plan.limit !== null || (plan.skip ?? 0) > 0;
  const chosen = choice(parts, isWithinGroups(plan) ? null : plan.limit);
  const over = new Accumulators(writer);
  const term = summaryTerm(summary, parts, over);
  const field = writer.label(summary.label);
  const before = [...steps.statement(), ...groups(parts), ...(isChosen ? chosen : [])];
  const figure = [...over.stages(null), { $replaceWith: { [field]: term } }];
  return {
    stages: [...before, ...figure, ...resultStages([summary.label], writer, true)],
    fields: [field],
    columns: [column],
    empty: [emptyFigure(summary.aggregate)],
  };
}

function summaryTerm(summary: Summary, parts: Parts, over: Accumulators): Term {
  if (summary.measure === null) return over.count(null);
  const x = `$${parts.writer.label(figureAt(summary.measure, parts).label)}`;
  return figureTerm(summary.aggregate, { x }, over);
}
