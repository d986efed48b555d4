import type { AnalysisPlan, Dimension, Measure, PlanOrder } from '../../ports/analysis-plan.js';
import type { DimensionDraft, Draft, MeasureDraft } from './draft.js';
import type { TableFacts } from './table-facts.js';

const MEASURE_LABELS: Readonly<Record<MeasureDraft['aggregate'], (column: string) => string>> = {
  count: (column) => `${column} values`,
  sum: (column) => `total ${column}`,
  avg: (column) => `average ${column}`,
  min: (column) => `lowest ${column}`,
  max: (column) => `highest ${column}`,
  median: (column) => `median ${column}`,
  stddev: (column) => `standard deviation of ${column}`,
  count_distinct: (column) => `different ${column} values`,
};

const PART_LABELS = { hour: 'hour of the day', weekday: 'weekday', month: 'month of the year' } as const;

/** Gives the parts of a draft their labels and the rows their usual order. */
export function planFrom(draft: Draft, facts: TableFacts): AnalysisPlan {
  if (draft.kind === 'rows') {
    const { columns, filters, order, limit } = draft;
    return { kind: 'rows', columns, filters, order: order === null ? [] : [order], limit };
  }
  const taken = new Set(facts.columns.map(({ name }) => name));
  const dimensions = draft.dimensions.map((dimension) => labelledDimension(dimension, taken));
  const measures = draft.measures.map((measure) => labelledMeasure(measure, taken));
  return {
    kind: 'aggregate',
    measures,
    dimensions,
    filters: draft.filters,
    having: draft.having,
    order: orderOf(draft, measures, facts),
    limit: draft.rank?.limit ?? null,
  };
}

function labelledMeasure(measure: MeasureDraft, taken: Set<string>): Measure {
  const label = measure.column === null ? 'number of rows' : MEASURE_LABELS[measure.aggregate](measure.column);
  return { ...measure, label: freeLabel(label, taken) };
}

/** A column keeps its own name; a part of time must not take that of another column. */
function labelledDimension(dimension: DimensionDraft, taken: Set<string>): Dimension {
  if (dimension.kind === 'column') {
    const named =
      dimension.column.trim().length > 0 &&
      dimension.column.length <= MAX_LABEL &&
      dimension.column.trim() === dimension.column;
    return { ...dimension, label: named ? dimension.column : freeLabel(dimension.column, taken) };
  }
  const label = dimension.kind === 'bucket' ? dimension.bucket : PART_LABELS[dimension.part];
  const free = taken.has(label) ? freeLabel(`${label} of ${dimension.column}`, taken) : freeLabel(label, taken);
  return { ...dimension, label: free };
}

/** Names of columns may be longer than a label can be. */
const MAX_LABEL = 80;

function freeLabel(wanted: string, taken: Set<string>): string {
  const short =
    wanted.trim().length > MAX_LABEL - 5
      ? `${wanted
          .trim()
          .slice(0, MAX_LABEL - 6)
          .trim()}…`
      : wanted.trim();
  let label = short;
  for (let number = 2; taken.has(label); number += 1) label = `${short} (${number})`;
  taken.add(label);
  return label;
}

/** Groups that have no order of their own come by size, times and numbers in theirs. */
function orderOf(
  draft: Draft & { kind: 'aggregate' },
  measures: readonly Measure[],
  facts: TableFacts,
): readonly PlanOrder[] {
  const [measure] = measures;
  if (measure === undefined) return [];
  if (draft.rank !== null) return [{ by: measure.label, direction: draft.rank.direction }];
  const [dimension, second] = draft.dimensions;
  if (dimension?.kind !== 'column' || second !== undefined) return [];
  const role = facts.columns.find(({ name }) => name === dimension.column)?.role;
  return role === 'figure' ? [] : [{ by: measure.label, direction: 'desc' }];
}

/** A plan as a draft, so that a follow-up can change it. */
export function draftFrom(plan: AnalysisPlan): Draft {
  const [order] = plan.order;
  if (plan.kind === 'rows')
    return { kind: 'rows', columns: plan.columns, filters: plan.filters, order: order ?? null, limit: plan.limit };
  const ranks = order !== undefined && (plan.limit !== null || order.direction === 'asc');
  return {
    kind: 'aggregate',
    measures: plan.measures.map(({ aggregate, column }) => ({ aggregate, column })),
    dimensions: plan.dimensions.map(withoutLabel),
    filters: plan.filters,
    having: plan.having,
    rank: ranks ? { direction: order.direction, limit: plan.limit } : null,
  };
}

function withoutLabel({ label: _label, ...dimension }: Dimension): DimensionDraft {
  return dimension;
}
