import {
  columnsOfPlan,
  type AggregatePlan,
  type AnalysisPlan,
  type StatisticPlan,
} from '../../../ports/analysis-plan.js';
import type { Piece } from '../pieces.js';
import { SETS_APART } from '../statistics/conditions.js';
import type { Clause } from '../statistics/clause.js';
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

/** Whether a text names figures and columns alone, each of which the plan has. */
export function namesOnlyFigures(text: string, plan: AnalysisPlan, script: Script): boolean {
  if (plan.kind !== 'aggregate' || namesOthers(text, plan, script)) return false;
  const clause = script.clauseOf(text);
  const figures = clause.all('figure');
  const known = new Set(plan.measures.map(({ aggregate }) => aggregate.replace('_pop', '')));
  const isShare =
    clause.has('share') && (plan.computed ?? []).some(({ kind }) => kind === 'percent' || kind === 'ratio');
  const isSaid = figures.length + clause.columns.length > 0 || isShare;
  return isSaid && figures.every(({ aggregate }) => known.has(aggregate));
}

const CHOOSES: ReadonlySet<Piece['kind']> = new Set([
  'value',
  'ambiguous',
  'number',
  'operator',
  'negation',
  'quoted',
  'time',
  'date',
  'word',
]);

/** Columns that the plan has not, or anything that chooses rows beside a column. */
function namesOthers(text: string, plan: AnalysisPlan, script: Script): boolean {
  if (!namesColumns(text, script)) return false;
  const clause = script.clauseOf(text);
  return clause.pieces.some(({ kind }) => CHOOSES.has(kind)) || !areOf(plan, clause);
}

function areOf(plan: AnalysisPlan, { columns }: Clause): boolean {
  const known = new Set(columnsOfPlan(plan));
  return columns.every(({ name }) => known.has(name));
}

/** `report their number`, after a count. */
const COUNTED_AGAIN =
  /^(?:and )?(?:how many (?:outliers? |of (?:them|these|those) |rows )?(?:are|were|do|did) (?:there|found|detected|identified|you find|exist)|(?:report|give|state|provide|tell me|determine|count) (?:their|the) (?:number|count)(?: of (?:outliers|them|these|those))?)\s*[.?]*$/iu;

/** `compare the two means`, `which group is higher?` */
const COMPARED_AGAIN =
  /^(?:and |then |also )?(?:(?:compare|contrast) (?:them|the results?|(?:the |these |both )*(?:two |three |four )?(?:means?|averages?|medians?|values?|figures?|groups?|results?|rates?|shares?|percentages?))|(?:(?:tell|say|state|report|determine|indicate|identify) )?which (?:one |of the (?:two|three|groups) |of them |group |category |is the )*(?:is|has|was|had|are)? ?(?:the )?(?:higher|lower|larger|smaller|greater|bigger|highest|lowest|largest|smallest|greatest)(?: one| value| mean| average)?)\s*[?.]*$/iu;

/** Whether a text wants set side by side what the plan before gives side by side. */
export function comparesAgain(text: string, plan: AnalysisPlan): boolean {
  const isSeveral = plan.kind === 'aggregate' && (plan.dimensions.length > 0 || plan.measures.length > 1);
  return isSeveral && COMPARED_AGAIN.test(text.trim());
}

/** Whether a text asks for the number that the plan before counted. */
export function countsAgain(text: string, plan: AnalysisPlan): boolean {
  const [first] = plan.kind === 'aggregate' && plan.dimensions.length === 0 ? plan.measures : [];
  return first?.aggregate === 'count' && COUNTED_AGAIN.test(text.trim());
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

/** `the mean for a = x and a = y` in one figure: what the text sets apart was put together. */
export function mergesSides(text: string, plan: AnalysisPlan): boolean {
  if (plan.kind !== 'aggregate' || plan.dimensions.length > 0 || !SETS_APART.some((said) => said.test(text)))
    return false;
  const isOne = plan.measures.every(({ filters = [] }) => filters.length === 0) && (plan.computed ?? []).length === 0;
  return isOne && plan.filters.some(isOfSeveral);
}

/** Rows with one value or another of a column. */
function isOfSeveral(filter: Condition): boolean {
  if (filter.kind === 'in') return !filter.negated && filter.values.length > 1;
  return (
    filter.kind === 'any' &&
    filter.of.every(([one, another]) => one?.kind === 'compare' && one.operator === '=' && another === undefined)
  );
}
