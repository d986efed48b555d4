import type { DerivedColumn } from './plan-expression.js';
import type { Filter, PlanJoin } from './plan-filters.js';

export const STATISTIC_METHODS = [
  'pearson',
  'spearman',
  'correlation_matrix',
  'regression',
  'welch_t_test',
  'student_t_test',
  'paired_t_test',
  'one_sample_t_test',
  'mann_whitney',
  'anova',
  'kruskal_wallis',
  'chi_square',
  'shapiro_wilk',
  'normality',
  'jarque_bera',
  'describe',
] as const;
/**
 * What is worked out, of which columns, and the result's columns (in this order). P-values are two-sided; rows that lack a value in one
 * of the columns are left out.
 *
 * - `pearson`, `spearman`: two columns: `correlation`, `p-value`, `pairs`.
 * - `correlation_matrix`: two to 20 columns: `first`, `second`, `correlation`, `p-value`, `pairs`, a row per pair, strongest first.
 * - `regression`: least squares of the first column on the one to 10 others: `term`, `coefficient`, `standard error`, `t`, `p-value`,
 *   a row for the `intercept`, one per column, one `r-squared` and one `root mean squared error` (their figure as the coefficient); with
 *   `at` one row `prediction` more.
 * - `welch_t_test`, `student_t_test`, `mann_whitney`: one column and `by` with exactly two values: `statistic`, `p-value`,
 *   `degrees of freedom` (null for Mann-Whitney), `mean of <a>`, `mean of <b>`.
 * - `paired_t_test`: two columns, same result with their names; `one_sample_t_test`: one column against `value`.
 * - `anova`, `kruskal_wallis`: one column and `by`: `statistic`, `p-value`, `groups`, `rows`.
 * - `chi_square`: two columns of categories (no correction for continuity): `statistic`, `p-value`, `degrees of freedom`, `rows`.
 * - `shapiro_wilk` (3 to 5,000 values, of more an even sample of 5,000), `normality` (D'Agostino and Pearson, from 8 values),
 *   `jarque_bera`: one column:
 *   `statistic`, `p-value`, `rows`.
 * - `describe`: up to 50 columns: `column`, `rows`, `missing`, `mean`, `standard deviation`, `lowest`, `25 %`, `median`, `75 %`, `highest`.
 */
export type StatisticMethod = (typeof STATISTIC_METHODS)[number];

/** Of which rows, with which columns, a plan is. */
export interface Selection {
  readonly join?: PlanJoin | undefined;
  readonly derived?: readonly DerivedColumn[] | undefined;
  /** All must hold. */
  readonly filters: readonly Filter[];
}

/** A statistic whose result is more than one figure per group. */
export interface StatisticPlan extends Selection {
  readonly kind: 'statistic';
  readonly method: StatisticMethod;
  /** Numbers (categories for `chi_square`); derived ones may be among them. */
  readonly columns: readonly string[];
  /** The column that tells the groups. */
  readonly by: string | null;
  /** For `regression`: a value for each column after the first. */
  readonly at?: readonly number[] | undefined;
  /** For `one_sample_t_test`. */
  readonly value?: number | undefined;
}
