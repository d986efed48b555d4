import type { AnalysisPlan, Filter, Measure, TimeBucket } from '../../ports/analysis-plan.js';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import type { Aggregation, Finding, Picture } from './finding.js';
import { groupWords, resultTable } from './group-words.js';
import { capital, countOf, inline, paragraphs } from './markdown-words.js';
import { conditionsOf, dimensionWords, measureWords } from './plan-words.js';
import { mainAggregate, type SubjectMeasure } from './subject-measures.js';
import type { PlannedQuery, TaskRun } from './task-run.js';
import type { TaskSubject } from './task-assignment.js';
import { trendOf, type Point, type TimeSpan } from './trend.js';

const MAX_NAME = 50;
const MAX_TITLE = 120;
const LINE_POINTS = 3;

/** A query of ours whose result becomes a finding. */
export interface PlannedFinding extends PlannedQuery {
  readonly plan: Aggregation;
  /** As a heading. */
  readonly question: string;
  readonly origin: 'overview' | 'follow-up';
  readonly isDrawn: boolean;
}

/** A figure with a label that is short enough for every engine; `number` keeps two of the same apart. */
export function measure(aggregate: Measure['aggregate'], column: string | null, number = 0): Measure {
  const words = measureWords({ aggregate, column: column === null ? null : column.slice(0, MAX_NAME) });
  return { aggregate, column, label: number === 0 ? words : `${words} (${number + 1})` };
}

export function mainMeasure(main: SubjectMeasure): Measure {
  return measure(mainAggregate(main), main.column);
}

export function aggregation(parts: Partial<Omit<Aggregation, 'kind'>>): Aggregation {
  const { measures = [], dimensions = [], filters = [], having = [], order = [], limit = null } = parts;
  return { kind: 'aggregate', measures, dimensions, filters, having, order, limit };
}

/** Figures by the values of a column, the highest first. */
export function byColumn(figure: Measure, column: string, filters: readonly Filter[] = []): Aggregation {
  const label = column === figure.label ? `${column} (group)` : column.slice(0, MAX_NAME);
  const dimensions = [{ kind: 'column', column, label } as const];
  return aggregation({ measures: [figure], dimensions, filters, order: [{ by: figure.label, direction: 'desc' }] });
}

/** Figures over time. */
export function byTime(
  figure: Measure,
  time: { readonly column: string; readonly bucket: TimeBucket },
  filters: readonly Filter[] = [],
): Aggregation {
  const dimensions = [{ kind: 'bucket', ...time, label: time.bucket } as const];
  return aggregation({ measures: [figure], dimensions, filters });
}

/** Asks, draws and puts into words; null when the query failed. */
export async function* worked(run: TaskRun, planned: PlannedFinding): AsyncGenerator<TaskStep, Finding | null> {
  const result = yield* run.ask(planned);
  const asked = run.queries.at(-1);
  if (result === null || asked === undefined) return null;
  const request = planned.isDrawn ? chartOf(planned.plan, result) : null;
  const picture: Picture | null = request === null ? null : yield* run.draw(request, result);
  return {
    subject: planned.subject,
    question: planned.question,
    origin: planned.origin,
    kind: 'answer',
    text: wordsOf(planned, result, picture !== null),
    queries: [asked],
    picture,
    sources: [],
    basis: basisOf(planned.subject, planned.plan, result),
  };
}

function wordsOf({ plan, subject }: PlannedFinding, result: QueryResult, isDrawn: boolean): string {
  const points = pointsOf(plan, result);
  const [figure] = plan.measures;
  if (points !== null && figure !== undefined) {
    const what = inline(measureWords(figure), 120);
    const { sentences } = trendOf(points.points, { bucket: points.bucket, range: rangeOf(plan, subject), what });
    return paragraphs([sentences.slice(0, 2).join(' '), sentences.slice(2).join(' ')]);
  }
  // A picture shows the groups better than a table that repeats it, unless they are few.
  const table = isDrawn && result.rows.length > 6 ? '' : resultTable(plan, result);
  return paragraphs([groupWords(plan, result), table]);
}

/** A development's points; null when the plan is none. */
export function pointsOf(
  plan: Aggregation,
  result: QueryResult,
): { readonly points: readonly Point[]; readonly bucket: TimeBucket } | null {
  const [dimension, second] = plan.dimensions;
  if (dimension?.kind !== 'bucket' || second !== undefined) return null;
  const points = result.rows.flatMap(([iso, value]) =>
    typeof iso === 'string' && typeof value === 'number' ? [{ iso, value }] : [],
  );
  return { points: points.toSorted((a, b) => a.iso.localeCompare(b.iso)), bucket: dimension.bucket };
}

/** The time that the plan's rows span: the table's, cut by its filters. */
export function rangeOf(plan: AnalysisPlan, { profile }: TaskSubject): TimeSpan | null {
  const whole = profile.timeRange;
  if (whole === null) return null;
  const limits = plan.filters.flatMap((filter) =>
    filter.kind === 'time' && filter.column === profile.timeField ? [filter] : [],
  );
  // ISO texts of one form, so that their order is that of time; the end of a range is outside of it.
  const froms = limits.flatMap(({ from }) => (from === null ? [] : [isoOf(from)]));
  const tos = limits.flatMap(({ to }) => (to === null ? [] : [isoOf(to, -1)]));
  const from = [whole.from, ...froms].toSorted().at(-1) ?? whole.from;
  const to = [whole.to, ...tos].toSorted()[0] ?? whole.to;
  return from <= to ? { from, to } : null;
}

/** A time without a zone is UTC. */
function isoOf(time: string, offset = 0): string {
  const zoned = /[zZ]$|[+-]\d\d:?\d\d$/.test(time) || !time.includes('T') ? time : `${time}Z`;
  const date = new Date(Date.parse(zoned) + offset);
  return Number.isNaN(date.getTime()) ? time : date.toISOString();
}

/** The picture that suits the result of a plan; null when words say it all. */
export function chartOf(plan: Aggregation, result: QueryResult): ChartRequest | null {
  const [figure] = plan.measures;
  const [dimension, second] = plan.dimensions;
  if (figure === undefined || dimension === undefined || second !== undefined || result.rows.length < 2) return null;
  const isLine = dimension.kind === 'bucket' && result.rows.length >= LINE_POINTS;
  const conditions = conditionsOf(plan);
  const title = `${capital(measureWords(figure))} by ${dimensionWords(dimension)}${conditions === '' ? '' : ` where ${conditions}`}`;
  return {
    kind: isLine ? 'line' : 'bar',
    x: dimension.label,
    y: figure.label,
    series: null,
    title: cut(title),
    xTitle: cut(dimensionWords(dimension)),
    yTitle: cut(measureWords(figure)),
  };
}

function cut(text: string): string {
  const letters = Array.from(text.replace(/[\p{Cc}\s]+/gu, ' '));
  return letters.length <= MAX_TITLE ? letters.join('') : `${letters.slice(0, MAX_TITLE - 1).join('')}…`;
}

/** What the figures of a plan rest on, as a sentence. */
export function basisOf(subject: TaskSubject, plan: AnalysisPlan, { rowsScanned }: QueryResult): string {
  const { timeField } = subject.profile;
  const isTimed = plan.filters.some((filter) => filter.kind === 'time' && filter.column === timeField);
  return basisWords({
    rows: rowsScanned,
    range: rangeOf(plan, subject),
    filters: conditionsOf(plan, timeField),
    isWhole: !isTimed && plan.filters.every(({ kind }) => kind === 'null'),
  });
}

export interface Basis {
  readonly rows: number;
  readonly range: TimeSpan | null;
  readonly filters: string;
  readonly isWhole: boolean;
}

/** `Rests on all 2,922 rows, 2012-01-01 to 2015-12-31.` */
export function basisWords({ rows, range, filters, isWhole }: Basis): string {
  const time = range === null ? '' : `${range.from.slice(0, 10)} to ${range.to.slice(0, 10)}`;
  if (isWhole) return `Rests on all ${countOf(rows, 'row')}${time === '' ? '' : `, ${time}`}.`;
  const from = time === '' ? '' : ` from ${time}`;
  const where = filters === '' ? '' : ` where ${inline(filters, 400)}`;
  return `Rests on the rows${from}${where}; the datasource has ${countOf(rows, 'row')}.`;
}
