import type { Aggregate, AggregatePlan, AnalysisPlan, Filter, Measure, TimeBucket } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import type { Cell, ColumnProfile, QueryResult, TableProfile } from '../../ports/table.js';
import { isFigure, roleOf } from '../../plan/column-roles.js';
import { instantFrom, timeRangeWithin } from '../../plan/instants.js';
import { nextBucket, momentWords } from '../../plan/time-words.js';
import { conditionsOf, labelOfMeasure, MAX_LABEL, measureWords } from '../../plan/wording.js';
import { isPlain, type AskedQuery, type Finding } from './findings.js';
import { wordsOf } from './subject-choice.js';
import type { TaskSubject } from './task-assignment.js';
import { DAY_MS } from '../../shared/durations.js';

/** A plan that a run asks by itself, and what its finding is called. */
export interface Look {
  readonly subject: TaskSubject;
  readonly plan: AnalysisPlan;
  readonly heading: string;
  /** Why, where an earlier finding gave reason to. */
  readonly reason: string | null;
}

/** These stand in the table of key figures, too. */
export const SIZE = 'Size and time';
export const FIGURES = 'Main figures';
/** Rows further from the average than so many standard deviations are unusual. */
const UNUSUAL = 3;
const MAX_UNUSUAL = 1000;

/**
 * The general look at one datasource that needs no question: size and time, the main figures, groups, development, unusual rows.
 * `isThorough`: groups and development of the second figure, too. Pure.
 */
export function generalLook(subject: TaskSubject, isThorough: boolean): readonly Look[] {
  const { profile } = subject;
  const [measures, span] = [measuresOf(profile), spanOf(profile)];
  const [main] = measures;
  const [group, other] = groupsOf(profile);
  const counted = main === undefined ? group : other;
  const look = (heading: string, plan: AnalysisPlan): Look => ({ subject, heading, plan, reason: null });
  const mainLooks = measures.slice(0, isThorough ? 2 : 1).flatMap(({ column, isAdditive }) => {
    const figure = measure(isAdditive ? 'sum' : 'avg', column);
    const what = measureWords(figure);
    return [
      ...(group === undefined ? [] : [look(`${what} by ${group.name}`, byColumn(figure, group.name))]),
      ...(span === null ? [] : [look(`How the ${what} developed`, byTime(figure, profile.timeField, span))]),
    ];
  });
  return [
    look(SIZE, sizePlan(profile)),
    ...(main === undefined ? [] : [look(FIGURES, figuresPlan(measures))]),
    ...mainLooks,
    ...(counted === undefined ? [] : [look(`Rows by ${counted.name}`, byColumn(measure('count', null), counted.name))]),
    ...(main === undefined ? [] : [look(`Unusual values of ${main.column}`, unusualPlan(profile, main.column))]),
  ];
}

function sizePlan(profile: TableProfile): AggregatePlan {
  const { metaField, timeField } = profile;
  const ends = spanOf(profile) === null ? [] : [measure('min', timeField), measure('max', timeField)];
  return aggregation({ measures: [measure('count', null), measure('count_distinct', metaField), ...ends] });
}

function figuresPlan(measures: readonly SubjectMeasure[]): AggregatePlan {
  const wanted = measures.flatMap(({ column, isAdditive: adds }, index) => {
    const aggregates: readonly Aggregate[] = [...(adds ? ['sum' as const] : []), 'avg', 'min', 'max'];
    return aggregates.map((aggregate) => measure(aggregate, column, index));
  });
  return aggregation({ measures: wanted });
}

/** Which rows they are, and their figure, the highest first. */
function unusualPlan(profile: TableProfile, column: string): AnalysisPlan {
  const { timeField, metaField, timeRange } = profile;
  return {
    kind: 'rows',
    columns: [...new Set([...(timeRange === null ? [] : [timeField]), metaField, column])],
    filters: [{ kind: 'outlier', column, method: 'zscore', threshold: UNUSUAL, population: false, negated: false }],
    order: [{ by: column, direction: 'desc' }],
    limit: MAX_UNUSUAL,
  };
}

/**
 * What a finding gives reason to ask next: where the figure comes from, how its largest group developed, what stands behind the piece of
 * time with the highest figure. Pure.
 */
export function followUpsOf(finding: Finding): readonly Look[] {
  const query = finding.queries.at(-1);
  if (query === undefined || !isPlain(query.plan) || query.result.rows.length === 0) return [];
  const { plan } = query;
  const [dimension, second] = plan.dimensions;
  if (second !== undefined || plan.measures.length !== 1) return [];
  const look =
    dimension === undefined
      ? splitUp(query, plan)
      : dimension.kind === 'bucket'
        ? behindHighest(query, plan, dimension.bucket)
        : largestGroup(query, plan);
  return look === null ? [] : [look];
}

/** A single figure: by what it is made of. */
function splitUp({ subject }: AskedQuery, plan: AggregatePlan): Look | null {
  const [figure] = plan.measures;
  const group = freeGroup(subject, plan.filters);
  if (figure === undefined || group === null || figure.column === group) return null;
  return {
    subject,
    plan: byColumn(figure, group, plan.filters),
    heading: `Where the ${measureWords(figure)}${within(plan)} comes from`,
    reason: 'one figure does not say what it is made of',
  };
}

/** A column of groups that no condition has settled. */
function freeGroup({ profile }: TaskSubject, filters: readonly Filter[]): string | null {
  const settled = filters.flatMap(columnsOfFilter);
  return groupsOf(profile).find(({ name }) => !settled.includes(name))?.name ?? null;
}

const EVEN = 1.05;

function largestGroup({ subject, result }: AskedQuery, plan: AggregatePlan): Look | null {
  const [figure] = plan.measures;
  const [dimension] = plan.dimensions;
  const value = leadingGroup(result);
  const span = spanWithin(plan, subject.profile);
  if (figure === undefined || dimension?.kind !== 'column' || value === null || span === null) return null;
  const filters = [...plan.filters, { kind: 'in', column: dimension.column, values: [value], negated: false } as const];
  return {
    subject,
    plan: { ...byTime(figure, subject.profile.timeField, span), filters },
    heading: `How the ${measureWords(figure)} of ${String(value)} developed${within(plan)}`,
    reason: `${String(value)} has the highest figure`,
  };
}

function behindHighest({ subject, result }: AskedQuery, plan: AggregatePlan, bucket: TimeBucket): Look | null {
  const [figure] = plan.measures;
  const [top, another] = highestFirst(result);
  const group = freeGroup(subject, plan.filters);
  if (figure === undefined || typeof top?.group !== 'string' || another === undefined || group === null) return null;
  const to = new Date(nextBucket(Date.parse(top.group), bucket)).toISOString();
  const during = { kind: 'time', column: subject.profile.timeField, from: top.group, to } as const;
  const others = plan.filters.filter(({ kind }) => kind !== 'time');
  const when = momentWords(top.group, bucket);
  return {
    subject,
    plan: byColumn(figure, group, [...others, during]),
    heading: `What stood behind the ${measureWords(figure)} of ${bucket === 'week' ? 'the ' : ''}${when}${within({ ...plan, filters: others })}`,
    reason: `${when} has the highest figure`,
  };
}

/** The group with the highest figure; of groups that are all about the same the largest is no news. */
function leadingGroup(result: QueryResult): Cell {
  const [top, ...others] = highestFirst(result);
  const lowest = others.at(-1)?.value ?? 0;
  const isEven = top !== undefined && lowest > 0 && top.value / lowest <= EVEN;
  return top === undefined || isEven ? null : top.group;
}

/** How long the time of a plan's rows is. */
function spanWithin({ filters }: AggregatePlan, profile: TableProfile): number | null {
  const timeRange = spanOf(profile) === null ? null : timeRangeWithin(filters, profile);
  return timeRange === null ? null : lengthOf(timeRange);
}

function highestFirst({ rows }: QueryResult): readonly { readonly group: Cell; readonly value: number }[] {
  return rows
    .flatMap(([group = null, value]) => (typeof value === 'number' ? [{ group, value }] : []))
    .toSorted((a, b) => b.value - a.value);
}

function within(plan: AnalysisPlan): string {
  const conditions = conditionsOf(plan);
  return conditions.length === 0 ? '' : ` (${conditions.join(' and ')})`;
}

/** A figure with a label that is short enough; `place` keeps two of the same apart. */
export function measure(aggregate: Aggregate, column: string | null, place = 0): Measure {
  const label = labelOfMeasure({ aggregate, column });
  const ending = label.length > MAX_LABEL && place > 0 ? ` (${place + 1})` : '';
  return { aggregate, column, label: `${label.slice(0, MAX_LABEL - ending.length)}${ending}` };
}

export function aggregation(parts: Partial<Omit<AggregatePlan, 'kind'>>): AggregatePlan {
  return { kind: 'aggregate', measures: [], dimensions: [], filters: [], having: [], order: [], limit: null, ...parts };
}

/** Figures by the values of a column, the highest first. */
function byColumn(figure: Measure, column: string, filters: readonly Filter[] = []): AggregatePlan {
  const label = column === figure.label ? `${column} (group)` : column;
  const dimensions = [{ kind: 'column', column, label: label.slice(-MAX_LABEL) } as const];
  return aggregation({ measures: [figure], dimensions, filters, order: [{ by: figure.label, direction: 'desc' }] });
}

/** Figures over a span of time, in pieces that suit it. */
function byTime(figure: Measure, column: string, span: number): AggregatePlan {
  const bucket = bucketFor(span);
  return aggregation({ measures: [figure], dimensions: [{ kind: 'bucket', column, bucket, label: bucket }] });
}

const MAX_MEASURES = 4;
const MAX_GROUPS = 60;

const MAIN = /^(revenue|sale|turnover|profit|total|amount)$/;

/** A column of figures, and how it is summed up. */
interface SubjectMeasure {
  readonly column: string;
  /** A sum of it means something. */
  readonly isAdditive: boolean;
}

/** The figures worth looking at, the main one first: what earns money, then as the datasource's owner listed them. At most 4. */
function measuresOf(profile: TableProfile): readonly SubjectMeasure[] {
  const roles = new Map(profile.columns.map((column) => [column.name, roleOf(column, profile)]));
  const figures = profile.columns.filter(({ name, min }) => min !== null && isFigure(roles.get(name)));
  const listed = profile.values.flatMap((name) => figures.filter((column) => column.name === name));
  const measures = (listed.length > 0 ? listed : figures).map(({ name }) => ({
    column: name,
    isAdditive: roles.get(name) === 'sum',
  }));
  return measures.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_MEASURES);
}

function rank({ column, isAdditive: adds }: SubjectMeasure): number {
  return adds && wordsOf(column).some((word) => MAIN.test(word)) ? 0 : 1;
}

/** The columns that rows can be grouped by into a picture, the metadata field first. */
function groupsOf({ columns, metaField, rowCount }: TableProfile): readonly ColumnProfile[] {
  const groups = columns.filter(
    ({ type, distinct, nulls }) =>
      (type === 'text' || type === 'boolean') && distinct > 1 && distinct <= MAX_GROUPS && nulls < rowCount,
  );
  return groups.toSorted((a, b) => Number(b.name === metaField) - Number(a.name === metaField));
}

/** How long the rows' time is, when they have times that differ. */
export function spanOf({ timeRange, columns, timeField }: TableProfile): number | null {
  const isTime = columns.some(({ name, type }) => name === timeField && type === 'time');
  return timeRange === null || !isTime ? null : lengthOf(timeRange);
}

function lengthOf({ from, to }: NonNullable<TableProfile['timeRange']>): number | null {
  const length = instantFrom(to).getTime() - instantFrom(from).getTime();
  return length > 0 ? length : null;
}

/** Pieces of time of which a picture of this span has neither too few nor too many. */
function bucketFor(span: number): TimeBucket {
  if (span <= 3 * DAY_MS) return 'hour';
  if (span <= 62 * DAY_MS) return 'day';
  if (span <= 200 * DAY_MS) return 'week';
  if (span <= 6 * 366 * DAY_MS) return 'month';
  return span <= 20 * 366 * DAY_MS ? 'quarter' : 'year';
}
