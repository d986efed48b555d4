import type {
  AggregatePlan,
  AnalysisPlan,
  DerivedColumn,
  Expression,
  Filter,
  PlanOrder,
  RowsPlan,
  StatisticPlan,
} from '../../ports/analysis-plan.js';
import { computedWords, filterWords, labelOfDimension, measureWords, nameOf, SIGNS, summaryWords } from './labels.js';
import { joined, placeWords, withArticle } from './number-words.js';

/** More figures, columns, cases and edges than these are counted, not named. */
const SHOWN = 6;

/** The question as it was understood: `total revenue by country, where channel is online, the 5 highest`. */
export function purposeOf(plan: AnalysisPlan): string {
  const derived = (plan.derived ?? []).flatMap((column) => derivedWords(column) ?? []);
  const taken = derived.length === 0 ? [] : [`taking that ${joined(derived)}`];
  return [subjectOf(plan), ...whereWords(plan), ...taken, ...choiceWords(plan)].join(', ');
}

/** The same above a picture: without how its columns came about. */
export function pictureWords(plan: AnalysisPlan): string {
  const shown = plan.kind === 'statistic' ? { ...plan, at: undefined } : plan;
  return [subjectOf(shown), ...whereWords(plan), ...choiceWords(plan)].join(', ');
}

/** The filters in words, but that what is ranked by is there goes without saying. */
export function conditionsOf(plan: AnalysisPlan): readonly string[] {
  return plan.filters.filter((filter) => isSaid(filter, plan)).map(filterWords);
}

export function isSaid(filter: Filter, plan: AnalysisPlan): boolean {
  const ranked = plan.kind === 'rows' ? plan.order[0]?.by : undefined;
  return !(filter.kind === 'null' && filter.negated && filter.column === ranked);
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
  return groups === '' ? few(figures) : `${few(figures)} by ${groups}`;
}

const METHODS: Readonly<Record<StatisticPlan['method'], string>> = {
  pearson: 'correlation of',
  spearman: 'rank correlation of',
  correlation_matrix: 'correlations among',
  regression: 'linear regression of',
  welch_t_test: 'Welch’s t-test of',
  student_t_test: 'Student’s t-test of',
  paired_t_test: 'paired t-test of',
  one_sample_t_test: 't-test of',
  mann_whitney: 'Mann-Whitney test of',
  anova: 'analysis of variance of',
  kruskal_wallis: 'Kruskal-Wallis test of',
  chi_square: 'chi-square test of',
  shapiro_wilk: 'Shapiro-Wilk test of',
  jarque_bera: 'Jarque-Bera test of',
  normality: 'test for normality of',
  describe: 'description of',
};

/** `Welch’s t-test of fare by sex`, `linear regression of fare on age and class at 30 and 2`. */
export function statisticWords({ method, columns, by, at = [], value }: StatisticPlan): string {
  const [first = '', ...others] = columns;
  const named = method === 'regression' ? `${first} on ${few(others)}` : few(columns);
  const groups = by === null ? '' : ` by ${by}`;
  const against = value === undefined ? '' : ` against ${value}`;
  const point = at.length === 0 ? '' : ` at ${joined(at.map(String))}`;
  return `${METHODS[method]} ${named}${groups}${against}${point}`;
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
      const told = cases.map(({ filters, value }) => `“${value}” where ${filters.map(filterWords).join(' and ')}`);
      return few([...told, ...(otherwise === null ? [] : [`else “${otherwise}”`])]);
    }
  }
}

function operand(expression: Expression): string {
  const words = expressionWords(expression);
  return expression.kind === 'arithmetic' ? `(${words})` : words;
}
