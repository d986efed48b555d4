import type { Aggregate } from './plan-aggregates.js';
import { columnsOfExpression } from './plan-expression.js';
import { columnsOfFilter, type Comparison, type Filter } from './plan-filters.js';
import type { Selection, StatisticPlan } from './plan-statistics.js';

export { AGGREGATES, PAIR_AGGREGATES, SINGLE_AGGREGATES, type Aggregate } from './plan-aggregates.js';
export {
  COMPARISONS,
  OUTLIER_METHODS,
  type Comparison,
  type Filter,
  type MovingEnds,
  type OutlierMethod,
  type PlanJoin,
} from './plan-filters.js';
export type { DerivedColumn, Expression } from './plan-expression.js';
export type { StatisticPlan } from './plan-statistics.js';

export const TIME_BUCKETS = ['minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TimeBucket = (typeof TIME_BUCKETS)[number];

export const TIME_PARTS = ['hour', 'weekday', 'month'] as const;
/** `hour` 0 to 23, `weekday` 1 (Monday) to 7, `month` 1 to 12. */
export type TimePart = (typeof TIME_PARTS)[number];

/** A figure. Without a column it is the count of rows. Result column: `label`. */
export interface Measure {
  readonly aggregate: Aggregate;
  readonly column: string | null;
  readonly label: string;
  /** The other column of a pair aggregate, which the first is set against. */
  readonly second?: string | undefined;
  /** For `percentile`: 0 to 1. */
  readonly parameter?: number | undefined;
  /** Only rows that fit these, too, count for this figure. */
  readonly filters?: readonly Filter[] | undefined;
}

/** What figures are grouped by. Result column: `label`. A column may be a derived one. */
export type Dimension =
  | { readonly kind: 'column'; readonly column: string; readonly label: string }
  | { readonly kind: 'bucket'; readonly column: string; readonly bucket: TimeBucket; readonly label: string }
  | { readonly kind: 'part'; readonly column: string; readonly part: TimePart; readonly label: string };

export const SERIES_KINDS = [
  'share',
  'cumulative',
  'cumulative_share',
  'change',
  'growth',
  'moving_average',
  'rank',
] as const;
/**
 * Of one figure over the groups in the order of the dimensions. `share` is of the sum over all groups, before conditions on figures and
 * limits; `growth` is the change relative to the group before; shares and growth are fractions (0.25 for 25 %). With two dimensions the
 * series runs within each value of those that are no time. `rank` 1 is the highest.
 */
export type SeriesKind = (typeof SERIES_KINDS)[number];

/** A figure that follows from figures of the same plan; `of`, `left` and `right` are indices of measures. Result column: `label`. */
export type Computed =
  | {
      readonly kind: SeriesKind;
      readonly of: number;
      /** Groups of a moving average, this one and those before it. */
      readonly window?: number | undefined;
      readonly label: string;
    }
  /** `ratio` left / right, `percent` 100 * left / right, `percent_change` 100 * (left - right) / right. */
  | {
      readonly kind: 'ratio' | 'percent' | 'difference' | 'sum' | 'product' | 'percent_change';
      readonly left: number;
      readonly right: number;
      readonly label: string;
    };

/** A condition on a figure after grouping; `measure` is its index, counted through measures and then computed ones. */
export interface Having {
  readonly measure: number;
  readonly operator: Comparison;
  readonly value: number;
}

/** One figure over all groups that are left: the average of the counts, or how many groups there are (without a measure). */
export interface Summary {
  readonly aggregate: 'count' | 'sum' | 'avg' | 'min' | 'max' | 'median' | 'stddev';
  /** Counted through measures and then computed ones; `null` with `count`. */
  readonly measure: number | null;
  readonly label: string;
}

/** `by` is the label of a measure, computed figure or dimension of an aggregate plan, or a column of a row list. */
export interface PlanOrder {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

/** Which rows of the result are wanted, and in which order. */
interface Listing extends Selection {
  readonly order: readonly PlanOrder[];
  readonly limit: number | null;
  /** So many of the first ones are passed over: `limit` 1 after 1 is the second. */
  readonly skip?: number | undefined;
  /** Labels of dimensions, or columns of a row list, within each combination of which `limit` counts: the top three of each region. */
  readonly each?: readonly string[] | undefined;
}

/** Figures, grouped by the dimensions; rows come in the order of the dimensions unless `order` says otherwise. */
export interface AggregatePlan extends Listing {
  readonly kind: 'aggregate';
  /** With dimensions and no measures the plan lists their distinct values. */
  readonly measures: readonly Measure[];
  readonly dimensions: readonly Dimension[];
  readonly computed?: readonly Computed[] | undefined;
  readonly having: readonly Having[];
  /** The result is this one figure alone. `order` and `limit` are applied before it. */
  readonly summary?: Summary | undefined;
}

/** Single rows. */
export interface RowsPlan extends Listing {
  readonly kind: 'rows';
  /** Empty: all of the table. */
  readonly columns: readonly string[];
  /** Equal rows come once. */
  readonly distinct?: boolean | undefined;
}

/**
 * A question about one table, as data: what the built-in analyst understands, what a model may write instead of a query, and what
 * the row reader compiles to SQL.
 */
export type AnalysisPlan = AggregatePlan | RowsPlan | StatisticPlan;

/** The columns of the table that a plan reads, each once. */
export function columnsOfPlan(plan: AnalysisPlan): readonly string[] {
  const derived = plan.derived ?? [];
  const own = new Set(derived.map(({ name }) => name));
  const named = [
    ...derived.flatMap(({ expression }) => columnsOfExpression(expression)),
    ...plan.filters.flatMap(columnsOfFilter),
    ...selectedBy(plan),
  ];
  return [...new Set(named)].filter((name) => !own.has(name));
}

function selectedBy(plan: AnalysisPlan): readonly string[] {
  if (plan.kind === 'rows') return [...plan.columns, ...plan.order.map(({ by }) => by), ...(plan.each ?? [])];
  if (plan.kind === 'statistic') return [...plan.columns, ...(plan.by === null ? [] : [plan.by])];
  const measured = plan.measures.flatMap(({ column, second, filters = [] }) => [
    ...[column, second].filter((name) => typeof name === 'string'),
    ...filters.flatMap(columnsOfFilter),
  ]);
  return [...measured, ...plan.dimensions.map(({ column }) => column)];
}
