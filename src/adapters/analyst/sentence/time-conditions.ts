import type { Filter } from '../../../ports/analysis-plan.js';
import { isoOf } from '../calendar.js';
import type { ColumnFacts } from '../column-facts.js';
import { rangeAt, timeContext, type Found } from '../times.js';
import { isYear } from '../year-columns.js';
import { phraseSet, type Line } from './line.js';
import { oldYearsAt } from './old-years.js';
import { theOnly } from './only.js';
import type { Sentence } from './sentence.js';

/** A stretch of time that was named. */
export interface Stretch {
  readonly from: number | null;
  readonly to: number | null;
  readonly unit: Found['unit'];
  readonly note: string | null;
  readonly next: number;
}

const FROM_ON = phraseSet(
  'in or after|on or after|from or after|during or after|no earlier than|not before|not earlier than|at or after|after or in|in and after|since',
);
const UP_TO = phraseSet(
  'in or before|on or before|no later than|not after|not later than|at or before|by the end of|before or in|before or on|in and before|up to|until|till',
);
const LATER = phraseSet('earlier than|prior to|older than');
const AFTERWARDS = phraseSet('later than|newer than|following|more recently than|subsequent to');
const AND_LATER = phraseSet('or later|and later|or after|onwards|onward|and after|and onwards|or newer|and on');
const AND_EARLIER = phraseSet('or earlier|and earlier|or before|and before|or older');

type Ends = (found: Stretch) => Pick<Stretch, 'from' | 'to'>;

/** Words before a stretch that say which of its ends is open, and which is meant. */
const OPENED: readonly (readonly [phrases: ReturnType<typeof phraseSet>, ends: Ends])[] = [
  [FROM_ON, ({ from }) => ({ from, to: null })],
  [UP_TO, ({ to }) => ({ from: null, to })],
  [LATER, ({ from }) => ({ from: null, to: from })],
  [AFTERWARDS, ({ to }) => ({ from: to, to: null })],
];

/** The stretch of time named here with the words that open or close it. */
export function stretchAt(sentence: Sentence, at: number): Stretch | null {
  for (const [phrases, ends] of OPENED) {
    const next = sentence.line.phrase(at, phrases);
    if (next !== null) return adjusted(plainStretch(sentence, next), ends);
  }
  return fromOn(sentence, at) ?? ofYearAt(sentence, at) ?? bareStretch(sentence, at);
}

function bareStretch(sentence: Sentence, at: number): Stretch | null {
  const found = plainStretch(sentence, at) ?? oldYears(sentence, at);
  return found === null ? null : withOpenEnd(sentence, at, found);
}

function oldYears({ line, facts }: Sentence, at: number): Stretch | null {
  const found = oldYearsAt(line, facts, at);
  return found === null ? null : { ...found, unit: 'year', note: null };
}

/** `wines from 2012`: of that year, where nothing says that later ones are meant as well. */
function ofYearAt(sentence: Sentence, at: number): Stretch | null {
  const { line } = sentence;
  const year = line.is(at, 'from') ? plainStretch(sentence, at + 1) : null;
  if (year?.unit !== 'year' || year.next !== at + 2) return null;
  const goesOn = line.phrase(year.next, AND_LATER) !== null || line.is(year.next, ...ENDS_SPAN);
  return goesOn || year.to === null ? null : year;
}

const ENDS_SPAN = ['to', 'until', 'till', 'through', 'up', 'on', 'onwards', 'onward', 'forward'];

/** `from 2001 on`, `starting in May`. */
function fromOn(sentence: Sentence, at: number): Stretch | null {
  const { line } = sentence;
  if (!line.is(at, 'from', 'starting', 'beginning')) return null;
  const start = line.skip(at + 1, new Set(['in', 'on', 'from', 'with', 'the', 'year']));
  const found = plainStretch(sentence, start);
  const isOpen = found !== null && line.is(found.next, 'on', 'onward', 'onwards', 'upwards', 'forward', 'forwards');
  if (found === null || !(isOpen || line.is(at, 'starting', 'beginning'))) return null;
  return { ...found, to: null, next: isOpen ? found.next + 1 : found.next };
}

/** `2010 or later`; in `before 1980 or after 2010` another stretch follows. */
function withOpenEnd(sentence: Sentence, at: number, found: Stretch): Stretch {
  const { line } = sentence;
  const later = laterAt(line, at, found.next);
  if (later !== null && isSince(found)) return { ...found, next: later };
  const next = later ?? line.phrase(found.next, AND_EARLIER);
  if (next === null || !isWhole(found) || plainStretch(sentence, next) !== null) return found;
  return later === null ? { ...found, from: null, next } : { ...found, to: null, next };
}

/** The place after `or later`, or after the `on` of `from 2001 on`. */
function laterAt(line: Line, at: number, next: number): number | null {
  const isFrom = line.is(at - 1, 'from', 'since') && line.is(next, 'on');
  return isFrom ? next + 1 : line.phrase(next, AND_LATER);
}

function isSince({ from, to }: Stretch): boolean {
  return from !== null && to === null;
}

function isWhole({ from, to }: Stretch): boolean {
  return from !== null && to !== null;
}

function adjusted(found: Stretch | null, ends: (found: Stretch) => Pick<Stretch, 'from' | 'to'>): Stretch | null {
  return found === null ? null : { ...found, ...ends(found) };
}

function plainStretch(sentence: Sentence, at: number): Stretch | null {
  const { line, facts } = sentence;
  const found = rangeAt(line.tokens, at, contextOf(sentence));
  if (found === null || (found.unit === 'hour' && facts.time === null)) return null;
  return found;
}

const contexts = new WeakMap<Sentence, ReturnType<typeof timeContext>>();

function contextOf(sentence: Sentence): ReturnType<typeof timeContext> {
  const known = contexts.get(sentence) ?? timeContext(sentence.facts, sentence.line.now);
  contexts.set(sentence, known);
  return known;
}

/** Whole numbers that are years: yr, release_year, opened. */
export function yearColumns({ facts }: Pick<Sentence, 'facts'>): readonly ColumnFacts[] {
  return facts.columns.filter(isYear);
}

/** The column that a stretch of time is about; a sentence when it can't be told. */
export function momentColumn(sentence: Sentence, named: readonly ColumnFacts[]): ColumnFacts | string {
  const { facts, hinted } = sentence;
  const years = yearColumns(sentence);
  const times = facts.columns.filter(({ role, profile }) => role === 'time' && profile.min !== profile.max);
  const moments = [...times, ...years];
  const spoken = onlyAmong(moments, named) ?? onlyAmong(moments, hinted) ?? facts.time ?? plainYear(years);
  if (spoken !== null) return spoken;
  if (years.length > 1) return `The year could be ${years.map(({ name }) => name).join(' or ')}.`;
  return times[0] ?? 'The rows of this table have no time of their own, so I can’t look at a stretch of time.';
}

function onlyAmong(moments: readonly ColumnFacts[], wanted: readonly ColumnFacts[]): ColumnFacts | null {
  return theOnly(moments.filter((column) => wanted.includes(column)));
}

/** The only year, else the only one that is called just that. */
function plainYear(years: readonly ColumnFacts[]): ColumnFacts | null {
  return theOnly(years) ?? theOnly(years.filter(({ words }) => words.length === 1));
}

/** The condition that a column lies in a stretch of time; a sentence when that can't be. */
export function momentFilter(column: ColumnFacts, stretch: Pick<Stretch, 'from' | 'to' | 'unit'>): Filter | string {
  if (column.role === 'time') return timeFilter(column, stretch);
  if (stretch.unit !== 'year') return `${column.name} has only years.`;
  const low = stretch.from === null ? null : yearOf(stretch.from);
  const high = stretch.to === null ? null : yearOf(stretch.to) - 1;
  const { min, max } = column.profile;
  return isOutside(column, low, high)
    ? `The rows cover ${min} to ${max}, so there is nothing in the time you ask about.`
    : yearRange(column.name, low, high);
}

function yearOf(moment: number): number {
  return new Date(moment).getUTCFullYear();
}

function isOutside({ profile }: ColumnFacts, low: number | null, high: number | null): boolean {
  const { min, max, distinct } = profile;
  return distinct > 1 && ((low !== null && low > Number(max)) || (high !== null && high < Number(min)));
}

function yearRange(column: string, low: number | null, high: number | null): Filter {
  if (low !== null && low === high) return { kind: 'compare', column, operator: '=', value: low };
  if (low !== null && high !== null) return { kind: 'between', column, low, high };
  return low !== null
    ? { kind: 'compare', column, operator: '>=', value: low }
    : { kind: 'compare', column, operator: '<=', value: high ?? 0 };
}

function timeFilter({ name, profile }: ColumnFacts, { from, to }: Pick<Stretch, 'from' | 'to'>): Filter | string {
  const [first, last] = [String(profile.min), String(profile.max)];
  const [start, end] = [from === null ? null : isoOf(from), to === null ? null : isoOf(to)];
  if ((end !== null && end <= first) || (start !== null && start > last)) {
    return `The rows cover ${first.slice(0, 10)} to ${last.slice(0, 10)}, so there is nothing in the time you ask about.`;
  }
  return { kind: 'time', column: name, from: start, to: end };
}

/** Outside of a stretch: `not in 2013`. */
export function deniedMoment(filter: Filter): Filter | null {
  if (filter.kind === 'time') {
    const { column, from, to } = filter;
    if (from === null) return { kind: 'time', column, from: to, to: null };
    if (to === null) return { kind: 'time', column, from: null, to: from };
    return {
      kind: 'any',
      of: [[{ kind: 'time', column, from: null, to: from }], [{ kind: 'time', column, from: to, to: null }]],
    };
  }
  return filter.kind === 'compare' && filter.operator === '=' ? { ...filter, operator: '!=' } : null;
}
