import type { TimeBucket } from '../../../ports/analysis-plan.js';
import { GROUPINGS } from '../phrases.js';
import { columnAt } from './column-mentions.js';
import { phraseSet, type Line } from './line.js';
import type { Sentence } from './sentence.js';
import { columnDimension } from './targets.js';

const OVER_TIME = phraseSet(
  'over time|as a trend|through time|changed over time|developed over time|change over time|develop over time|evolved over time',
);
const TREND_OF = phraseSet(
  'trend of|trend in|the trend of|the trend in|development of|the development of|evolution of|the evolution of|timeline of|time series of|history of|plot|chart|graph|draw|visualize|visualise|how has|how have|how did',
);
const DEVELOPED = phraseSet('developed|evolved|changed|develop|evolve|change|trend|timeline');
const OVER_SPANS = phraseSet('over the|across the|through the');
const SPANS: ReadonlyMap<string, TimeBucket> = new Map<string, TimeBucket>([
  ['years', 'year'],
  ['quarters', 'quarter'],
  ['months', 'month'],
  ['weeks', 'week'],
  ['days', 'day'],
]);

/** `revenue over time`, `the trend of visits`, `how has humidity developed`, `over the years`. */
export function trendAt(sentence: Sentence, at: number): number | null {
  const { line } = sentence;
  const over = line.phrase(at, OVER_TIME) ?? developedAt(sentence, at);
  if (over !== null) return along(sentence, null) ? over : null;
  const spans = line.phrase(at, OVER_SPANS);
  const bucket = spans === null ? undefined : SPANS.get(line.key(spans));
  if (spans !== null && bucket !== undefined) return along(sentence, bucket) ? spans + 1 : null;
  return trendFirst(sentence, at);
}

/** The figure stands before: `how has humidity developed`. */
function developedAt(sentence: Sentence, at: number): number | null {
  const { line, items, opener } = sentence;
  const next = line.phrase(at, DEVELOPED);
  return next !== null && next >= line.end && items.length > 0 && opener === null ? next : null;
}

/** What is drawn or told as a development; a column may be called by such a word. */
function trendFirst(sentence: Sentence, at: number): number | null {
  const next = canBegin(sentence, at) ? sentence.line.phrase(at, TREND_OF) : null;
  if (next === null || !isDevelopment(sentence, at, next)) return null;
  return along(sentence, null) ? next : null;
}

function canBegin({ line, items, groups, opener, facts }: Sentence, at: number): boolean {
  const isFirst = at === 0 || opener === 'list';
  return isFirst && items.length + groups.length === 0 && facts.time !== null && columnAt(line, at) === null;
}

/** A picture of groups, or of one figure against another, is no development. */
function isDevelopment(sentence: Sentence, at: number, next: number): boolean {
  const { line } = sentence;
  if (line.is(at, 'how')) return saysDevelopment(sentence, next);
  const isPicture = line.is(at, 'plot', 'chart', 'graph', 'draw', 'visualize', 'visualise');
  return !isPicture || !line.has(next, line.end, 'by', 'per', 'each', 'and', 'against', 'versus', 'vs');
}

function saysDevelopment({ line }: Sentence, from: number): boolean {
  return line.has(from, line.end, 'developed', 'evolved', 'changed', 'develop', 'evolve', 'change');
}

function along(sentence: Sentence, bucket: TimeBucket | null): boolean {
  const { time } = sentence.facts;
  const dimension = time === null ? null : columnDimension(time);
  if (dimension === null || time === null) return false;
  const known = sentence.groups.some(({ kind }) => kind !== 'column');
  if (!known) sentence.addGroup(bucket === null ? dimension : { kind: 'bucket', column: time.name, bucket });
  return true;
}

/** `monthly revenue`, `quarterly orders`: an adjective of time before what it is about. */
export function spanAdjectiveAt(sentence: Sentence, at: number): number | null {
  const { line, facts, groups, tail } = sentence;
  const bucket = bucketOf(line, at);
  if (bucket === null || facts.time === null || tail || groups.length > 0) return null;
  // Of rows that are days already `daily` says nothing.
  if (!facts.daily || bucket !== 'day') sentence.addGroup({ kind: 'bucket', column: facts.time.name, bucket });
  return at + 1;
}

function bucketOf(line: Line, at: number): TimeBucket | null {
  const span = GROUPINGS.get(line.key(at));
  const isAdjective = span?.kind === 'bucket' && !span.noun && (columnAt(line, at)?.strength ?? 0) < 84;
  return isAdjective ? span.bucket : null;
}
