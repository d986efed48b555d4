import type { Filter, TimeBucket } from '../../ports/analysis-plan.js';
import { columnsOfFilter } from '../../ports/plan-filters.js';
import type { Aggregation, AskedQuery, Finding } from './finding.js';
import { nextBucket } from './buckets.js';
import { momentWords } from './markdown-words.js';
import { byColumn, byTime, pointsOf, rangeOf, type PlannedFinding } from './plan-findings.js';
import { isPlain } from './plain-plan.js';
import { conditionsOf, measureWords } from './plan-words.js';
import { bucketFor, groupsOf, spanOf } from './subject-measures.js';
import type { TaskSubject } from './task-assignment.js';
import { trendOf } from './trend.js';

/** A further question and why it is asked. */
export interface FollowUp extends PlannedFinding {
  readonly reason: string;
}

/**
 * What a finding gives reason to ask next: where the figure comes from, how its largest group developed, what stands behind the
 * piece of time that stands out. Pure.
 */
export function followUpsOf(finding: Finding): readonly FollowUp[] {
  const query = finding.queries.at(-1);
  if (query === undefined || !isPlain(query.plan) || query.result.rows.length === 0) return [];
  const { plan } = query;
  const [dimension, second] = plan.dimensions;
  if (second !== undefined) return [];
  if (dimension === undefined) return splitUp(query, plan);
  return dimension.kind === 'bucket' ? behindUnusual(query, plan) : largestGroup(query, plan);
}

const COMMON = { origin: 'follow-up', isDrawn: true } as const;

/** A single figure: by what it is made of. */
function splitUp({ subject }: AskedQuery, plan: Aggregation): readonly FollowUp[] {
  const [figure] = plan.measures;
  const group = freeGroup(subject, plan.filters);
  if (figure === undefined || group === null || plan.measures.length > 1 || figure.column === group) return [];
  const what = described(plan);
  return [
    {
      ...COMMON,
      subject,
      plan: byColumn(figure, group, plan.filters),
      purpose: `${what} by ${group}`,
      question: `Where the ${what} comes from`,
      reason: 'one figure does not say what it is made of',
    },
  ];
}

/** A column of groups that no condition has settled. */
function freeGroup({ profile }: TaskSubject, filters: readonly Filter[], taken = ''): string | null {
  const settled = filters.flatMap(columnsOfFilter);
  return groupsOf(profile).find(({ name }) => !settled.includes(name) && name !== taken)?.name ?? null;
}

function largestGroup(query: AskedQuery, plan: Aggregation): readonly FollowUp[] {
  const { subject } = query;
  const [figure] = plan.measures;
  const group = topOf(query, plan);
  const span = spanWithin(plan, subject);
  if (figure === undefined || group === null || span === null) return [];
  const { column, value } = group;
  const filters = [...plan.filters, { kind: 'in', column, values: [value], negated: false } as const];
  const time = { column: subject.profile.timeField, bucket: bucketFor(span) };
  const what = measureWords(figure);
  return [
    {
      ...COMMON,
      subject,
      plan: byTime(figure, time, filters),
      purpose: `${what} of ${String(value)} by ${time.bucket}`,
      question: `How the ${what} of ${String(value)} developed${within(plan, subject)}`,
      reason: `${String(value)} has the highest figure`,
    },
  ];
}

interface TopGroup {
  readonly column: string;
  readonly value: string | number | boolean;
}

/** The group with the highest figure; null when it has no name, or when all are about the same. */
function topOf({ result }: AskedQuery, { dimensions: [dimension] }: Aggregation): TopGroup | null {
  const known = result.rows.filter(([name, figure]) => name !== null && typeof figure === 'number');
  const [top] = known.toSorted((a, b) => Number(b[1]) - Number(a[1]));
  const value = top?.[0] ?? null;
  if (dimension?.kind !== 'column' || value === null || isEven(result)) return null;
  return { column: dimension.column, value };
}

/** How long the time of a plan's rows is. */
function spanWithin(plan: Aggregation, subject: TaskSubject): number | null {
  const range = rangeOf(plan, subject);
  if (spanOf(subject.profile) === null || range === null) return null;
  return Date.parse(range.to) - Date.parse(range.from);
}

const EVEN = 1.05;

/** Of groups that are all about the same the largest is no news. */
function isEven({ rows }: AskedQuery['result']): boolean {
  const values = rows.map((row) => Number(row[1]));
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.length > 1 && low > 0 && high / low <= EVEN;
}

function behindUnusual(query: AskedQuery, plan: Aggregation): readonly FollowUp[] {
  const { subject } = query;
  const [figure] = plan.measures;
  const moment = momentOf(query, plan);
  const group = freeGroup(subject, plan.filters);
  if (figure === undefined || moment === null || group === null) return [];
  const { iso, bucket, isUnusual } = moment;
  const to = new Date(nextBucket(Date.parse(iso), bucket)).toISOString();
  const during = { kind: 'time', column: subject.profile.timeField, from: iso, to } as const;
  const filters = [...plan.filters.filter(({ kind }) => kind !== 'time'), during];
  const when = momentWords(iso, bucket);
  const what = measureWords(figure);
  return [
    {
      ...COMMON,
      subject,
      plan: byColumn(figure, group, filters),
      purpose: `${what} in ${when} by ${group}`,
      question: `What stood behind the ${what} ${bucket === 'week' ? 'of the' : 'of'} ${when}${within(plan, subject)}`,
      reason: isUnusual ? `${when} stands out` : `${when} has the highest figure`,
    },
  ];
}

interface Moment {
  readonly iso: string;
  readonly bucket: TimeBucket;
  readonly isUnusual: boolean;
}

/** The piece of time that stands out, or else has the highest figure. */
function momentOf({ result, subject }: AskedQuery, plan: Aggregation): Moment | null {
  const development = pointsOf(plan, result);
  if (development === null || development.points.length < 2) return null;
  const { points, bucket } = development;
  const { unusual } = trendOf(points, { bucket, range: rangeOf(plan, subject), what: '' });
  const most = unusual ?? points.toSorted((a, b) => b.value - a.value)[0];
  return most === undefined ? null : { iso: most.iso, bucket, isUnusual: unusual !== null };
}

/** Conditions beside the time. */
function within(plan: Aggregation, { profile }: TaskSubject): string {
  const conditions = conditionsOf(plan, profile.timeField);
  return conditions === '' ? '' : ` (${conditions})`;
}

function described(plan: Aggregation): string {
  const [figure] = plan.measures;
  const conditions = conditionsOf(plan);
  const what = figure === undefined ? 'figure' : measureWords(figure);
  return conditions === '' ? what : `${what} (${conditions})`;
}
