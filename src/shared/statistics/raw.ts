import type { JsonPrimitive } from '../json.js';

/**
 * What a row engine finds out for a statistic, from which its answer is worked out without the rows: a table, whose columns depend on
 * the method. Only rows that have all the columns count. A variance is that of a sample, a covariance that of a population; ranks begin
 * at 1, and equal values share the mean of theirs; `ties` is the sum of t^3 - t over the sizes t of groups of equal values.
 *
 * - `pearson`, `spearman`: one row: correlation (of ranks), pairs.
 * - `correlation_matrix`: one row: correlation and pairs for each two columns, the first with the second, with the third …
 * - `regression`: one row: rows, the mean of each column, the covariances (first with itself, with the second …; second with itself …).
 * - `welch_t_test`, `student_t_test`: a row per group, at most three, sorted: group, rows, mean, variance.
 * - `mann_whitney`: the same: group, rows, mean, sum of ranks, ties.
 * - `paired_t_test`: one row: pairs, mean of the first, mean of the second, mean of the differences, their variance.
 * - `one_sample_t_test`: one row: rows, mean, variance.
 * - `anova`: one row: groups, rows, sum of squares between groups, within them.
 * - `kruskal_wallis`: one row: groups, rows, sum over groups of rows * (mean rank - mean of all ranks)^2, ties.
 * - `chi_square`: one row: rows, values of the first, values of the second, sum over pairs of count^2 / (count of one * of the other).
 * - `shapiro_wilk`: a row per value, sorted, at most 5,000.
 * - `normality`, `jarque_bera`: one row: rows, skewness, excess kurtosis, both of a population.
 * - `describe`: a row per column, in their order: rows, missing, mean, standard deviation, lowest, quartiles, highest.
 */
export type RawRows = readonly (readonly JsonPrimitive[])[];

export const MOST_SHAPIRO = 5000;

/** A number, or null for whatever is none. */
export function figureAt(row: readonly JsonPrimitive[] | undefined, index: number): number | null {
  const cell = row?.[index];
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
}

/** A count; 0 where there is none. */
export function countAt(row: readonly JsonPrimitive[] | undefined, index: number): number {
  return figureAt(row, index) ?? 0;
}
