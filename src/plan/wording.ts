import type {
  AggregatePlan,
  AnalysisPlan,
  Comparison,
  Computed,
  DerivedColumn,
  Dimension,
  Expression,
  Filter,
  Measure,
  PlanOrder,
  RowsPlan,
  StatisticPlan,
  Summary,
  TimePart,
} from '../ports/analysis-plan.js';
import { joined, ordinal, placeWords, withArticle } from '../shared/number-words.js';
import { METHODS } from './plan-methods.js';
import { partWords, rangeWords } from './time-words.js';

/** More figures, columns, cases and edges than these are counted, not named. */
const SHOWN = 6;

/** The question as it was understood: `total revenue by country, where channel is online, the 5 highest`. */
export function purposeOf(plan: AnalysisPlan): string {
  const derived = (plan.derived ?? []).flatMap((column) => derivedWords(column) ?? []);
  const taken = derived.length === 0 ? [] : [`taking that ${joined(derived)}`];
  return [subjectOf(plan), ...joinWords(plan), ...whereWords(plan), ...taken, ...choiceWords(plan)].join(', ');
}

/** The same above a picture: without how its columns came about, and of one figure where it shows no other. */
export function pictureWords(plan: AnalysisPlan, figure: string | null = null): string {
  const shown = plan.kind === 'statistic' ? { ...plan, at: undefined } : plan;
  const subject =
    plan.kind === 'aggregate' && figure !== null ? groupedWords([figure], plan.dimensions) : subjectOf(shown);
  return [subject, ...joinWords(plan), ...whereWords(plan), ...choiceWords(plan)].join(', ');
}

/** The filters in words, but that what is ranked by is there goes without saying. */
export function conditionsOf(plan: AnalysisPlan): readonly string[] {
  return plan.filters.filter((filter) => isSaid(filter, plan)).map((filter) => filterWords(filter, plan.derived));
}

/** The conditions on figures in words: `total revenue is above 100`. */
export function figureConditionsOf(plan: AnalysisPlan): readonly string[] {
  if (plan.kind !== 'aggregate') return [];
  return plan.having.map(({ measure, operator, value }) => `${nameOf(plan, measure)} is ${SIGNS[operator]} ${value}`);
}

export function isSaid(filter: Filter, plan: AnalysisPlan): boolean {
  const ranked = plan.kind === 'rows' ? plan.order[0]?.by : undefined;
  return !(filter.kind === 'null' && filter.negated && filter.column === ranked);
}

/** The table that the rows are joined with. */
export function joinWords({ join }: AnalysisPlan): readonly string[] {
  return join === undefined ? [] : [`joined with ${join.table}`];
}

function whereWords(plan: AnalysisPlan): readonly string[] {
  const conditions = conditionsOf(plan);
  return conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`];
}

function subjectOf(plan: AnalysisPlan): string {
  switch (plan.kind) {
    case 'rows':
      return rowsWords(plan);
    case 'statistic':
      return statisticWords(plan);
    case 'aggregate':
      return aggregateWords(plan);
  }
}

function rowsWords(plan: RowsPlan): string {
  const { columns, distinct, order, limit, each } = plan;
  const subject = `${distinct === true ? 'different ' : ''}${columns.length === 0 ? 'rows' : few(columns)}`;
  const [first] = order;
  if (first !== undefined)
    return columns.length === 0 ? rankedRows(plan, first) : `${subject} of ${rankedRows(plan, first)}`;
  const within = withinWords(each);
  return limit === null || within === '' ? subject : `${subject}, the first ${limit}${within}`;
}

function rankedRows({ limit, skip, each }: RowsPlan, { by, direction }: PlanOrder): string {
  const end = `${placeWords(skip)}${direction === 'desc' ? 'highest' : 'lowest'}`;
  if (limit === null) return `rows by ${by}, ${end} first`;
  return `the ${limit === 1 ? 'row' : `${limit} rows`} with the ${end} ${by}${withinWords(each)}`;
}

export function withinWords(each: readonly string[] = []): string {
  return each.length === 0 ? '' : ` of each ${joined(each)}`;
}

function aggregateWords(plan: AggregatePlan): string {
  const { measures, computed = [], summary } = plan;
  const groups = joined(plan.dimensions.map(labelOfDimension));
  if (summary?.aggregate === 'count') return `number of different ${groups} values`;
  if (summary !== undefined) return `${summaryWords(summary, plan)} by ${groups}`;
  if (measures.length === 0) return `different values of ${groups}`;
  // A difference of two figures says what they are.
  const figures = computed.length > 0 ? computed.map((one) => computedWords(one, plan)) : measures.map(measureWords);
  return groupedWords(figures, plan.dimensions);
}

function groupedWords(figures: readonly string[], dimensions: readonly Dimension[]): string {
  const groups = joined(dimensions.map(labelOfDimension));
  return groups === '' ? few(figures) : `${few(figures)} by ${groups}`;
}

/** `Welch’s t-test of fare by sex`, `linear regression of fare on age and class at 30 and 2`. */
export function statisticWords({ method, columns, by, at = [], value }: StatisticPlan): string {
  const [first = '', ...others] = columns;
  const named = method === 'regression' ? `${first} on ${few(others)}` : few(columns);
  const groups = by === null ? '' : ` by ${by}`;
  const against = value === undefined ? '' : ` against ${value}`;
  const point = at.length === 0 ? '' : ` at ${joined(at.map(String))}`;
  return `${METHODS[method].words} ${named}${groups}${against}${point}`;
}

/** Conditions on figures, and which groups are left of all. */
function choiceWords(plan: AnalysisPlan): readonly string[] {
  if (plan.kind !== 'aggregate') return [];
  const having = plan.having.map(
    ({ measure, operator, value }) => `only with ${withArticle(nameOf(plan, measure))} ${SIGNS[operator]} ${value}`,
  );
  const { order, limit, skip, each } = plan;
  const [first] = order;
  if (limit === null || first === undefined) return having;
  const end = `${placeWords(skip)}${first.direction === 'desc' ? 'highest' : 'lowest'}`;
  return [...having, `the ${limit === 1 ? '' : `${limit} `}${end}${withinWords(each)}`];
}

/** As many as are worth naming. */
export function few(words: readonly string[]): string {
  const rest = words.length - SHOWN;
  return rest > 1 ? `${words.slice(0, SHOWN).join(', ')} and ${rest} more` : joined(words);
}

/** What a derived column holds: `family size is SibSp + Parch`; `null` where its name says it already. */
function derivedWords({ name, expression }: DerivedColumn): string | null {
  const words = expressionWords(expression);
  return words.toLowerCase() === name.toLowerCase() ? null : `${name} is ${words}`;
}

const FUNCTIONS: Readonly<Record<Extract<Expression, { kind: 'function' }>['function'], string>> = {
  abs: 'absolute value of',
  log: 'natural logarithm of',
  log2: 'logarithm to the base 2 of',
  log10: 'logarithm to the base 10 of',
  log1p: 'natural logarithm of 1 +',
  exp: 'e to the power of',
  sqrt: 'square root of',
  square: 'square of',
  round: 'rounded value of',
  floor: 'rounded down value of',
  ceil: 'rounded up value of',
};

/** An expression in words: `high - low`, `days from ordered to shipped`. */
function expressionWords(expression: Expression): string {
  switch (expression.kind) {
    case 'column':
      return expression.column;
    case 'number':
      return String(expression.value);
    case 'arithmetic':
      return `${operand(expression.left)} ${expression.operator} ${operand(expression.right)}`;
    case 'function':
      return `${FUNCTIONS[expression.function]} ${operand(expression.of)}`;
    case 'part':
      return `${expression.part === 'day' ? 'day of the month' : expression.part} of ${expression.column}`;
    case 'length':
      return `number of ${expression.unit} of ${expression.column}`;
    case 'duration':
      return `${expression.unit} from ${expression.from} to ${expression.to}`;
    case 'filled':
      return `${expression.column} with ${typeof expression.with === 'number' ? expression.with : `its ${expression.with}`} where it is missing`;
    case 'scaled':
    case 'bins':
    case 'equal_bins':
    case 'case':
      return sortedWords(expression);
  }
}

/** Expressions that put rows into a scale or into groups. */
function sortedWords(expression: Extract<Expression, { kind: 'scaled' | 'bins' | 'equal_bins' | 'case' }>): string {
  switch (expression.kind) {
    case 'scaled':
      return expression.method === 'zscore'
        ? `${expression.population ? 'population ' : ''}z-score of ${operand(expression.of)}`
        : `${operand(expression.of)} scaled from 0 to 1`;
    case 'bins':
      return `${operand(expression.of)} in ranges that end at ${few(expression.edges.map(String))}`;
    case 'equal_bins':
      return `${operand(expression.of)} in ${expression.count} ranges of equal ${expression.equal === 'width' ? 'width' : 'size'}`;
    case 'case': {
      const { cases, otherwise } = expression;
      const told = cases.map(
        ({ filters, value }) => `“${value}” where ${filters.map((filter) => filterWords(filter)).join(' and ')}`,
      );
      return few([...told, ...(otherwise === null ? [] : [`else “${otherwise}”`])]);
    }
  }
}

function operand(expression: Expression): string {
  const words = expressionWords(expression);
  return expression.kind === 'arithmetic' ? `(${words})` : words;
}

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
  // Not `total total price`.
  const isTotal = aggregate === 'sum' && /^total(?![a-z])/i.test(column);
  const [before, after = ''] = isTotal ? (['sum of '] as const) : FIGURES[aggregate];
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
  return filters.length === 0 ? '' : ` where ${filters.map((filter) => filterWords(filter)).join(' and ')}`;
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
    percent: isPart(left, right)
      ? `percentage of ${left.replace(/^number of /, '')}`
      : `${left} as percent of ${right}`,
    difference: `${left} minus ${right}`,
    sum: `${left} plus ${right}`,
    product: `${left} times ${right}`,
    percent_change: `percent change of ${left} against ${right}`,
  };
  return pairs[computed.kind];
}

/** Whether one figure is the other under conditions of its own; averages have no parts. */
function isPart(part: string, whole: string): boolean {
  return /^(?:number of|total|sum of) /.test(whole) && part.startsWith(`${whole} where `);
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

/** A condition in words: `location is Seattle`, `fare is above the average fare`. `derived`: what its columns may be made of. */
export function filterWords(filter: Filter, derived: readonly DerivedColumn[] = []): string {
  switch (filter.kind) {
    case 'in':
      return `${filter.column} is ${filter.negated ? 'not ' : ''}${listed(spokenValues(filter, derived))}`;
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
      return anyWords(filter.of.map(allWords));
  }
}

/** What makes a value an outlier. */
function outlierWords({ method, threshold, population }: Of<'outlier'>): string {
  return method === 'iqr'
    ? `further than ${threshold} times the interquartile range from the quartiles`
    : `further than ${threshold} ${population ? 'population ' : ''}standard deviations from the mean`;
}

/** Weekdays, months and hours by their names. */
function spokenValues({ column, values }: Of<'in'>, derived: readonly DerivedColumn[]): Of<'in'>['values'] {
  const expression = derived.find(({ name }) => name === column)?.expression;
  if (expression?.kind !== 'part') return values;
  const { part } = expression;
  if (part !== 'hour' && part !== 'weekday' && part !== 'month') return values;
  return values.map((value) => (typeof value === 'number' ? partWords(part, value) : value));
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
  const { column, operator, factor = 1, aggregate, of = column, parameter } = filter;
  const isEnd = operator === '=' && of === column && factor === 1 && (aggregate === 'max' || aggregate === 'min');
  if (isEnd) return `${column} is the ${aggregate === 'max' ? 'highest' : 'lowest'}${reachWords(filter)}`;
  const times = factor === 1 ? '' : `${factor} times `;
  const figure = nameOfFigure({ aggregate, column: of, parameter });
  return `${column} is ${SIGNS[operator]} ${times}the ${figure}${reachWords(filter)}`;
}

function reachWords({ reach, among }: Of<'against'>): string {
  if (among !== undefined) return ` where ${among.column} is ${among.value}`;
  return reach === 'all' ? ' of all rows' : '';
}

/** `day is in 2023 or in 2024` where all say something of one column. */
function anyWords(all: readonly string[]): string {
  const [first = ''] = all;
  const said = first.slice(0, first.indexOf(IS) + IS.length);
  const isOfOne = !first.startsWith('(') && first.includes(IS) && all.every((words) => words.startsWith(said));
  return isOfOne ? said + all.map((words) => words.slice(said.length)).join(' or ') : `either ${all.join(' or ')}`;
}

const IS = ' is ';

function allWords(all: readonly Filter[]): string {
  const words = all.map((filter) => filterWords(filter)).join(' and ');
  return all.length > 1 ? `(${words})` : words;
}

/** What intervals are called that have no names of their own: one below the first limit, one between each two, one above the last. */
export function intervalNames(edges: readonly number[], closed: 'left' | 'right'): readonly string[] {
  const between = edges.slice(1).map((edge, index) => `${edges[index] ?? ''} to ${edge}`);
  const [first, last] = [edges[0] ?? 0, edges.at(-1) ?? 0];
  return closed === 'left'
    ? [`below ${first}`, ...between, `${last} and above`]
    : [`up to ${first}`, ...between, `above ${last}`];
}
