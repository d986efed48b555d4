import type { AnalysisPlan, DerivedColumn, Measure, StatisticPlan } from '../../ports/analysis-plan.js';
import type { ChartWish } from './chart-wish.js';
import type { Understanding } from './message/understanding.js';
import { pointsSample, spreadSample, type Points, type Sample } from './samples.js';
import type { TableFacts } from './table-facts.js';

type Understood = Understanding & { readonly kind: 'plan' };

const PAIRS: Partial<Readonly<Record<Measure['aggregate'], 'first' | 'second'>>> = {
  correlation: 'first',
  rank_correlation: 'first',
  covariance: 'first',
  slope: 'second',
  intercept: 'second',
  r_squared: 'second',
};

/** The rows to draw besides the figure: points for two columns that are set against each other, a spread for one. */
export function sampleFor(read: Understood, wish: ChartWish, facts: TableFacts): Sample | null {
  if (wish.kind !== null && wish.kind !== 'scatter' && wish.kind !== 'histogram') return null;
  const points = wish.kind === 'histogram' ? null : pointsOf(read.plan);
  if (points !== null) return pointsSample(read.plan, points, facts);
  const spread = isAboutSpread(read, wish) ? spreadOf(read.plan, facts) : null;
  return spread === null ? null : spreadSample(read.plan, spread, facts);
}

function pointsOf(plan: AnalysisPlan): Points | null {
  if (plan.kind === 'statistic') return pointsOfStatistic(plan);
  return plan.kind === 'aggregate' && plan.dimensions.length === 0 ? pointsOfMeasures(plan.measures) : null;
}

function pointsOfStatistic({ method, columns }: StatisticPlan): Points | null {
  const [first, second, third] = columns;
  if (first === undefined || second === undefined || third !== undefined) return null;
  if (method === 'regression') return { x: second, y: first };
  return method === 'pearson' || method === 'spearman' ? { x: first, y: second } : null;
}

/** All of them set the same two columns against each other. */
function pointsOfMeasures(measures: readonly Measure[]): Points | null {
  const [measure] = measures;
  const isOfOnePair = measures.every(({ column, second }) => column === measure?.column && second === measure.second);
  return measure === undefined || !isOfOnePair ? null : pointsOfMeasure(measure);
}

function pointsOfMeasure({ aggregate, column, second }: Measure): Points | null {
  const horizontal = PAIRS[aggregate];
  if (horizontal === undefined || column === null || second === undefined) return null;
  return horizontal === 'first' ? { x: column, y: second } : { x: second, y: column };
}

function isAboutSpread({ plan, verdict }: Understood, wish: ChartWish): boolean {
  if (wish.kind === 'scatter') return false;
  if (wish.distribution || verdict?.about === 'normality') return true;
  return plan.kind === 'statistic' && ['describe', 'shapiro_wilk', 'normality', 'jarque_bera'].includes(plan.method);
}

/** The one column of numbers that a plan without groups is about. */
function spreadOf(plan: AnalysisPlan, facts: TableFacts): string | null {
  const columns = subjectsOf(plan);
  const [only, another] = [...new Set(columns)];
  if (only === undefined || another !== undefined) return null;
  const isDerived = (plan.derived ?? []).some(({ name, expression }) => name === only && isNumber(expression));
  return isDerived || facts.columns.some(({ name, role }) => name === only && role === 'figure') ? only : null;
}

function subjectsOf(plan: AnalysisPlan): readonly string[] {
  if (plan.kind !== 'aggregate') return plan.kind === 'statistic' && plan.by !== null ? [] : plan.columns;
  if (plan.dimensions.length > 0 || plan.summary !== undefined) return [];
  return plan.measures.flatMap(({ column }) => column ?? []);
}

function isNumber({ kind }: DerivedColumn['expression']): boolean {
  return kind !== 'case' && kind !== 'bins';
}
