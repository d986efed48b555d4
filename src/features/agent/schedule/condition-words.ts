import type { Operator, Threshold } from './condition.types.js';

const COMPARISONS: Readonly<Record<Operator, (figure: number, value: number) => boolean>> = {
  '<': (figure, value) => figure < value,
  '<=': (figure, value) => figure <= value,
  '>': (figure, value) => figure > value,
  '>=': (figure, value) => figure >= value,
  '=': (figure, value) => figure === value,
  '!=': (figure, value) => figure !== value,
};

const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
  '=': 'equal to',
  '!=': 'other than',
};

export function holds({ operator, value }: Threshold, figure: number): boolean {
  return COMPARISONS[operator](figure, value);
}

/** What a threshold looks at: `average temperature of the last 60 minutes`. */
export function figureWords({ aggregate, column, windowMinutes }: Threshold): string {
  const figure = FIGURE_WORDS[aggregate](column);
  return windowMinutes === null ? figure : `${figure} of the last ${windowMinutes} minutes`;
}

/** How a figure stands to its threshold: `average temperature is 21.3, not above 25`. */
export function verdictWords(threshold: Threshold, figure: number): string {
  const { operator, value } = threshold;
  const not = holds(threshold, figure) ? '' : 'not ';
  return `${figureWords(threshold)} is ${rounded(figure)}, ${not}${OPERATOR_WORDS[operator]} ${rounded(value)}`;
}

type FigureWords = (column: string | null) => string;

const FIGURE_WORDS: Readonly<Record<Threshold['aggregate'], FigureWords>> = {
  count: (column) => (column === null ? 'number of rows' : `number of rows with ${column}`),
  sum: (column) => `total ${column ?? ''}`,
  avg: (column) => `average ${column ?? ''}`,
  min: (column) => `lowest ${column ?? ''}`,
  max: (column) => `highest ${column ?? ''}`,
  median: (column) => `median ${column ?? ''}`,
  stddev: (column) => `standard deviation of ${column ?? ''}`,
  count_distinct: (column) => `number of different values of ${column ?? ''}`,
  stddev_pop: (column) => `population standard deviation of ${column ?? ''}`,
  variance: (column) => `variance of ${column ?? ''}`,
  variance_pop: (column) => `population variance of ${column ?? ''}`,
  range: (column) => `range of ${column ?? ''}`,
  iqr: (column) => `interquartile range of ${column ?? ''}`,
  skewness: (column) => `skewness of ${column ?? ''}`,
  skewness_pop: (column) => `population skewness of ${column ?? ''}`,
  kurtosis: (column) => `kurtosis of ${column ?? ''}`,
  kurtosis_pop: (column) => `population kurtosis of ${column ?? ''}`,
  missing: (column) => `number of rows without ${column ?? ''}`,
  product: (column) => `product of ${column ?? ''}`,
  mean_abs_deviation: (column) => `mean absolute deviation of ${column ?? ''}`,
  standard_error: (column) => `standard error of ${column ?? ''}`,
};

/** Whole numbers exactly, others to four decimals, small ones to six digits. */
function rounded(figure: number): string {
  if (Number.isInteger(figure)) return String(figure);
  return String(Number(Math.abs(figure) < 1 ? figure.toPrecision(6) : figure.toFixed(4)));
}
