import type { AggregatePlan, AnalysisPlan, Dimension, PlanOrder, RowsPlan } from '../../ports/analysis-plan.js';
import { labelOfComputed, labelOfDimension, labelOfMeasure, labelOfSummary, MAX_LABEL } from '../../plan/wording.js';
import type { AggregateDraft, DimensionDraft, RankDraft, Sketch } from './draft.js';
import type { TableFacts } from './table.js';

/** Gives the parts of a sketch their labels and the rows their usual order. */
export function planOf(sketch: Sketch, facts: TableFacts): AnalysisPlan {
  switch (sketch.kind) {
    case 'rows':
      return rowsPlan(sketch);
    case 'aggregate':
      return aggregatePlan(sketch, facts);
    case 'statistic':
      return sketch;
  }
}

function rowsPlan({ kind, derived, columns, distinct, filters, order, limit, skip, each }: RowsPlan): RowsPlan {
  return {
    kind,
    ...unlessEmpty('derived', derived),
    columns,
    ...(distinct === true ? { distinct } : {}),
    filters,
    order,
    limit,
    ...skipOf(skip),
    ...unlessEmpty('each', each),
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
  const summary =
    draft.summary === undefined
      ? {}
      : { summary: { ...draft.summary, label: freeLabel(labelOfSummary(draft.summary, figures), taken) } };
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
    ...unlessEmpty(
      'each',
      (draft.each ?? []).flatMap((place) => dimensions[place]?.label ?? []),
    ),
    ...summary,
  };
}

/** What passes nothing over says nothing of it. */
function skipOf(skip = 0): { readonly skip?: number } {
  return skip === 0 ? {} : { skip };
}

/** A list that is optional in a plan is left out where nothing is in it. */
function unlessEmpty<K extends string, T>(name: K, list: readonly T[] = []): Partial<Record<K, readonly T[]>> {
  return list.length === 0 ? {} : ({ [name]: list } as Record<K, readonly T[]>);
}

/** A column keeps its own name; a part of time must not take that of another column. */
function labelledDimension(dimension: DimensionDraft, taken: Set<string>): Dimension {
  const label = labelOfDimension(dimension);
  if (dimension.kind === 'column') {
    const isPlain = label.trim().length > 0 && label.length <= MAX_LABEL && label.trim() === label;
    return { ...dimension, label: isPlain ? label : freeLabel(label, taken) };
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
function orderOf(draft: AggregateDraft, { figures, dimensions }: Labels, facts: TableFacts): readonly PlanOrder[] {
  const asked = (draft.order ?? []).flatMap((order): readonly PlanOrder[] => {
    const by = 'figure' in order ? figures[order.figure] : dimensions[order.dimension]?.label;
    return by === undefined ? [] : [{ by, direction: order.direction }];
  });
  const [first] = figures;
  if (first === undefined || draft.summary !== undefined) return asked;
  if (draft.rank !== null) return [rankOrder(draft.rank, first, figures)];
  if (asked.length > 0) return asked;
  return comesBySize(draft, facts) ? [{ by: first, direction: 'desc' }] : [];
}

function rankOrder({ figure = 0, direction }: RankDraft, first: string, figures: readonly string[]): PlanOrder {
  return { by: figures[figure] ?? first, direction };
}

/** The groups of one column of texts come by size; numbers have an order of their own. */
function comesBySize({ dimensions: [dimension, another] }: AggregateDraft, { columns }: TableFacts): boolean {
  if (dimension?.kind !== 'column' || another !== undefined) return false;
  return columns.some(({ name, isNumber, kind }) => name === dimension.column && !isNumber && kind !== 'time');
}
