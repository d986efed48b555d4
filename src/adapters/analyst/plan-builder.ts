import type { AggregatePlan, AnalysisPlan, Dimension, PlanOrder, RowsPlan } from '../../ports/analysis-plan.js';
import type {
  AggregateDraft,
  DimensionDraft,
  Draft,
  OrderDraft,
  RankDraft,
  RowsDraft,
} from '../../analyst/reading/draft.js';
import { labelOfComputed, labelOfDimension, labelOfMeasure, labelOfSummary, MAX_LABEL } from './labels.js';
import type { TableFacts } from './table-facts.js';

/** Gives the parts of a draft their labels and the rows their usual order. */
export function planFrom(draft: Draft, facts: TableFacts): AggregatePlan | RowsPlan {
  return draft.kind === 'rows' ? rowsPlan(draft) : aggregatePlan(draft, facts);
}

function rowsPlan({ kind, derived, columns, distinct, filters, order, limit, skip, each }: RowsDraft): RowsPlan {
  return {
    kind,
    ...(derived === undefined || derived.length === 0 ? {} : { derived }),
    columns,
    ...(distinct === true ? { distinct } : {}),
    filters,
    order,
    limit,
    ...skipOf(skip),
    ...(each === undefined || each.length === 0 ? {} : { each }),
  };
}

function aggregatePlan(draft: AggregateDraft, facts: TableFacts): AggregatePlan {
  const derived = draft.derived ?? [];
  const taken = new Set([...facts.columns.map(({ name }) => name), ...derived.map(({ name }) => name)]);
  const dimensions = draft.dimensions.map((dimension) => labelledDimension(dimension, taken));
  const measures = draft.measures.map((one) => ({ ...one, label: freeLabel(labelOfMeasure(one), taken) }));
  const labels = measures.map(({ label }) => label);
  const computed = (draft.computed ?? []).map((one) => ({
    ...one,
    label: freeLabel(labelOfComputed(one, labels), taken),
  }));
  const figures = [...labels, ...computed.map(({ label }) => label)];
  return {
    kind: 'aggregate',
    ...unlessEmpty('derived', derived),
    measures,
    dimensions,
    ...unlessEmpty('computed', computed),
    filters: draft.filters,
    having: draft.having,
    order: orderOf(draft, { figures, dimensions }, facts),
    limit: draft.rank?.limit ?? null,
    ...skipOf(draft.rank?.skip),
    ...unlessEmpty('each', labelsAt(draft.each, dimensions)),
    ...summaryOf(draft, figures, taken),
  };
}

/** What passes nothing over says nothing of it. */
function skipOf(skip = 0): Pick<AggregatePlan, 'skip'> {
  return skip === 0 ? {} : { skip };
}

/** A list that is optional in a plan is left out where nothing is in it. */
function unlessEmpty<K extends string, T>(name: K, list: readonly T[]): Partial<Record<K, readonly T[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Record<K, readonly T[]>);
}

function labelsAt(places: readonly number[] = [], dimensions: readonly Dimension[]): readonly string[] {
  return places.flatMap((place) => dimensions[place]?.label ?? []);
}

function summaryOf(
  { summary }: AggregateDraft,
  figures: readonly string[],
  taken: Set<string>,
): Pick<AggregatePlan, 'summary'> {
  return summary === undefined
    ? {}
    : { summary: { ...summary, label: freeLabel(labelOfSummary(summary, figures), taken) } };
}

/** A column keeps its own name; a part of time must not take that of another column. */
function labelledDimension(dimension: DimensionDraft, taken: Set<string>): Dimension {
  const label = labelOfDimension(dimension);
  if (dimension.kind === 'column') {
    const named = label.trim().length > 0 && label.length <= MAX_LABEL && label.trim() === label;
    return { ...dimension, label: named ? label : freeLabel(label, taken) };
  }
  const free = taken.has(label) ? freeLabel(`${label} of ${dimension.column}`, taken) : freeLabel(label, taken);
  return { ...dimension, label: free };
}

function freeLabel(wanted: string, taken: Set<string>): string {
  const whole = wanted.trim();
  const short = whole.length > MAX_LABEL - 5 ? `${whole.slice(0, MAX_LABEL - 6).trim()}…` : whole;
  let label = short;
  for (let number = 2; taken.has(label); number += 1) label = `${short} (${number})`;
  taken.add(label);
  return label;
}

interface Labels {
  readonly figures: readonly string[];
  readonly dimensions: readonly Dimension[];
}

/** Groups that have no order of their own come by size, times and numbers in theirs. */
function orderOf(draft: AggregateDraft, labels: Labels, facts: TableFacts): readonly PlanOrder[] {
  const asked = (draft.order ?? []).flatMap((order) => labelledOrder(order, labels));
  const [first] = labels.figures;
  if (asked.length > 0 || first === undefined || draft.summary !== undefined) return asked;
  if (draft.rank !== null) return [rankOrder(draft.rank, first, labels)];
  return comesBySize(draft, facts) ? [{ by: first, direction: 'desc' }] : [];
}

function rankOrder({ figure = 0, direction }: RankDraft, first: string, { figures }: Labels): PlanOrder {
  return { by: figures[figure] ?? first, direction };
}

/** The groups of one column, unless they have an order of their own. */
function comesBySize(draft: AggregateDraft, facts: TableFacts): boolean {
  const [dimension, another] = draft.dimensions;
  const isOne = dimension?.kind === 'column' && another === undefined;
  return isOne && !keepsOrder(dimension.column, draft, facts);
}

function labelledOrder(order: OrderDraft, { figures, dimensions }: Labels): readonly PlanOrder[] {
  const by = 'figure' in order ? figures[order.figure] : dimensions[order.dimension]?.label;
  return by === undefined ? [] : [{ by, direction: order.direction }];
}

/** Numbers, and what is derived from times or intervals, have an order of their own; so has a running total. */
function keepsOrder(column: string, { computed = [] }: AggregateDraft, facts: TableFacts): boolean {
  const role = facts.columns.find(({ name }) => name === column)?.role;
  const runs = computed.some(({ kind }) => kind !== 'share' && kind !== 'rank' && !PAIRS.has(kind));
  return role === undefined || role === 'figure' || runs;
}

const PAIRS: ReadonlySet<string> = new Set(['ratio', 'percent', 'difference', 'sum', 'product', 'percent_change']);

/** A plan as a draft, so that a follow-up can change it; a statistic can't be changed so. */
export function draftFrom(plan: AnalysisPlan): Draft | null {
  if (plan.kind === 'statistic') return null;
  return plan.kind === 'rows' ? plan : aggregateDraft(plan);
}

function aggregateDraft(plan: AggregatePlan): AggregateDraft {
  const { computed = [], measures, dimensions, each = [], summary } = plan;
  const figures = [...measures, ...computed].map(({ label }) => label);
  return {
    kind: 'aggregate',
    derived: plan.derived,
    measures: measures.map(withoutLabel),
    dimensions: dimensions.map(withoutLabel),
    computed: computed.map(withoutLabel),
    filters: plan.filters,
    having: plan.having,
    rank: rankFrom(plan),
    ...(isByFirstFigure(plan) ? {} : { order: plan.order.flatMap((one) => orderDraft(one, figures, dimensions)) }),
    each: each.map((label) => dimensions.findIndex((one) => one.label === label)).filter((place) => place >= 0),
    ...(summary === undefined ? {} : { summary: withoutLabel(summary) }),
  };
}

/** What only comes by size, the highest first, is not ranked: that is usual for groups. */
function rankFrom({ order: [first], limit, skip }: AggregatePlan): RankDraft | null {
  const direction = first?.direction ?? 'desc';
  return limit === null && direction === 'desc' ? null : { direction, limit, ...skipOf(skip) };
}

function isByFirstFigure({ order: [first, another], measures }: AggregatePlan): boolean {
  return another === undefined && (first === undefined || first.by === measures[0]?.label);
}

function orderDraft(
  { by, direction }: PlanOrder,
  figures: readonly string[],
  dimensions: readonly Dimension[],
): readonly OrderDraft[] {
  const figure = figures.indexOf(by);
  if (figure >= 0) return [{ figure, direction }];
  const dimension = dimensions.findIndex(({ label }) => label === by);
  return dimension < 0 ? [] : [{ dimension, direction }];
}

interface Labelled {
  readonly label: string;
}
type WithoutLabel<T> = T extends unknown ? Omit<T, 'label'> : never;

function withoutLabel<T extends Labelled>(part: T): WithoutLabel<T> {
  const { label: _label, ...rest } = part;
  return rest as unknown as WithoutLabel<T>;
}
