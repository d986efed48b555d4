import type { AggregatePlan, AnalysisPlan, StatisticPlan } from '../../../ports/analysis-plan.js';
import type { Script } from '../statistics/script.js';

/** Whether all figures of a plan are among those of another with the same conditions. */
export function contains(plan: AnalysisPlan, other: AnalysisPlan): boolean {
  if (!same(plan.filters, other.filters)) return false;
  if (plan.kind === 'statistic') return other.kind === 'statistic' && isSameStatistic(plan, other);
  return plan.kind === 'aggregate' && other.kind === 'aggregate' && hasFiguresOf(plan, other);
}

function isSameStatistic(one: StatisticPlan, other: StatisticPlan): boolean {
  return one.method === other.method && same(one.columns, other.columns);
}

function hasFiguresOf(plan: AggregatePlan, other: AggregatePlan): boolean {
  const known = new Set(plan.measures.map((measure) => JSON.stringify(measure)));
  const isGrouped = other.dimensions.length === 0 || same(plan.dimensions, other.dimensions);
  return isGrouped && other.measures.every((measure) => known.has(JSON.stringify(measure)));
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Whether a text speaks of columns or values of the table. */
export function namesColumns(text: string, script: Script): boolean {
  return script.clauseOf(text).pieces.some(({ kind }) => kind === 'column' || kind === 'value' || kind === 'ambiguous');
}

/** Whether a text names figures alone, each of which the plan has. */
export function namesOnlyFigures(text: string, plan: AnalysisPlan, script: Script): boolean {
  if (plan.kind !== 'aggregate' || namesColumns(text, script)) return false;
  const figures = script.clauseOf(text).all('figure');
  const known = new Set(plan.measures.map(({ aggregate }) => aggregate.replace('_pop', '')));
  return figures.length > 0 && figures.every(({ aggregate }) => known.has(aggregate));
}

/** Whether two conditions leave no row between them: values of one column that differ, or ranges that do not meet. */
export function contradicts({ filters }: AnalysisPlan): boolean {
  return filters.some((one, place) => filters.slice(place + 1).some((other) => areApart(one, other)));
}

type Condition = AnalysisPlan['filters'][number];

function areApart(one: Condition, other: Condition): boolean {
  if (one.kind === 'in' && other.kind === 'in') return areOtherValues(one, other);
  const [left, right] = [stretchOf(one), stretchOf(other)];
  if (left === null || left.column !== right?.column) return false;
  return endsBefore(left, right) || endsBefore(right, left);
}

/** The numbers that fit a condition; an end that is `open` is not among them. */
interface Stretch {
  readonly column: string;
  readonly low: number;
  readonly high: number;
  readonly open: boolean;
}

function stretchOf(one: Condition): Stretch | null {
  if (one.kind === 'between') return { column: one.column, low: one.low, high: one.high, open: false };
  if (one.kind !== 'compare' || one.operator === '!=') return null;
  const { column, value, operator } = one;
  const isOpen = operator === '<' || operator === '>';
  return {
    column,
    low: operator.startsWith('<') ? Number.NEGATIVE_INFINITY : value,
    high: operator.startsWith('>') ? Number.POSITIVE_INFINITY : value,
    open: isOpen,
  };
}

function endsBefore(one: Stretch, other: Stretch): boolean {
  return one.high < other.low || (one.high === other.low && (one.open || other.open));
}

type Values = Extract<Condition, { kind: 'in' }>;

function areOtherValues(one: Values, other: Values): boolean {
  if (one.column !== other.column || one.negated || other.negated) return false;
  return !one.values.some((value) => other.values.includes(value));
}

/** `compare the mean fare`: a single figure of all rows is set against nothing. */
export function comparesNothing(text: string, plan: AnalysisPlan): boolean {
  if (!/^(?:then |also |and )?compare\b/iu.test(text) || plan.kind !== 'aggregate' || plan.dimensions.length > 0)
    return false;
  return plan.measures.length === 1 && (plan.computed ?? []).length === 0;
}
