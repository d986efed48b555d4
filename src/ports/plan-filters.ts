import type { Aggregate } from './plan-aggregates.js';

export const COMPARISONS = ['<', '<=', '>', '>=', '=', '!='] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Each as it is seen from any moment, such as `now-1w/w`; null: that end stays as it is. */
export interface MovingEnds {
  readonly from: string | null;
  readonly to: string | null;
}

/**
 * Conditions on rows. Text compares without regard to upper and lower case. Times are ISO 8601; ranges are half open. A row without
 * a value in the column fits no condition but `null`. Columns may be derived ones.
 */
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
      readonly operator: Comparison;
      readonly value: number;
    }
  | { readonly kind: 'between'; readonly column: string; readonly low: number; readonly high: number }
  | {
      readonly kind: 'time';
      readonly column: string;
      readonly from: string | null;
      readonly to: string | null;
      /** Ends that move with time: `from` and `to` are what came of them when the plan was made. */
      readonly moving?: MovingEnds | undefined;
    }
  | {
      readonly kind: 'contains';
      readonly column: string;
      readonly text: string;
      readonly negated: boolean;
      /** Where in the cell the text stands; anywhere when it is not said. */
      readonly at?: 'anywhere' | 'start' | 'end' | undefined;
    }
  | { readonly kind: 'null'; readonly column: string; readonly negated: boolean }
  /** Two columns of the same row: both numbers, both times, or both texts (then only `=` and `!=`). */
  | { readonly kind: 'columns'; readonly left: string; readonly operator: Comparison; readonly right: string }
  /**
   * A column of numbers or times against a figure over all rows that fit the plan's `reach`: `matching`, those that fit its other
   * conditions (but neither `against` nor `outlier`), or `all`. `=` with `max` is the rows that hold the highest value.
   */
  | {
      readonly kind: 'against';
      readonly column: string;
      readonly operator: Comparison;
      readonly aggregate: Aggregate;
      /** Of which column the figure is; the same one when it is not said. */
      readonly of?: string | undefined;
      /** For `percentile`: 0 to 1. */
      readonly parameter?: number | undefined;
      /** So many times the figure, above 0; of numbers alone. Once when it is not said. */
      readonly factor?: number | undefined;
      /** Only rows with this value in that column count for the figure: heavier than one that is named. */
      readonly among?: { readonly column: string; readonly value: string | number | boolean } | undefined;
      readonly reach: 'matching' | 'all';
    }
  /**
   * Values far from the rest of those that fit the plan's other conditions. `iqr`: further than `threshold` times the interquartile
   * range below the first or above the third quartile. `zscore`: further than `threshold` standard deviations from the mean.
   */
  | {
      readonly kind: 'outlier';
      readonly column: string;
      readonly method: OutlierMethod;
      readonly threshold: number;
      /** The standard deviation of a population (n) instead of a sample (n - 1). */
      readonly population: boolean;
      readonly negated: boolean;
    }
  /** One of these must hold; each is a list of which all must. Two levels are enough: none of them is an `any` again. */
  | { readonly kind: 'any'; readonly of: readonly (readonly Exclude<Filter, { kind: 'any' }>[])[] };

export const OUTLIER_METHODS = ['iqr', 'zscore'] as const;
export type OutlierMethod = (typeof OUTLIER_METHODS)[number];

/** The columns that a condition speaks of. */
export function columnsOfFilter(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'any':
      return filter.of.flatMap((all) => all.flatMap(columnsOfFilter));
    case 'columns':
      return [filter.left, filter.right];
    case 'against':
      return [
        filter.column,
        ...(filter.of === undefined ? [] : [filter.of]),
        ...(filter.among ? [filter.among.column] : []),
      ];
    case 'in':
    case 'compare':
    case 'between':
    case 'time':
    case 'contains':
    case 'null':
    case 'outlier':
      return [filter.column];
  }
}

/** The columns in which all rows that fit have the same value. */
export function columnsOfOneValue(filters: readonly Filter[]): readonly string[] {
  return filters.flatMap((one) =>
    (one.kind === 'in' || one.kind === 'null') && !one.negated && (one.kind === 'null' || one.values.length === 1)
      ? [one.column]
      : [],
  );
}

/** A table that each row is joined with, along a confirmed relation. A row to which several rows belong comes several times. */
export interface PlanJoin {
  /** Id of the relation. */
  readonly relation: string;
  /** What the joined table is called. Its columns have their own names; one that the plan's table has, too, is `table.column`. */
  readonly table: string;
}
