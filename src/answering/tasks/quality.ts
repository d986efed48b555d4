import type { QueryResult } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import { gapsIn, type Gap } from './buckets.js';
import { countOf, inline, momentWords, shareWords } from './markdown-words.js';
import { aggregation, measure } from './plan-findings.js';
import { grainOf, spanOf } from './subject-measures.js';
import type { TaskRun } from './task-run.js';
import type { TaskSubject } from './task-assignment.js';

/** Grouping by every moment of more rows than this costs too much for a note. */
const MAX_ROWS_FOR_DUPLICATES = 2_000_000;
const MAX_NAMED = 5;
const MAX_DUPLICATES = 1000;

/** What a reader must know of the data before trusting a figure of it: sentences in Markdown. `type` is that of the steps told. */
export async function* qualityOf(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, readonly string[]> {
  return [
    sizeWords(subject),
    ...freshnessWords(subject, run.startedAt),
    missingWords(subject),
    ...(yield* gaps(run, subject, type)),
    ...(yield* duplicates(run, subject, type)),
    'Rows that the import left out are not known here; the datasource’s page counts them.',
  ];
}

function sizeWords({ profile }: TaskSubject): string {
  const { rowCount, timeRange, columns } = profile;
  const span =
    timeRange === null ? '' : `, from ${momentWords(timeRange.from, null)} to ${momentWords(timeRange.to, null)}`;
  return `**Size:** ${countOf(rowCount, 'row')} of ${countOf(columns.length, 'column')}${span}.`;
}

const DAY = 86_400_000;

/** How old the newest row is; rows that lie ahead are worth a word too. */
function freshnessWords({ profile }: TaskSubject, now: Date): readonly string[] {
  if (spanOf(profile) === null || profile.timeRange === null) return [];
  const age = Math.floor((now.getTime() - Date.parse(profile.timeRange.to)) / DAY);
  const newest = momentWords(profile.timeRange.to, null);
  if (age < 0) return [`**Freshness:** the newest row is of ${newest}, which lies ahead of this run.`];
  const old = age === 0 ? 'less than a day' : countOf(age, 'day');
  return [`**Freshness:** the newest row is of ${newest}, ${old} before this run.`];
}

function missingWords({ profile: { columns, rowCount } }: TaskSubject): string {
  const lacking = columns.filter(({ nulls }) => nulls > 0).toSorted((a, b) => b.nulls - a.nulls);
  if (lacking.length === 0) return '**Missing values:** none, every column is filled in every row.';
  const named = lacking.slice(0, MAX_NAMED).map(({ name, nulls }) => {
    return `${inline(name)} ${nulls.toLocaleString('en-US')} (${shareWords(nulls / Math.max(rowCount, 1))})`;
  });
  const more = lacking.length > named.length ? ` and ${countOf(lacking.length - named.length, 'more column')}` : '';
  return `**Missing values:** ${named.join(', ')}${more}. They are left out of averages and totals.`;
}

async function* gaps(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, readonly string[]> {
  const { profile } = subject;
  const grain = grainOf(profile);
  if (spanOf(profile) === null) return ['**Time:** the rows have no times of their own.'];
  if (grain === null) return ['**Gaps in time:** the rows come too irregularly to tell a gap from a pause.'];
  const dimensions = [{ kind: 'bucket', column: profile.timeField, bucket: grain, label: grain } as const];
  const plan = aggregation({
    measures: [measure('count', null)],
    dimensions,
    order: [{ by: grain, direction: 'asc' }],
  });
  const told = (result: QueryResult): string => gapWords(result, grain);
  const result = yield* run.ask({ subject, plan, purpose: `whether there are ${grain}s without rows` }, { type, told });
  return result === null ? [] : [told(result)];
}

function gapWords(result: QueryResult, grain: 'hour' | 'day'): string {
  const starts = result.rows.flatMap(([iso]) => (typeof iso === 'string' ? [Date.parse(iso)] : []));
  const found = gapsIn(starts, grain);
  const cut = result.truncated
    ? ` Only the first ${starts.length.toLocaleString('en-US')} ${grain}s were looked at.`
    : '';
  if (found.length === 0) return `**Gaps in time:** none, there are rows for every ${grain}.${cut}`;
  const missing = found.reduce((sum, gap) => sum + gap.missing, 0);
  const longest = found.toSorted((a, b) => b.missing - a.missing).slice(0, MAX_NAMED);
  const named = longest.map((gap) => gapName(gap, grain)).join(', ');
  return `**Gaps in time:** ${countOf(missing, grain)} without any row, in ${countOf(found.length, 'gap')}; the longest: ${named}.${cut}`;
}

function gapName({ from, to, missing }: Gap, grain: 'hour' | 'day'): string {
  const length = grain === 'hour' ? 3_600_000 : 86_400_000;
  const [first, last] = [
    momentWords(new Date(from).toISOString(), grain),
    momentWords(new Date(to - length).toISOString(), grain),
  ];
  return missing === 1 ? first : `${first} to ${last} (${countOf(missing, grain)})`;
}

async function* duplicates(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, readonly string[]> {
  const { metaField, timeField, rowCount } = subject.profile;
  if (spanOf(subject.profile) === null || rowCount > MAX_ROWS_FOR_DUPLICATES) return [];
  const plan = aggregation({
    measures: [{ aggregate: 'count', column: null, label: 'rows' }],
    dimensions: [
      { kind: 'column', column: metaField, label: 'about' },
      { kind: 'column', column: timeField, label: 'moment' },
    ],
    having: [{ measure: 0, operator: '>', value: 1 }],
    order: [{ by: 'rows', direction: 'desc' }],
    limit: MAX_DUPLICATES,
  });
  const told = (result: QueryResult): string => duplicateWords(result, metaField);
  const result = yield* run.ask(
    { subject, plan, purpose: `whether a ${metaField} has several rows at one time` },
    { type, told },
  );
  return result === null ? [] : [told(result)];
}

function duplicateWords({ rows }: QueryResult, metaField: string): string {
  const name = inline(metaField);
  const [first] = rows;
  if (first === undefined) return `**Duplicates:** none, no ${name} has two rows at the same time.`;
  const most =
    rows.length >= MAX_DUPLICATES ? `at least ${countOf(rows.length, 'time')}` : countOf(rows.length, 'time');
  const [about, moment, count] = first;
  const example = `${inline(String(about ?? 'no value'))} has ${String(count)} at ${momentWords(String(moment), null)}`;
  return `**Duplicates:** ${most} a ${name} has several rows at the same moment; ${example}. That may be right, if a row is an event and not a measurement.`;
}
