import type { AnalysisPlan, PlanOrder, StatisticPlan, Summary } from '../../ports/analysis-plan.js';
import type { StatisticMethod } from '../../ports/plan-statistics.js';
import { filterWords, SIGNS } from './condition-words.js';
import { derivedWords } from './expression-words.js';
import { labelOfDimension } from './labels.js';
import { computedWords, measureWords, nameOf, summaryWords } from './measure-words.js';
import { joined, placeWords, withArticle } from './number-words.js';

type Aggregation = AnalysisPlan & { readonly kind: 'aggregate' };
type Listing = AnalysisPlan & { readonly kind: 'rows' };

/** More figures and columns than these are counted in a purpose, not named. */
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

function whereWords(plan: AnalysisPlan): readonly string[] {
  const conditions = conditionsOf(plan);
  return conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`];
}

function choiceWords(plan: AnalysisPlan): readonly string[] {
  return plan.kind === 'aggregate' ? [...havingWords(plan), ...rankWords(plan)] : [];
}

function subjectOf(plan: AnalysisPlan): string {
  switch (plan.kind) {
    case 'rows':
      return rowsWords(plan);
    case 'statistic':
      return statisticWords(plan);
    case 'aggregate':
      return plan.summary === undefined ? aggregateWords(plan) : summedUpWords(plan, plan.summary);
  }
}

/** The filters in words, but that what is ranked by is there goes without saying. */
export function conditionsOf(plan: AnalysisPlan): readonly string[] {
  const ranked = plan.kind === 'rows' ? plan.order[0]?.by : undefined;
  return plan.filters
    .filter((filter) => !(filter.kind === 'null' && filter.negated && filter.column === ranked))
    .map(filterWords);
}

function rowsWords(plan: Listing): string {
  const { columns, distinct, order } = plan;
  const different = distinct === true ? 'different ' : '';
  const subject = `${different}${columns.length === 0 ? 'rows' : few(columns)}`;
  const [first] = order;
  if (first === undefined) return `${subject}${eachWords(plan)}`;
  const told = rankedRows(plan, first);
  return columns.length === 0 ? told : `${subject} of ${told}`;
}

function rankedRows({ limit, skip, each }: Listing, { by, direction }: PlanOrder): string {
  const end = `${placeWords(skip)}${direction === 'desc' ? 'highest' : 'lowest'}`;
  if (limit === null) return `rows by ${by}, ${end} first`;
  return `the ${limit === 1 ? 'row' : `${limit} rows`} with the ${end} ${by}${withinWords(each)}`;
}

/** Of rows in no order the first ones of each group. */
function eachWords({ limit, each }: Listing): string {
  const within = withinWords(each);
  return limit === null || within === '' ? '' : `, the first ${limit}${within}`;
}

function withinWords(each: readonly string[] = []): string {
  return each.length === 0 ? '' : ` of each ${joined(each)}`;
}

function aggregateWords(plan: Aggregation): string {
  const groups = plan.dimensions.map(labelOfDimension);
  if (plan.measures.length === 0) return `different values of ${joined(groups)}`;
  const computed = (plan.computed ?? []).map((one) => computedWords(one, plan));
  // A difference of two figures says what they are.
  const measures = computed.length > 0 ? [] : plan.measures.map(measureWords);
  const figures = few([...computed, ...measures]);
  return groups.length === 0 ? figures : `${figures} by ${joined(groups)}`;
}

/** `average of number of rows by month`, `number of different country values`. */
function summedUpWords(plan: Aggregation, summary: Summary): string {
  const groups = joined(plan.dimensions.map(labelOfDimension));
  return summary.aggregate === 'count'
    ? `number of different ${groups} values`
    : `${summaryWords(summary, plan)} by ${groups}`;
}

const METHODS: Readonly<Record<StatisticMethod, string>> = {
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
export function statisticWords({ method, columns, by, at, value }: StatisticPlan): string {
  const [first = '', ...others] = columns;
  const named = method === 'regression' ? `${first} on ${few(others)}` : few(columns);
  const groups = by === null ? '' : ` by ${by}`;
  const against = value === undefined ? '' : ` against ${value}`;
  const point = at === undefined || at.length === 0 ? '' : ` at ${joined(at.map(String))}`;
  return `${METHODS[method]} ${named}${groups}${against}${point}`;
}

function havingWords(plan: Aggregation): readonly string[] {
  return plan.having.map(
    ({ measure, operator, value }) => `only with ${withArticle(nameOf(plan, measure))} ${SIGNS[operator]} ${value}`,
  );
}

function rankWords({ order, limit, skip, each }: Aggregation): readonly string[] {
  const [first] = order;
  if (limit === null || first === undefined) return [];
  const within = withinWords(each);
  return [
    `the ${limit === 1 ? '' : `${limit} `}${placeWords(skip)}${first.direction === 'desc' ? 'highest' : 'lowest'}${within}`,
  ];
}

function few(words: readonly string[]): string {
  const rest = words.length - SHOWN;
  return rest > 1 ? `${words.slice(0, SHOWN).join(', ')} and ${rest} more` : joined(words);
}
