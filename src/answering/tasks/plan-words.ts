import type { AnalysisPlan, Dimension, Filter, Measure, TimeBucket } from '../../ports/analysis-plan.js';
import { nextBucket } from './buckets.js';
import { momentWords, numberWords } from './markdown-words.js';

type ColumnWords = (column: string, second: string, parameter: number) => string;

const AGGREGATES: Readonly<Record<Measure['aggregate'], ColumnWords>> = {
  count: (column) => `number of ${column} values`,
  sum: (column) => `total ${column}`,
  avg: (column) => `average ${column}`,
  min: (column) => `lowest ${column}`,
  max: (column) => `highest ${column}`,
  median: (column) => `median ${column}`,
  stddev: (column) => `standard deviation of ${column}`,
  count_distinct: (column) => `number of different ${column} values`,
  stddev_pop: (column) => `population standard deviation of ${column}`,
  variance: (column) => `variance of ${column}`,
  variance_pop: (column) => `population variance of ${column}`,
  percentile: (column, _, parameter) => `percentile ${Number((parameter * 100).toFixed(4))} of ${column}`,
  range: (column) => `range of ${column}`,
  iqr: (column) => `interquartile range of ${column}`,
  mode: (column) => `most frequent ${column}`,
  skewness: (column) => `skewness of ${column}`,
  skewness_pop: (column) => `population skewness of ${column}`,
  kurtosis: (column) => `kurtosis of ${column}`,
  kurtosis_pop: (column) => `population kurtosis of ${column}`,
  missing: (column) => `number of rows without ${column}`,
  product: (column) => `product of ${column}`,
  mean_abs_deviation: (column) => `mean absolute deviation of ${column}`,
  standard_error: (column) => `standard error of ${column}`,
  correlation: (column, second) => `correlation of ${column} and ${second}`,
  rank_correlation: (column, second) => `rank correlation of ${column} and ${second}`,
  covariance: (column, second) => `covariance of ${column} and ${second}`,
  slope: (column, second) => `slope of ${column} over ${second}`,
  intercept: (column, second) => `intercept of ${column} over ${second}`,
  r_squared: (column, second) => `r² of ${column} over ${second}`,
};

/** `average wind`, `total fare where class = 1`. */
export function measureWords(measure: Omit<Measure, 'label'>): string {
  const { aggregate, column, second = '', parameter = 0.5, filters = [] } = measure;
  const words = column === null ? 'number of rows' : AGGREGATES[aggregate](column, second, parameter);
  const conditions = filters.flatMap(filterWords).join(' and ');
  return conditions === '' ? words : `${words} where ${conditions}`;
}

/** `month`, `location`, `hour of the day`. */
export function dimensionWords(dimension: Dimension): string {
  if (dimension.kind === 'column') return dimension.column;
  if (dimension.kind === 'bucket') return dimension.bucket;
  return { hour: 'hour of the day', weekday: 'weekday', month: 'month of the year' }[dimension.part];
}

const SIGNS = { '<': 'below', '<=': 'at most', '>': 'above', '>=': 'at least', '=': '=', '!=': 'other than' } as const;
const SHOWN_VALUES = 5;
const DAY = 86_400_000;

/** The conditions of a plan in words: `location is Seattle and date in May 2024`. `except`: times of this column are said elsewhere. */
export function conditionsOf(plan: AnalysisPlan, except: string | null = null): string {
  const filters = plan.filters.filter((filter) => filter.kind !== 'time' || filter.column !== except);
  const having = plan.kind === 'aggregate' ? plan.having : [];
  const figures = plan.kind === 'aggregate' ? [...plan.measures, ...(plan.computed ?? [])] : [];
  return [
    ...filters.flatMap(filterWords),
    ...having.map(({ measure, operator, value }) => {
      return `${figures[measure]?.label ?? 'figure'} ${SIGNS[operator]} ${numberWords(value)}`;
    }),
  ].join(' and ');
}

function filterWords(filter: Filter): readonly string[] {
  switch (filter.kind) {
    case 'any':
      return [`(${filter.of.map((all) => all.flatMap(filterWords).join(' and ')).join(' or ')})`];
    case 'columns':
      return [`${filter.left} ${SIGNS[filter.operator]} ${filter.right}`];
    case 'time':
      return filter.from === null && filter.to === null
        ? []
        : [`${filter.column} is ${timeWords(filter.from, filter.to)}`];
    case 'null':
      // That what is ranked has a value goes without saying.
      return filter.negated ? [] : [`${filter.column} has no value`];
    case 'in':
    case 'compare':
    case 'between':
    case 'contains':
    case 'against':
    case 'outlier':
      return [`${filter.column} ${valueWords(filter)}`];
  }
}

type ValueFilter = Extract<Filter, { kind: 'in' | 'compare' | 'between' | 'contains' | 'against' | 'outlier' }>;

/** What a column's value must be. */
function valueWords(filter: ValueFilter): string {
  switch (filter.kind) {
    case 'in':
      return `is ${filter.negated ? 'not ' : ''}${listed(filter.values)}`;
    case 'compare':
      return `${SIGNS[filter.operator]} ${numberWords(filter.value)}`;
    case 'between':
      return `between ${numberWords(filter.low)} and ${numberWords(filter.high)}`;
    case 'contains':
      return `${PLACES[filter.at ?? 'anywhere'][filter.negated ? 1 : 0]} “${filter.text}”`;
    case 'against':
      return `${SIGNS[filter.operator]} ${timesWords(filter)}the ${measureWords({ ...filter, column: filter.of ?? filter.column })}`;
    case 'outlier':
      return `${filter.negated ? 'without' : 'among its'} outliers (${filter.method}, ${numberWords(filter.threshold)})`;
  }
}

function timesWords({ factor }: Extract<Filter, { kind: 'against' }>): string {
  return factor === undefined ? '' : `${numberWords(factor)} times `;
}

const PLACES = {
  anywhere: ['contains', 'does not contain'],
  start: ['starts with', 'does not start with'],
  end: ['ends with', 'does not end with'],
} as const;

function listed(values: readonly (string | number | boolean)[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map(String);
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}

const WHOLE = ['year', 'quarter', 'month', 'day'] as const;

/** A half open range: `in May 2024`, `from 2024-05-20 to 2024-05-26`, `before 2012`. */
function timeWords(from: string | null, to: string | null): string {
  if (from === null) return `before ${momentWords(to ?? '', null)}`;
  if (to === null) return `from ${momentWords(from, null)} on`;
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const unit = WHOLE.find((one) => isStartOf(start, one) && nextBucket(start, one) === end);
  if (unit !== undefined) return `${unit === 'day' ? 'on' : 'in'} ${momentWords(from, unit)}`;
  const last = start % DAY === 0 && end % DAY === 0 ? new Date(end - DAY).toISOString() : to;
  return `from ${momentWords(from, null)} to ${momentWords(last, null)}`;
}

function isStartOf(time: number, unit: (typeof WHOLE)[number]): boolean {
  const date = new Date(time);
  if (time % DAY !== 0) return false;
  if (unit === 'day') return true;
  const month = date.getUTCMonth();
  return date.getUTCDate() === 1 && (unit === 'month' || month % (unit === 'quarter' ? 3 : 12) === 0);
}

/** A result column that is a time cut into pieces. */
export function bucketOf(plan: AnalysisPlan | null, column: string): TimeBucket | null {
  if (plan?.kind !== 'aggregate') return null;
  const dimension = plan.dimensions.find(({ label }) => label === column);
  return dimension?.kind === 'bucket' ? dimension.bucket : null;
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const MONTHS = 'January February March April May June July August September October November December'.split(' ');

/** The number of an hour, weekday or month as people say it. */
export function partWords(dimension: Dimension | undefined, value: number): string | null {
  if (dimension?.kind !== 'part') return null;
  if (dimension.part === 'weekday') return WEEKDAYS[value - 1] ?? null;
  if (dimension.part === 'month') return MONTHS[value - 1] ?? null;
  return `${String(value).padStart(2, '0')}:00`;
}
