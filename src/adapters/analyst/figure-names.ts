import type { Measure } from '../../ports/analysis-plan.js';

export type PairAggregate = 'correlation' | 'rank_correlation' | 'covariance' | 'slope' | 'intercept' | 'r_squared';

const SINGLE: Readonly<
  Record<Exclude<Measure['aggregate'], PairAggregate | 'percentile'>, (column: string) => string>
> = {
  count: (column) => `${column} values`,
  sum: (column) => `total ${column}`,
  avg: (column) => `average ${column}`,
  min: (column) => `lowest ${column}`,
  max: (column) => `highest ${column}`,
  median: (column) => `median ${column}`,
  stddev: (column) => `standard deviation of ${column}`,
  stddev_pop: (column) => `population standard deviation of ${column}`,
  variance: (column) => `variance of ${column}`,
  variance_pop: (column) => `population variance of ${column}`,
  count_distinct: (column) => `different ${column} values`,
  range: (column) => `range of ${column}`,
  iqr: (column) => `interquartile range of ${column}`,
  mode: (column) => `most frequent ${column}`,
  skewness: (column) => `skewness of ${column}`,
  skewness_pop: (column) => `population skewness of ${column}`,
  kurtosis: (column) => `excess kurtosis of ${column}`,
  kurtosis_pop: (column) => `population excess kurtosis of ${column}`,
  missing: (column) => `missing ${column} values`,
  product: (column) => `product of ${column}`,
  mean_abs_deviation: (column) => `mean absolute deviation of ${column}`,
  standard_error: (column) => `standard error of ${column}`,
};

const PAIRS: Readonly<Record<PairAggregate, (column: string, second: string) => string>> = {
  correlation: (column, second) => `correlation of ${column} and ${second}`,
  rank_correlation: (column, second) => `rank correlation of ${column} and ${second}`,
  covariance: (column, second) => `covariance of ${column} and ${second}`,
  slope: (column, second) => `slope of ${column} on ${second}`,
  intercept: (column, second) => `intercept of ${column} on ${second}`,
  r_squared: (column, second) => `r-squared of ${column} on ${second}`,
};

/** What a figure is of. */
export type FigureName = Pick<Measure, 'aggregate' | 'column' | 'second' | 'parameter'>;

/** `median fare`, `90th percentile of wind`, `number of rows`: the name of a figure, without conditions. */
export function nameOfFigure({ aggregate, column, second, parameter }: FigureName): string {
  if (column === null) return 'number of rows';
  if (aggregate === 'percentile') return `${percentileWords(parameter ?? 0.5)} of ${column}`;
  return isPair(aggregate) ? PAIRS[aggregate](column, second ?? column) : SINGLE[aggregate](column);
}

/** 0.9 is the `90th percentile`; quartiles have names of their own. */
export function percentileWords(parameter: number): string {
  const percent = Number((parameter * 100).toPrecision(10));
  if (percent === 25) return 'first quartile';
  if (percent === 75) return 'third quartile';
  return `${percent}${ordinalEnd(percent)} percentile`;
}

function ordinalEnd(number: number): string {
  const [last, lastTwo] = [number % 10, number % 100];
  if (!Number.isInteger(number) || (lastTwo >= 11 && lastTwo <= 13)) return 'th';
  return { 1: 'st', 2: 'nd', 3: 'rd' }[last] ?? 'th';
}

/** Whether it is a figure of two columns. */
export function isPair(aggregate: Measure['aggregate']): aggregate is PairAggregate {
  return Object.hasOwn(PAIRS, aggregate);
}
