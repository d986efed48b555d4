import type { Aggregate, OutlierMethod, StatisticPlan } from '../../../ports/analysis-plan.js';
import type { DurationUnit, NumberFunction } from '../../../ports/plan-expression.js';

export type Term = 'slope' | 'intercept' | 'r-squared' | 'root mean squared error' | 'p-value' | 'standard error';

/** What a phrase of a statistics question means. */
export type Mark =
  | { readonly kind: 'figure'; readonly aggregate: Aggregate; readonly parameter?: number }
  | { readonly kind: 'quartiles'; readonly parameters: readonly number[] }
  | { readonly kind: 'variation' }
  /** A mean in which rows count as much as another column says. */
  | { readonly kind: 'weighted' }
  /** The time from one moment to another, which follow. */
  | { readonly kind: 'span'; readonly unit: DurationUnit }
  | { readonly kind: 'relation'; readonly method: 'pearson' | 'spearman' | null; readonly loose: boolean }
  | { readonly kind: 'matrix' }
  | { readonly kind: 'covariance' }
  | { readonly kind: 'regression' }
  | { readonly kind: 'predict' }
  | { readonly kind: 'term'; readonly term: Term }
  /** The columns before it (or, where it leads, after it) are what is explained, or what explains. */
  | { readonly kind: 'role'; readonly role: 'response' | 'predictor'; readonly leads: boolean }
  | { readonly kind: 'test'; readonly method: StatisticPlan['method'] | 't_test' }
  | { readonly kind: 'equal variances' }
  | { readonly kind: 'normality'; readonly method: 'shapiro_wilk' | 'normality' | 'jarque_bera' | null }
  | { readonly kind: 'significant' }
  | { readonly kind: 'level'; readonly level: number }
  | { readonly kind: 'outliers' }
  | { readonly kind: 'method'; readonly method: OutlierMethod; readonly threshold: number | null }
  | { readonly kind: 'factor'; readonly value: number }
  | { readonly kind: 'bounds' }
  | { readonly kind: 'both ways' }
  | { readonly kind: 'removing' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'complete' }
  /** Rows that have the values asked about: nothing else is counted anyway. */
  | { readonly kind: 'present' }
  | { readonly kind: 'any missing' }
  | { readonly kind: 'describe' }
  | { readonly kind: 'all columns' }
  | { readonly kind: 'which column'; readonly of: 'highest' | 'lowest' | null }
  | { readonly kind: 'scale'; readonly method: 'zscore' | 'minmax' | null }
  | { readonly kind: 'function'; readonly function: NumberFunction }
  | { readonly kind: 'arithmetic'; readonly operator: '+' | '-' | '*' | '/' }
  | { readonly kind: 'bracket'; readonly open: boolean }
  /** Stands before what it joins: `difference between a and b`. */
  | { readonly kind: 'combine'; readonly operator: '+' | '-' | '*' | '/' }
  | { readonly kind: 'bins'; readonly count: number; readonly equal: 'width' | 'rows' }
  | { readonly kind: 'fill' }
  | { readonly kind: 'population'; readonly population: boolean }
  /** `of`: the yes-or-no column whose rate it is. */
  | { readonly kind: 'share'; readonly as: 'percent' | 'ratio'; readonly of?: string }
  | { readonly kind: 'each' }
  | { readonly kind: 'reference' }
  | {
      readonly kind: 'series';
      readonly series: 'moving_average' | 'cumulative' | 'growth';
      readonly window: number | null;
    }
  | { readonly kind: 'beyond'; readonly what: string };

export type MarkKind = Mark['kind'];
export type MarkOf<K extends MarkKind> = Extract<Mark, { kind: K }>;
