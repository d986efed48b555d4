import type { StatisticMethod } from '../../../ports/plan-statistics.js';
import { counted, joined } from '../number-words.js';
import { statisticWords } from '../plan-words.js';
import { regressionSentence } from './regression-words.js';
import { said, type Row, type Statistic, type Telling } from './telling.js';
import { correlationWords } from './verdict-words.js';

/** What the figure of a test is called, and the test itself. */
const TESTS: Partial<Readonly<Record<StatisticMethod, { readonly name: string; readonly sign: string }>>> = {
  welch_t_test: { name: 'Welch’s t-test', sign: 't' },
  student_t_test: { name: 'Student’s t-test', sign: 't' },
  paired_t_test: { name: 'the paired t-test', sign: 't' },
  one_sample_t_test: { name: 'the t-test', sign: 't' },
  mann_whitney: { name: 'the Mann-Whitney test', sign: 'U' },
  anova: { name: 'the analysis of variance', sign: 'F' },
  kruskal_wallis: { name: 'the Kruskal-Wallis test', sign: 'H' },
  chi_square: { name: 'the chi-square test', sign: 'χ²' },
  shapiro_wilk: { name: 'the Shapiro-Wilk test', sign: 'W' },
  normality: { name: 'D’Agostino and Pearson’s test', sign: 'K²' },
  jarque_bera: { name: 'the Jarque-Bera test', sign: 'JB' },
};

/** The result of a statistic in a sentence: its figure, its p-value, and what belongs to them. */
export function statisticSentence(telling: Telling<Statistic>): string {
  const { plan } = telling;
  const [row] = telling.rows;
  if (row === undefined) return noneSentence(telling);
  const focused = focusSentence(telling, row);
  switch (plan.method) {
    case 'pearson':
    case 'spearman':
      return focused ?? correlationSentence(telling, row);
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
      return focused ?? testSentence(telling, row);
  }
}

/** The p-value that the verdict is about. */
export function probabilityOf(telling: Telling<Statistic>): number | null {
  const predictor = telling.plan.method === 'regression' ? telling.plan.columns[1] : undefined;
  const row =
    predictor === undefined ? telling.rows[0] : telling.rows.find((one) => telling.cell(one, 'term') === predictor);
  return telling.number(row, 'p-value');
}

/** `p = **0.0213**`, `p **< 0.001**`; nothing where there is none. */
export function probabilityWords(telling: Telling<Statistic>, row: Row | undefined): string {
  if (telling.number(row, 'p-value') === null) return '';
  const words = telling.words(row, 'p-value');
  return words.startsWith('<') ? `p **${words}**` : `p = **${words}**`;
}

function noneSentence({ plan, where }: Telling<Statistic>): string {
  return `There are too few values for the ${said(statisticWords(plan))}${where}.`;
}

/** One figure of the result, where the question asks for that alone. */
function focusSentence(telling: Telling<Statistic>, row: Row): string | null {
  const { focus } = telling.told;
  if (focus?.on !== 'column' || focus.term === null || telling.plan.method === 'regression') return null;
  if (telling.cell(row, focus.term) === null) return null;
  const rest = telling.result.columns
    .filter(({ name, type }) => name !== focus.term && type !== 'text' && telling.cell(row, name) !== null)
    .map(({ name }) => `${said(name)} ${telling.words(row, name)}`);
  const others = rest.length === 0 ? '' : ` (${rest.join(', ')})`;
  return `The ${said(focus.term)} of the ${said(statisticWords(telling.plan))}${telling.where} is ${telling.bold(row, focus.term)}${others}.`;
}

function correlationSentence(telling: Telling<Statistic>, row: Row): string {
  const correlation = telling.number(row, 'correlation');
  if (correlation === null) return noneSentence(telling);
  const { method, columns } = telling.plan;
  const name = method === 'spearman' ? 'rank correlation' : 'correlation';
  const pairs = telling.number(row, 'pairs');
  const behind = [probabilityWords(telling, row), pairs === null ? '' : counted(pairs, 'pair')].filter(Boolean);
  return `The ${name} of ${said(joined(columns))}${telling.where} is ${telling.bold(row, 'correlation')}${strengthBehind(telling, correlation)}${behind.length === 0 ? '' : ` (${behind.join(', ')})`}.`;
}

/** By the limits that the message gives it is told apart. */
function strengthBehind({ told }: Telling<Statistic>, correlation: number): string {
  return told.grades === undefined ? `, ${correlationWords(correlation)}` : '';
}

function matrixSentence(telling: Telling<Statistic>, row: Row): string {
  const correlation = telling.number(row, 'correlation');
  if (correlation === null) return noneSentence(telling);
  const pair = `**${telling.words(row, 'first')}** and **${telling.words(row, 'second')}**`;
  const behind = probabilityWords(telling, row);
  const pairs = telling.rows.length === 1 ? '' : `, of ${telling.rows.length} pairs of columns,`;
  return `The strongest correlation${telling.where}${pairs} is that of ${pair}: ${telling.bold(row, 'correlation')}, ${correlationWords(correlation)}${behind === '' ? '' : ` (${behind})`}.`;
}

function testSentence(telling: Telling<Statistic>, row: Row): string {
  const { plan, where } = telling;
  const { name, sign } = TESTS[plan.method] ?? { name: 'the test', sign: 'statistic' };
  if (telling.number(row, 'statistic') === null || telling.number(row, 'p-value') === null)
    return noneSentence(telling);
  const figure = `${sign} = ${telling.bold(row, 'statistic')}`;
  const behind = [...freedomBehind(telling, row), ...rowsBehind(telling, row)];
  const rest = behind.length === 0 ? '' : ` (${behind.join(', ')})`;
  const means = meansOf(telling, row);
  return `By ${name} of ${subjectOf(telling)}${where}, ${figure} and ${probabilityWords(telling, row)}${rest}${means}.`;
}

function freedomBehind(telling: Telling<Statistic>, row: Row): readonly string[] {
  const freedom = telling.number(row, 'degrees of freedom');
  if (freedom === null) return [];
  return [`${telling.words(row, 'degrees of freedom')} ${freedom === 1 ? 'degree' : 'degrees'} of freedom`];
}

function subjectOf({ plan }: Telling<Statistic>): string {
  const groups = plan.by === null ? '' : ` by ${said(plan.by)}`;
  const against = plan.value === undefined ? '' : ` against ${plan.value}`;
  return `${said(joined(plan.columns))}${groups}${against}`;
}

function rowsBehind(telling: Telling<Statistic>, row: Row): readonly string[] {
  const [groups, rows] = [telling.number(row, 'groups'), telling.number(row, 'rows')];
  if (rows === null) return [];
  return [groups === null ? counted(rows, 'row') : `${counted(rows, 'row')} in ${counted(groups, 'group')}`];
}

const MEAN = 'mean of ';

function meansOf(telling: Telling<Statistic>, row: Row): string {
  const means = telling.result.columns
    .filter(({ name }) => name.startsWith(MEAN) && telling.number(row, name) !== null)
    .map(({ name }) => `${telling.bold(row, name)} for ${said(name.slice(MEAN.length))}`);
  return means.length === 0 ? '' : `; the mean is ${joined(means)}`;
}

function describeSentence(telling: Telling<Statistic>, row: Row): string {
  const { where, rows } = telling;
  if (rows.length > 1) return `These are the figures of **${counted(rows.length, 'column')}**${where}.`;
  const missing = telling.number(row, 'missing') ?? 0;
  const lacking = missing === 0 ? '' : `, **${telling.words(row, 'missing')}** missing`;
  const named = ['mean', 'median', 'standard deviation', 'lowest', 'highest']
    .filter((name) => telling.cell(row, name) !== null)
    .map((name) => `${name} ${telling.bold(row, name)}`);
  const figures = named.length === 0 ? 'no figures' : joined(named);
  return `Of **${telling.words(row, 'column')}**${where} there are **${counted(telling.number(row, 'rows') ?? 0, 'value')}**${lacking}: ${figures}.`;
}
