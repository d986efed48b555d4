import type {
  AggregatePlan,
  Comparison,
  Computed,
  Dimension,
  Filter,
  Measure,
  Summary,
  TimePart,
} from '../../ports/analysis-plan.js';
import { rangeWords } from './moments.js';
import { ordinal } from './number-words.js';

type Unlabelled<T> = T extends unknown ? Omit<T, 'label'> : never;

/** Names of columns may be longer than a label can be. */
export const MAX_LABEL = 80;

/** More values than these are counted, not named. */
const SHOWN_VALUES = 12;

/** What stands before and after the column; of two columns between them. */
const FIGURES: Readonly<Record<Exclude<Measure['aggregate'], 'percentile'>, readonly [string, string?]>> = {
  count: ['', ' values'],
  sum: ['total '],
  avg: ['average '],
  min: ['lowest '],
  max: ['highest '],
  median: ['median '],
  stddev: ['standard deviation of '],
  stddev_pop: ['population standard deviation of '],
  variance: ['variance of '],
  variance_pop: ['population variance of '],
  count_distinct: ['different ', ' values'],
  range: ['range of '],
  iqr: ['interquartile range of '],
  mode: ['most frequent '],
  skewness: ['skewness of '],
  skewness_pop: ['population skewness of '],
  kurtosis: ['excess kurtosis of '],
  kurtosis_pop: ['population excess kurtosis of '],
  missing: ['missing ', ' values'],
  product: ['product of '],
  mean_abs_deviation: ['mean absolute deviation of '],
  standard_error: ['standard error of '],
  correlation: ['correlation of ', ' and '],
  rank_correlation: ['rank correlation of ', ' and '],
  covariance: ['covariance of ', ' and '],
  slope: ['slope of ', ' on '],
  intercept: ['intercept of ', ' on '],
  r_squared: ['r-squared of ', ' on '],
};

type FigureName = Pick<Measure, 'aggregate' | 'column' | 'second' | 'parameter'>;

/** `median fare`, `90th percentile of wind`, `number of rows`: the name of a figure, without conditions. */
function nameOfFigure({ aggregate, column, second, parameter }: FigureName): string {
  if (column === null) return 'number of rows';
  if (aggregate === 'percentile') return `${percentileWords(parameter ?? 0.5)} of ${column}`;
  const [before, after = ''] = FIGURES[aggregate];
  const isPair = after === ' and ' || after === ' on ';
  return `${before}${column}${after}${isPair ? (second ?? column) : ''}`;
}

/** 0.9 is the `90th percentile`; quartiles have names of their own. */
function percentileWords(parameter: number): string {
  const percent = Number((parameter * 100).toPrecision(10));
  if (percent === 25) return 'first quartile';
  return percent === 75 ? 'third quartile' : `${ordinal(percent)} percentile`;
}

/** What a figure is called: `median fare`, `number of rows where sex is female`. Not cut, and not yet unique. */
export function labelOfMeasure(measure: Unlabelled<Measure>): string {
  return `${nameOfFigure(measure)}${ownConditions(measure)}`;
}

/** A figure as a sentence names it: `number of different country values where year is 2023`. */
export function measureWords(measure: Unlabelled<Measure>): string {
  return `${bareWords(measure)}${ownConditions(measure)}`;
}

/** The same without its own conditions. */
export function bareWords(measure: Unlabelled<Measure>): string {
  const isNumber = measure.column !== null && ['count', 'count_distinct', 'missing'].includes(measure.aggregate);
  return `${isNumber ? 'number of ' : ''}${nameOfFigure(measure)}`;
}

/** ` where sex is female`, or nothing. */
export function ownConditions({ filters = [] }: Pick<Measure, 'filters'>): string {
  return filters.length === 0 ? '' : ` where ${filters.map(filterWords).join(' and ')}`;
}

const PARTS: Readonly<Record<TimePart, string>> = {
  hour: 'hour of the day',
  weekday: 'weekday',
  month: 'month of the year',
};

export function labelOfDimension(dimension: Unlabelled<Dimension>): string {
  if (dimension.kind === 'column') return dimension.column;
  return dimension.kind === 'bucket' ? dimension.bucket : PARTS[dimension.part];
}

/** `labels` are those of the plan's measures, by index. */
export function labelOfComputed(computed: Unlabelled<Computed>, labels: readonly string[]): string {
  const nameOf = (index: number): string => labels[index] ?? 'figure';
  if ('of' in computed) {
    const of = nameOf(computed.of);
    const series: Readonly<Record<typeof computed.kind, string>> = {
      share: `share of ${of}`,
      cumulative: `running total of ${of}`,
      cumulative_share: `running share of ${of}`,
      change: `change of ${of}`,
      growth: `growth of ${of}`,
      moving_average: `moving average of ${of} over ${computed.window ?? 3}`,
      rank: `rank by ${of}`,
    };
    return series[computed.kind];
  }
  const [left, right] = [nameOf(computed.left), nameOf(computed.right)];
  const pairs: Readonly<Record<typeof computed.kind, string>> = {
    ratio: `ratio of ${left} to ${right}`,
    percent: `${left} as percent of ${right}`,
    difference: `${left} minus ${right}`,
    sum: `${left} plus ${right}`,
    product: `${left} times ${right}`,
    percent_change: `percent change of ${left} against ${right}`,
  };
  return pairs[computed.kind];
}

const SUMMARIES: Readonly<Record<Exclude<Summary['aggregate'], 'count'>, string>> = {
  sum: 'sum of',
  avg: 'average of',
  min: 'lowest',
  max: 'highest',
  median: 'median of',
  stddev: 'standard deviation of',
};

/** `labels` are those of the measures and then of the computed figures. */
export function labelOfSummary({ aggregate, measure }: Unlabelled<Summary>, labels: readonly string[]): string {
  if (aggregate === 'count' || measure === null) return 'number of groups';
  return `${SUMMARIES[aggregate]} ${labels[measure] ?? 'figure'}`;
}

/** `share of total revenue`, `average fare where sex is male minus average fare where sex is female`. */
export function computedWords(computed: Computed, plan: AggregatePlan): string {
  return labelOfComputed(computed, plan.measures.map(measureWords));
}

export function summaryWords(summary: Summary, plan: AggregatePlan): string {
  return labelOfSummary(summary, figureNames(plan));
}

/** The name of the figure of this index, counted through measures and then computed ones. */
export function nameOf(plan: AggregatePlan, index: number): string {
  return figureNames(plan)[index] ?? 'figure';
}

function figureNames(plan: AggregatePlan): readonly string[] {
  return [...plan.measures.map(measureWords), ...(plan.computed ?? []).map((one) => computedWords(one, plan))];
}

export const SIGNS: Readonly<Record<Comparison, string>> = {
  '<': 'below',
  '<=': 'at most',
  '>': 'above',
  '>=': 'at least',
  '=': 'equal to',
  '!=': 'other than',
};

const PLACES = {
  anywhere: ['contains', 'contain'],
  start: ['starts with', 'start with'],
  end: ['ends with', 'end with'],
};

type Of<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;

/** A condition in words: `location is Seattle`, `fare is above the average fare`. */
export function filterWords(filter: Filter): string {
  switch (filter.kind) {
    case 'in':
      return `${filter.column} is ${filter.negated ? 'not ' : ''}${listed(filter.values)}`;
    case 'compare':
      return `${filter.column} is ${SIGNS[filter.operator]} ${filter.value}`;
    case 'between':
      return `${filter.column} is between ${filter.low} and ${filter.high}`;
    case 'time':
      return `${filter.column} is ${rangeWords(filter.from, filter.to)}`;
    case 'contains':
      return containsWords(filter);
    case 'null':
      return `${filter.column} is ${filter.negated ? 'present' : 'missing'}`;
    case 'columns':
      return `${filter.left} is ${SIGNS[filter.operator]} ${filter.right}`;
    case 'against':
      return againstWords(filter);
    case 'outlier':
      return `${filter.column} is ${filter.negated ? 'no' : 'an'} outlier (${outlierWords(filter)})`;
    case 'any':
      return `either ${filter.of.map(allWords).join(' or ')}`;
  }
}

/** What makes a value an outlier. */
function outlierWords({ method, threshold, population }: Of<'outlier'>): string {
  return method === 'iqr'
    ? `further than ${threshold} times the interquartile range from the quartiles`
    : `further than ${threshold} ${population ? 'population ' : ''}standard deviations from the mean`;
}

function listed(values: readonly (string | number | boolean)[]): string {
  const shown = values.slice(0, SHOWN_VALUES).map((value) => (value === '' ? 'empty' : String(value)));
  const rest = values.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} or one of ${rest} more` : shown.join(' or ');
}

function containsWords({ column, text, negated, at = 'anywhere' }: Of<'contains'>): string {
  const [does, plain] = PLACES[at];
  return `${column} ${negated ? `does not ${plain}` : does} “${text}”`;
}

/** The highest of a column is said so; of everything else it is said what it is set against. */
function againstWords(filter: Of<'against'>): string {
  const { column, operator, reach, factor = 1, aggregate, of = column, parameter } = filter;
  const where = reach === 'all' ? ' of all rows' : '';
  const isEnd = operator === '=' && of === column && factor === 1 && (aggregate === 'max' || aggregate === 'min');
  if (isEnd) return `${column} is the ${aggregate === 'max' ? 'highest' : 'lowest'}${where}`;
  const times = factor === 1 ? '' : `${factor} times `;
  return `${column} is ${SIGNS[operator]} ${times}the ${nameOfFigure({ aggregate, column: of, parameter })}${where}`;
}

function allWords(all: readonly Filter[]): string {
  const words = all.map(filterWords).join(' and ');
  return all.length > 1 ? `(${words})` : words;
}
