export const AGGREGATES = ['count', 'sum', 'avg', 'min', 'max', 'median', 'stddev', 'count_distinct'] as const;
export type Aggregate = (typeof AGGREGATES)[number];

export const TIME_BUCKETS = ['hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type TimeBucket = (typeof TIME_BUCKETS)[number];

export const TIME_PARTS = ['hour', 'weekday', 'month'] as const;
/** `hour` 0 to 23, `weekday` 1 (Monday) to 7, `month` 1 to 12. */
export type TimePart = (typeof TIME_PARTS)[number];

/** A figure. Without a column it is the count of rows. Result column: `label`. */
export interface Measure {
  readonly aggregate: Aggregate;
  readonly column: string | null;
  readonly label: string;
}

/** What figures are grouped by. Result column: `label`. */
export type Dimension =
  | { readonly kind: 'column'; readonly column: string; readonly label: string }
  | { readonly kind: 'bucket'; readonly column: string; readonly bucket: TimeBucket; readonly label: string }
  | { readonly kind: 'part'; readonly column: string; readonly part: TimePart; readonly label: string };

/** Conditions on rows. Text compares without regard to upper and lower case. Times are ISO 8601; ranges are half open. */
export type Filter =
  | {
      readonly kind: 'in';
      readonly column: string;
      readonly values: readonly (string | number | boolean)[];
      readonly negated: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly column: string;
      readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!=';
      readonly value: number;
    }
  | { readonly kind: 'between'; readonly column: string; readonly low: number; readonly high: number }
  | { readonly kind: 'time'; readonly column: string; readonly from: string | null; readonly to: string | null }
  | { readonly kind: 'contains'; readonly column: string; readonly text: string; readonly negated: boolean }
  | { readonly kind: 'null'; readonly column: string; readonly negated: boolean };

/** A condition on a figure after grouping; `measure` is its index. */
export interface Having {
  readonly measure: number;
  readonly operator: '<' | '<=' | '>' | '>=' | '=' | '!=';
  readonly value: number;
}

/** `by` is the label of a measure or dimension of an aggregate plan, or a column of a row list. */
export interface PlanOrder {
  readonly by: string;
  readonly direction: 'asc' | 'desc';
}

/**
 * A question about one table, as data: what the built-in analyst understands, what a model may write instead of a query, and what
 * each row engine compiles to its own language. All filters must hold.
 *
 * `aggregate`: figures, grouped by the dimensions; rows come in the order of the dimensions unless `order` says otherwise.
 * With dimensions and no measures it lists their distinct values. `rows`: single rows with these columns (empty: all).
 */
export type AnalysisPlan =
  | {
      readonly kind: 'aggregate';
      readonly measures: readonly Measure[];
      readonly dimensions: readonly Dimension[];
      readonly filters: readonly Filter[];
      readonly having: readonly Having[];
      readonly order: readonly PlanOrder[];
      readonly limit: number | null;
    }
  | {
      readonly kind: 'rows';
      readonly columns: readonly string[];
      readonly filters: readonly Filter[];
      readonly order: readonly PlanOrder[];
      readonly limit: number | null;
    };
