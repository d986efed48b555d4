import type { QueryResult, TableProfile } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import { momentWords } from '../../plan/time-words.js';
import { inert } from '../../shared/markdown.js';
import { counted, numberWords, roughShareWords } from '../../shared/number-words.js';
import { aggregation, measure, spanOf } from './general-look.js';
import type { TaskSubject } from './task-assignment.js';
import type { Check, TaskRun } from './task-run.js';
import { DAY_MS, HOUR_MS } from '../../shared/durations.js';

/** Hours or days of all assets together that are looked through for gaps. */
const MAX_MOMENTS = 50_000;
/** Grouping by every moment of more rows than this costs too much for a note. */
const MAX_ROWS_FOR_DUPLICATES = 2_000_000;
const MAX_DUPLICATES = 1000;
const MAX_NAMED = 5;

/** What a reader must know of the rows before trusting a figure of them: sentences in Markdown. `type` is that of the steps told. */
export async function* qualityOf(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, readonly string[]> {
  const missing = missingWords(subject.profile);
  // What the profile tells needs no query, but whoever follows the run sees that it was looked at.
  if (type === 'check') {
    yield run.step(type, { title: run.titleOf(subject, 'which values are missing'), content: missing });
  }
  const sentences = [sizeWords(subject.profile, run.startedAt), missing];
  for (const check of [gapCheck(subject), duplicateCheck(subject)]) {
    const sentence = typeof check === 'string' || check === null ? check : yield* run.look({ ...check, type });
    if (sentence !== null) sentences.push(sentence);
  }
  return sentences;
}

/** How many rows there are, and how old the newest is. */
function sizeWords(profile: TableProfile, now: Date): string {
  const { rowCount, timeRange, columns } = profile;
  const size = `**Size:** ${counted(rowCount, 'row')} of ${counted(columns.length, 'column')}`;
  if (timeRange === null) return `${size}.`;
  const age = Math.floor((now.getTime() - Date.parse(timeRange.to)) / DAY_MS);
  const old = age < 0 ? 'which lies ahead of this run' : `${counted(age, 'day')} before this run`;
  return `${size}, from ${momentWords(timeRange.from, null)} to ${momentWords(timeRange.to, null)}, ${old}.`;
}

function missingWords({ columns, rowCount }: TableProfile): string {
  const lacking = columns.filter(({ nulls }) => nulls > 0).toSorted((a, b) => b.nulls - a.nulls);
  if (lacking.length === 0) return '**Missing values:** none.';
  const named = lacking.slice(0, MAX_NAMED).map(({ name, nulls }) => {
    return `${inert(name)} ${numberWords(nulls)} (${roughShareWords(nulls / Math.max(rowCount, 1))})`;
  });
  return `**Missing values:** ${named.join(', ')}${moreThan(lacking, 'column')}.`;
}

function moreThan(all: readonly unknown[], what: string): string {
  return all.length > MAX_NAMED ? ` and ${counted(all.length - MAX_NAMED, `more ${what}`)}` : '';
}

/** A sentence where there is nothing to look for. */
function gapCheck(subject: TaskSubject): Omit<Check, 'type'> | string {
  const { metaField, timeField } = subject.profile;
  const grain = grainOf(subject.profile);
  if (grain === null) return '**Gaps in time:** not looked for, because the rows come at no regular times.';
  const plan = aggregation({
    measures: [measure('count', null)],
    dimensions: [
      { kind: 'column', column: metaField, label: 'asset' },
      { kind: 'bucket', column: timeField, bucket: grain, label: 'moment' },
    ],
    order: [
      { by: 'asset', direction: 'asc' },
      { by: 'moment', direction: 'asc' },
    ],
  });
  const told = (result: QueryResult): string => gapWords(result, grain, inert(metaField));
  const purpose = `whether each ${metaField} has rows for every ${grain}`;
  return { subject, purpose, plan, maxRows: MAX_MOMENTS, told };
}

const LENGTHS = { hour: HOUR_MS, day: DAY_MS };
type Grain = keyof typeof LENGTHS;

/** How far apart rows usually are, as the piece of time in which one is to be expected; null when they come too seldom to say. */
function grainOf(profile: TableProfile): Grain | null {
  const span = spanOf(profile);
  const distinct = profile.columns.find(({ name }) => name === profile.timeField)?.distinct ?? 0;
  if (span === null || distinct < 3) return null;
  const apart = span / (distinct - 1);
  if (apart <= 1.25 * HOUR_MS) return 'hour';
  return apart <= 1.5 * DAY_MS ? 'day' : null;
}

/** The gaps that all assets share, and those of single assets between their own first and last row. Rows are sorted by asset. */
export function gapWords({ rows, truncated }: QueryResult, grain: Grain, asset: string): string {
  const assets = new Map<string, number[]>();
  for (const [name, moment] of rows) {
    if (typeof moment !== 'string') continue;
    const key = String(name ?? 'no value');
    const starts = assets.get(key) ?? [];
    starts.push(Date.parse(moment));
    assets.set(key, starts);
  }
  // Of a result that was cut the last asset is not whole.
  if (truncated && assets.size > 1) assets.delete([...assets.keys()].at(-1) ?? '');
  const all = [...new Set([...assets.values()].flat())].sort((a, b) => a - b);
  const places = new Map(all.map((start, at) => [start, at]));
  const length = LENGTHS[grain];
  const shared = gapsIn(all, length);
  const own = [...assets]
    .map(([name, starts]) => {
      // Counted by places, what nobody has is no gap of one.
      const lacking = gapsIn(
        starts.map((start) => places.get(start) ?? 0),
        1,
      );
      const gaps = lacking.map(({ from, to, missing }) => ({
        from: all[from] ?? 0,
        to: (all[to - 1] ?? 0) + length,
        missing,
      }));
      return { name: inert(name), gaps };
    })
    .filter(({ gaps }) => gaps.length > 0)
    .toSorted((a, b) => missingIn(b.gaps) - missingIn(a.gaps));
  const named = own.slice(0, MAX_NAMED).map(({ name, gaps }) => `${name} ${gapSum(gaps, grain)}`);
  const parts = [
    ...(shared.length === 0 ? [] : [`${gapSum(shared, grain)} without any row`]),
    ...(own.length === 0
      ? []
      : [`values of ${asset} without rows where others have some: ${named.join(', ')}${moreThan(own, 'value')}`]),
  ];
  const cut = truncated ? ` Only ${counted(assets.size, 'value')} of ${asset} could be checked.` : '';
  return `**Gaps in time:** ${parts.length === 0 ? 'none' : parts.join('; ')}.${cut}`;
}

/** `to` is where rows begin again. */
interface Gap {
  readonly from: number;
  readonly to: number;
  readonly missing: number;
}

/** Runs of pieces of so much time that are not there although ones before and after are; times are starts, ascending. */
export function gapsIn(starts: readonly number[], length: number): readonly Gap[] {
  return starts.flatMap((start, index) => {
    const [from, to] = [start + length, starts[index + 1]];
    return to === undefined || to <= from ? [] : [{ from, to, missing: Math.round((to - from) / length) }];
  });
}

function missingIn(found: readonly Gap[]): number {
  return found.reduce((sum, { missing }) => sum + missing, 0);
}

/** `3 days (the longest: 2024-04-10 to 2024-04-12)`. */
function gapSum(found: readonly Gap[], grain: Grain): string {
  const all = counted(missingIn(found), grain);
  const [longest] = found.toSorted((a, b) => b.missing - a.missing);
  if (longest === undefined) return all;
  const words = (time: number): string => momentWords(new Date(time).toISOString(), grain);
  const end = longest.missing === 1 ? '' : ` to ${words(longest.to - LENGTHS[grain])}`;
  return `${all} (the longest: ${words(longest.from)}${end})`;
}

function duplicateCheck(subject: TaskSubject): Omit<Check, 'type'> | null {
  const { metaField, timeField, rowCount } = subject.profile;
  if (spanOf(subject.profile) === null || rowCount > MAX_ROWS_FOR_DUPLICATES) return null;
  const plan = aggregation({
    measures: [{ aggregate: 'count', column: null, label: 'rows' }],
    dimensions: [
      { kind: 'column', column: metaField, label: 'asset' },
      { kind: 'column', column: timeField, label: 'moment' },
    ],
    having: [{ measure: 0, operator: '>', value: 1 }],
    order: [{ by: 'rows', direction: 'desc' }],
    limit: MAX_DUPLICATES,
  });
  const told = (result: QueryResult): string => duplicateWords(result, inert(metaField));
  const purpose = `whether one ${metaField} has several rows at one time`;
  return { subject, purpose, plan, maxRows: MAX_DUPLICATES, told };
}

function duplicateWords({ rows }: QueryResult, asset: string): string {
  const [first] = rows;
  if (first === undefined) return `**Duplicates:** none, no ${asset} has two rows at the same time.`;
  const times = `${rows.length >= MAX_DUPLICATES ? 'at least ' : ''}${counted(rows.length, 'time')}`;
  const [name, moment, count] = first;
  const example = `${inert(String(name ?? 'no value'))} has ${String(count)} at ${momentWords(String(moment), null)}`;
  return `**Duplicates:** ${times} one ${asset} has several rows at the same moment; ${example}.`;
}
