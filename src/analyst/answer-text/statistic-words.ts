import type { StatisticPlan } from '../../ports/analysis-plan.js';
import { counted, joined, numberWords, roundedWords, shareWords } from '../../shared/number-words.js';
import { statisticWords } from '../../plan/wording.js';
import { said, type Row, type Telling } from './telling.js';

type Method = StatisticPlan['method'];
type Statistic = Telling<StatisticPlan>;

/** By custom; a p-value below it is said to be significant. */
const LEVEL = 0.05;
const COEFFICIENT = 'coefficient';
const MEAN = 'mean of ';
/** More terms than these are a table, not an equation. */
const IN_AN_EQUATION = 5;

/** What the figure of a test is called, and the test itself. */
const TESTS: Partial<Readonly<Record<Method, { readonly name: string; readonly sign: string }>>> = {
  welch_t_test: { name: 'Welch’s t-test', sign: 't' },
  student_t_test: { name: 'Student’s t-test', sign: 't' },
  paired_t_test: { name: 'Paired t-test', sign: 't' },
  one_sample_t_test: { name: 'T-test', sign: 't' },
  mann_whitney: { name: 'Mann-Whitney test', sign: 'U' },
  anova: { name: 'Analysis of variance', sign: 'F' },
  kruskal_wallis: { name: 'Kruskal-Wallis test', sign: 'H' },
  chi_square: { name: 'Chi-square test', sign: 'χ²' },
  shapiro_wilk: { name: 'Shapiro-Wilk test', sign: 'W' },
  normality: { name: 'D’Agostino and Pearson’s test', sign: 'K²' },
  jarque_bera: { name: 'Jarque-Bera test', sign: 'JB' },
};

/** The result of a statistic: its figure, its p-value, and what belongs to them; then what the p-value says. */
export function statisticSentences(telling: Statistic): string {
  const judgement = judgementOf(telling);
  return judgement === null ? statisticSentence(telling) : `${statisticSentence(telling)} ${judgement}`;
}

function statisticSentence(telling: Statistic): string {
  const { plan, rows } = telling;
  const [row] = rows;
  if (row === undefined) return noneSentence(telling);
  switch (plan.method) {
    case 'pearson':
    case 'spearman':
      return correlationSentence(telling, row);
    case 'correlation_matrix':
      return matrixSentence(telling, row);
    case 'regression':
      return regressionSentence(telling);
    case 'describe':
      return describeSentence(telling, row);
    case 'welch_t_test':
    case 'student_t_test':
    case 'paired_t_test':
    case 'one_sample_t_test':
    case 'mann_whitney':
    case 'anova':
    case 'kruskal_wallis':
    case 'chi_square':
    case 'shapiro_wilk':
    case 'normality':
    case 'jarque_bera':
      return testSentence(telling, row);
  }
}

/** What a p-value is about; tests that are not named here compare groups. */
const SUBJECTS: Partial<Readonly<Record<Method, string>>> = {
  pearson: 'correlation',
  spearman: 'correlation',
  correlation_matrix: 'correlation',
  chi_square: 'association',
  regression: 'dependence',
};
const NORMALITY: readonly Method[] = ['shapiro_wilk', 'normality', 'jarque_bera'];

/** What the p-value says at the usual level; `null` where there is none, or one for each of several columns. */
function judgementOf(telling: Statistic): string | null {
  const { method } = telling.plan;
  const probability = telling.number(judgedRow(telling), 'p-value');
  if (probability === null) return null;
  const isBelow = probability < LEVEL;
  if (NORMALITY.includes(method)) {
    return `The values ${isBelow ? 'are not' : 'can be taken as'} normally distributed, at the level of ${LEVEL}.`;
  }
  return `The ${SUBJECTS[method] ?? 'difference'} is ${isBelow ? '' : 'not '}significant at the level of ${LEVEL}.`;
}

function judgedRow(telling: Statistic): Row | undefined {
  const { method, columns } = telling.plan;
  const [, predictor, another] = columns;
  if (method !== 'regression') return telling.rows[0];
  return predictor === undefined || another !== undefined ? undefined : rowOf(telling, predictor);
}

function noneSentence({ plan, where }: Statistic): string {
  return `There are too few values for the ${said(statisticWords(plan))}${where}.`;
}

/** `strong and positive`, `practically none`. */
function strengthWords(correlation: number): string {
  const size = Math.abs(correlation);
  if (size < 0.1) return 'practically none';
  const strength = size < 0.3 ? 'weak' : size < 0.5 ? 'moderate' : size < 0.8 ? 'strong' : 'very strong';
  return `${strength} and ${correlation > 0 ? 'positive' : 'negative'}`;
}

/** ` (p = **0.0213**, 342 pairs)`, as much of it as there is. */
function behind(telling: Statistic, row: Row, others: readonly string[] = []): string {
  const words = telling.number(row, 'p-value') === null ? '' : telling.words(row, 'p-value');
  const probability = words.startsWith('<') ? `p **${words}**` : `p = **${words}**`;
  const parts = [...(words === '' ? [] : [probability]), ...others];
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function correlationSentence(telling: Statistic, row: Row): string {
  const correlation = telling.number(row, 'correlation');
  if (correlation === null) return noneSentence(telling);
  const { method, columns } = telling.plan;
  const name = method === 'spearman' ? 'rank correlation' : 'correlation';
  const pairs = telling.number(row, 'pairs');
  const more = behind(telling, row, pairs === null ? [] : [counted(pairs, 'pair')]);
  return `The ${name} of ${said(joined(columns))}${telling.where} is ${telling.bold(row, 'correlation')}: ${strengthWords(correlation)}${more}.`;
}

function matrixSentence(telling: Statistic, row: Row): string {
  const correlation = telling.number(row, 'correlation');
  if (correlation === null) return noneSentence(telling);
  const pair = `**${telling.words(row, 'first')}** and **${telling.words(row, 'second')}**`;
  const figure = `${telling.bold(row, 'correlation')}, ${strengthWords(correlation)}${behind(telling, row)}`;
  if (telling.rows.length === 1) return `The correlation of ${pair}${telling.where} is ${figure}.`;
  return `Of ${telling.rows.length} pairs of columns${telling.where}, ${pair} have the strongest correlation: ${figure}.`;
}

function testSentence(telling: Statistic, row: Row): string {
  const { plan, where, result } = telling;
  const { name, sign } = TESTS[plan.method] ?? { name: 'Test', sign: 'statistic' };
  if (telling.number(row, 'statistic') === null || telling.number(row, 'p-value') === null)
    return noneSentence(telling);
  const means = result.columns
    .filter(({ name: column }) => column.startsWith(MEAN) && telling.number(row, column) !== null)
    .map(({ name: column }) => `${telling.bold(row, column)} for ${said(column.slice(MEAN.length))}`);
  const first = means.length === 0 ? '' : `The mean is ${joined(means)}. `;
  const groups = plan.by === null ? '' : ` by ${said(plan.by)}`;
  const against = plan.value === undefined ? '' : ` against ${plan.value}`;
  const figures = `${sign} = ${telling.bold(row, 'statistic')}${behind(telling, row, sizesBehind(telling, row))}`;
  return `${first}${name} of ${said(joined(plan.columns))}${groups}${against}${where}: ${figures}.`;
}

/** `2 degrees of freedom`, `120 rows in 3 groups`. */
function sizesBehind(telling: Statistic, row: Row): readonly string[] {
  const freedom = telling.number(row, 'degrees of freedom');
  const [groups, rows] = [telling.number(row, 'groups'), telling.number(row, 'rows')];
  const among = groups === null ? '' : ` in ${counted(groups, 'group')}`;
  return [
    ...(freedom === null ? [] : [`${numberWords(freedom)} ${freedom === 1 ? 'degree' : 'degrees'} of freedom`]),
    ...(rows === null ? [] : [`${counted(rows, 'row')}${among}`]),
  ];
}

function describeSentence(telling: Statistic, row: Row): string {
  const { where, rows } = telling;
  if (rows.length > 1) return `These are the figures of **${counted(rows.length, 'column')}**${where}.`;
  const missing = telling.number(row, 'missing') ?? 0;
  const lacking = missing === 0 ? '' : `, **${numberWords(missing)}** missing`;
  const named = ['mean', 'median', 'standard deviation', 'lowest', 'highest']
    .filter((name) => telling.cell(row, name) !== null)
    .map((name) => `${name} ${telling.bold(row, name)}`);
  const figures = named.length === 0 ? 'no figures' : joined(named);
  return `**${telling.words(row, 'column')}**${where} has **${counted(telling.number(row, 'rows') ?? 0, 'value')}**${lacking}: ${figures}.`;
}

function rowOf(telling: Statistic, term: string): Row | undefined {
  return telling.rows.find((row) => telling.cell(row, 'term') === term);
}

/** The equation, how much of the variation it explains, and what it predicts. */
function regressionSentence(telling: Statistic): string {
  const { plan, where } = telling;
  const [outcome = '', ...predictors] = plan.columns;
  const equation = equationOf(telling, said(outcome), predictors);
  if (equation === null) {
    return `There are too few different values to set ${said(outcome)} against ${said(joined(predictors))}${where}.`;
  }
  const squared = telling.number(rowOf(telling, 'r-squared'), COEFFICIENT);
  const explained =
    squared === null
      ? ''
      : ` It explains ${shareWords(squared)} of the variation (r² = **${roundedWords(squared, telling.decimals)}**).`;
  return `${predictionOf(telling, said(outcome), predictors)}${equation}${where}.${explained}`;
}

function equationOf(telling: Statistic, outcome: string, predictors: readonly string[]): string | null {
  const intercept = telling.number(rowOf(telling, 'intercept'), COEFFICIENT);
  const slopes = predictors.map((name) => telling.number(rowOf(telling, name), COEFFICIENT));
  if (intercept === null || slopes.includes(null)) return null;
  if (predictors.length > IN_AN_EQUATION) {
    return `The table shows the linear regression of ${outcome} on ${predictors.length} columns`;
  }
  const terms = slopes.map((slope, index) => {
    const sign = (slope ?? 0) < 0 ? '−' : '+';
    return ` ${sign} ${roundedWords(Math.abs(slope ?? 0), telling.decimals)} × ${said(predictors[index] ?? '')}`;
  });
  return `The line is **${outcome} = ${roundedWords(intercept, telling.decimals)}${terms.join('')}**`;
}

function predictionOf(telling: Statistic, outcome: string, predictors: readonly string[]): string {
  const { at = [] } = telling.plan;
  const predicted = telling.number(rowOf(telling, 'prediction'), COEFFICIENT);
  if (predicted === null || at.length < predictors.length) return '';
  const point = joined(predictors.map((name, index) => `a ${said(name)} of ${at[index] ?? 0}`));
  return `For ${point} the predicted ${outcome} is **${roundedWords(predicted, telling.decimals)}**. `;
}
