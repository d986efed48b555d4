/** Of one column, or with `count` of the rows. */
export const SINGLE_AGGREGATES = [
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'median',
  'stddev',
  'count_distinct',
  'stddev_pop',
  'variance',
  'variance_pop',
  'percentile',
  'range',
  'iqr',
  'mode',
  'skewness',
  'skewness_pop',
  'kurtosis',
  'kurtosis_pop',
  'missing',
  'product',
  'mean_abs_deviation',
  'standard_error',
] as const;

/** Of two columns, over the rows that have both. */
export const PAIR_AGGREGATES = [
  'correlation',
  'rank_correlation',
  'covariance',
  'slope',
  'intercept',
  'r_squared',
] as const;

export const AGGREGATES = [...SINGLE_AGGREGATES, ...PAIR_AGGREGATES] as const;
/**
 * `stddev`, `variance` and `covariance` are of a sample (n - 1), `…_pop` of a population (n). `percentile` interpolates linearly between
 * values. `skewness` and `kurtosis` are corrected for bias, `…_pop` are not; kurtosis is the excess over the normal distribution's.
 * `mode` is the most frequent value, of several the lowest. `missing` counts rows without a value. `slope`, `intercept` and `r_squared`
 * are of `column` as it depends on `second`; `rank_correlation` is Spearman's.
 */
export type Aggregate = (typeof AGGREGATES)[number];
