import type { QueryResult, TableProfile } from '../../ports/table.js';
import type { TaskStep } from '../../ports/task-step.js';
import { momentWords, nextBucket } from '../../plan/time-words.js';
import { inert } from '../../shared/markdown.js';
import { counted, numberWords, roughShareWords } from '../../shared/number-words.js';
import { aggregation, measure, spanOf } from './general-look.js';
import type { TaskSubject } from './task-assignment.js';
import type { TaskRun } from './task-run.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
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
  const { profile } = subject;
  const missing = missingWords(profile);
  // What the profile tells needs no query, but whoever follows the run sees that it was looked at.
  if (type === 'check') {
    yield run.step(type, { title: run.titleOf(subject, 'which values are missing'), content: missing });
  }
  const looked = [yield* gaps(run, subject, type), yield* duplicates(run, subject, type)];
  return [
    sizeWords(profile),
    ...freshnessWords(profile, run.startedAt),
    missing,
    ...looked.filter((sentence) => sentence !== null),
    'Rows that the import left out are not known here; the datasource’s page counts them.',
  ];
}

function sizeWords({ rowCount, timeRange, columns }: TableProfile): string {
  const span =
    timeRange === null ? '' : `, from ${momentWords(timeRange.from, null)} to ${momentWords(timeRange.to, null)}`;
  return `**Size:** ${counted(rowCount, 'row')} of ${counted(columns.length, 'column')}${span}.`;
}

/** How old the newest row is; rows that lie ahead are worth a word too. */
function freshnessWords(profile: TableProfile, now: Date): readonly string[] {
  if (spanOf(profile) === null || profile.timeRange === null) return [];
  const age = Math.floor((now.getTime() - Date.parse(profile.timeRange.to)) / DAY);
  const newest = momentWords(profile.timeRange.to, null);
  if (age < 0) return [`**Freshness:** the newest row is of ${newest}, which lies ahead of this run.`];
  const old = age === 0 ? 'less than a day' : counted(age, 'day');
  return [`**Freshness:** the newest row is of ${newest}, ${old} before this run.`];
}

function missingWords({ columns, rowCount }: TableProfile): string {
  const lacking = columns.filter(({ nulls }) => nulls > 0).toSorted((a, b) => b.nulls - a.nulls);
  if (lacking.length === 0) return '**Missing values:** none, every column is filled in every row.';
  const named = lacking.slice(0, MAX_NAMED).map(({ name, nulls }) => {
    return `${inert(name)} ${numberWords(nulls)} (${roughShareWords(nulls / Math.max(rowCount, 1))})`;
  });
  const more = lacking.length > named.length ? ` and ${counted(lacking.length - named.length, 'more column')}` : '';
  return `**Missing values:** ${named.join(', ')}${more}. They are left out of averages and totals.`;
}

async function* gaps(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, string | null> {
  const { profile } = subject;
  const { metaField, timeField } = profile;
  const grain = grainOf(profile);
  if (spanOf(profile) === null) return '**Time:** the rows have no times of their own.';
  if (grain === null) return '**Gaps in time:** the rows come too irregularly to tell a gap from a pause.';
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
  const told = (result: QueryResult): string => gapWords(result, { grain, asset: inert(metaField) });
  const purpose = `whether each ${metaField} has rows for every ${grain}`;
  return yield* run.look({ subject, purpose, plan, maxRows: MAX_MOMENTS, type, told });
}

type Grain = 'hour' | 'day';

/** How far apart rows usually are, as the piece of time in which one is to be expected; null when they come too seldom to say. */
function grainOf(profile: TableProfile): Grain | null {
  const span = spanOf(profile);
  const distinct = profile.columns.find(({ name }) => name === profile.timeField)?.distinct ?? 0;
  if (span === null || distinct < 3) return null;
  const apart = span / (distinct - 1);
  if (apart <= 1.25 * HOUR) return 'hour';
  return apart <= 1.5 * DAY ? 'day' : null;
}

interface GapLook {
  readonly grain: Grain;
  /** What an asset is called: `location`. */
  readonly asset: string;
}

/** Gaps that all assets share, and then those of single assets between their own first and last row. Rows are sorted by asset. */
export function gapWords({ rows, truncated }: QueryResult, { grain, asset }: GapLook): string {
  const assets = startsByAsset(rows, truncated);
  const all = [...new Set([...assets.values()].flat())].sort((a, b) => a - b);
  const shared = gapsIn(all, grain);
  const lacking = [...assets]
    .map(([name, starts]) => ({ name, own: gapsIn(starts, grain), span: starts }))
    .map(({ name, own, span }) => ({ name, own, missing: missingIn(own) - missingIn(within(shared, span)) }))
    .filter(({ missing }) => missing > 0)
    .toSorted((a, b) => b.missing - a.missing);
  const looked = assets.size === 1 ? `value of ${asset} was` : `${numberWords(assets.size)} values of ${asset} were`;
  const cut = truncated ? ` Only the first ${looked} looked at.` : '';
  if (shared.length === 0 && lacking.length === 0) {
    return `**Gaps in time:** none, each ${asset} has rows for every ${grain} from its first to its last.${cut}`;
  }
  const together =
    shared.length === 0
      ? ''
      : ` ${counted(missingIn(shared), grain)} without any row, in ${counted(shared.length, 'gap')}; the longest: ${namedGaps(shared, grain)}.`;
  const alone = lacking.slice(0, MAX_NAMED).map(({ name, own, missing }) => {
    return `${inert(name)} ${counted(missing, grain)} (the longest: ${namedGaps(own, grain, 1)})`;
  });
  const number = `${numberWords(lacking.length)} of ${counted(assets.size, 'value')} of ${asset}`;
  const more = lacking.length > alone.length ? ', and others fewer' : '';
  const apart =
    lacking.length === 0
      ? ''
      : ` ${number} ${lacking.length === 1 ? 'lacks' : 'lack'} ${grain}s for which others have rows: ${alone.join(', ')}${more}.`;
  return `**Gaps in time:**${together}${apart}${cut}`;
}

/** The moments of each asset; of a result that was cut without its last asset, unless it is the only one. */
function startsByAsset(rows: QueryResult['rows'], truncated: boolean): ReadonlyMap<string, readonly number[]> {
  const assets = new Map<string, number[]>();
  for (const [name, moment] of rows) {
    if (typeof moment !== 'string') continue;
    const key = name === null || name === undefined ? 'no value' : String(name);
    const starts = assets.get(key) ?? [];
    starts.push(Date.parse(moment));
    assets.set(key, starts);
  }
  const last = [...assets.keys()].at(-1);
  if (truncated && assets.size > 1 && last !== undefined) assets.delete(last);
  return assets;
}

/** `to` is where rows begin again. */
export interface Gap {
  readonly from: number;
  readonly to: number;
  readonly missing: number;
}

/** Runs of pieces of time that are not there although ones before and after are; times are starts, ascending. */
export function gapsIn(starts: readonly number[], grain: Grain): readonly Gap[] {
  return starts.flatMap((start, index) => {
    const to = starts[index + 1];
    const from = nextBucket(start, grain);
    if (to === undefined || to <= from) return [];
    return [{ from, to, missing: Math.round((to - from) / lengthOf(grain)) }];
  });
}

function lengthOf(grain: Grain): number {
  return grain === 'hour' ? HOUR : DAY;
}

function missingIn(found: readonly Gap[]): number {
  return found.reduce((sum, { missing }) => sum + missing, 0);
}

function within(found: readonly Gap[], starts: readonly number[]): readonly Gap[] {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  return found.filter(({ from, to }) => from > first && to <= last);
}

function namedGaps(found: readonly Gap[], grain: Grain, most = MAX_NAMED): string {
  const longest = found.toSorted((a, b) => b.missing - a.missing).slice(0, most);
  return longest.map((gap) => gapName(gap, grain)).join(', ');
}

function gapName({ from, to, missing }: Gap, grain: Grain): string {
  const words = (time: number): string => momentWords(new Date(time).toISOString(), grain);
  return missing === 1 ? words(from) : `${words(from)} to ${words(to - lengthOf(grain))} (${counted(missing, grain)})`;
}

async function* duplicates(
  run: TaskRun,
  subject: TaskSubject,
  type: 'query' | 'check',
): AsyncGenerator<TaskStep, string | null> {
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
  const purpose = `whether a ${metaField} has several rows at one time`;
  return yield* run.look({ subject, purpose, plan, maxRows: MAX_DUPLICATES, type, told });
}

function duplicateWords({ rows }: QueryResult, asset: string): string {
  const [first] = rows;
  if (first === undefined) return `**Duplicates:** none, no ${asset} has two rows at the same time.`;
  const times = `${rows.length >= MAX_DUPLICATES ? 'at least ' : ''}${counted(rows.length, 'time')}`;
  const [name, moment, count] = first;
  const example = `${inert(String(name ?? 'no value'))} has ${String(count)} at ${momentWords(String(moment), null)}`;
  return `**Duplicates:** ${times} a ${asset} has several rows at the same moment; ${example}. That may be right, if a row is an event and not a measurement.`;
}
