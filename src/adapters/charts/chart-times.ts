import { DateTime } from 'luxon';
import type { TimeBucket } from '../../ports/analysis-plan.js';
import { rangeOf } from './chart-text.js';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../shared/durations.js';

const SECOND = 1000;
const MONTH = 30.4 * DAY_MS;
/** The first Monday of the epoch, so that weeks begin on Mondays. */
const MONDAY = 4 * DAY_MS;
const MAX_TICKS = 8;

interface TimeAxis {
  /** Where ticks stand, in milliseconds; null leaves that to the drawing library. */
  readonly ticks: readonly number[] | null;
  readonly format: string;
  /** What all ticks have in common and therefore don't repeat, for the axis title. */
  readonly context: string;
}

/** So many months, or else milliseconds; months as long as they are on average. */
interface TickStep {
  readonly months?: number;
  readonly ms: number;
}

const STEPS: readonly TickStep[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ ms: count * SECOND })),
  ...[1, 2, 5, 10, 15, 30].map((count) => ({ ms: count * MINUTE_MS })),
  ...[1, 2, 3, 6, 12].map((count) => ({ ms: count * HOUR_MS })),
  ...[1, 2, 7, 14].map((count) => ({ ms: count * DAY_MS })),
  ...[1, 3, 6, 12, 24, 60, 120, 240, 600, 1200].map((months) => ({ months, ms: months * MONTH })),
];
const LONGEST_STEP: TickStep = { months: 12_000, ms: Infinity };

/** Round ticks from the first to the last of the times, and the shortest format that tells them apart. */
export function timeAxis(times: readonly number[]): TimeAxis {
  const { min: from, max: to } = rangeOf(times);
  if (from === to) return { ticks: [from], format: from % DAY_MS === 0 ? '%-d %b %Y' : '%-d %b %Y %H:%M', context: '' };
  if (to - from < 2 * SECOND) return { ticks: null, format: '%H:%M:%S.%L', context: dayText(from) };
  // Figures of whole days or months have no ticks between them.
  const unit = unitOf(times);
  const finest = unit === 'day' ? DAY_MS : (MONTHS_OF[unit] ?? 0) * MONTH;
  const step = STEPS.find(({ ms }) => ms >= finest && (to - from) / ms <= MAX_TICKS) ?? LONGEST_STEP;
  const ticks = step.months === undefined ? fixedTicks(from, to, step.ms) : monthTicks(from, to, step.months);
  return { ticks, ...formatFor(step, from, to) };
}

const STEP_OF: Readonly<Record<TimeBucket, TickStep>> = {
  minute: { ms: MINUTE_MS },
  hour: { ms: HOUR_MS },
  day: { ms: DAY_MS },
  week: { ms: 7 * DAY_MS },
  month: { months: 1, ms: MONTH },
  quarter: { months: 3, ms: 3 * MONTH },
  year: { months: 12, ms: 12 * MONTH },
};

/** Every step of time from the first of the times to the last; none where they are more than `most`. */
export function everyStep(times: readonly number[], bucket: TimeBucket, most: number): readonly number[] {
  const { min: from, max: to } = rangeOf(times);
  const { months, ms } = STEP_OF[bucket];
  if ((to - from) / ms > most) return [];
  return months === undefined ? fixedTicks(from, to, ms) : monthTicks(from, to, months);
}

function monthTicks(from: number, to: number, size: number): readonly number[] {
  const ticks: number[] = [];
  for (let month = Math.ceil(monthNumber(from) / size) * size; ; month += size) {
    const time = new Date(0).setUTCFullYear(Math.floor(month / 12), month % 12, 1);
    // Beyond the last day that there is, it is none.
    if (!(time <= to)) return ticks;
    if (time >= from) ticks.push(time);
  }
}

/** Months since the year 0. */
function monthNumber(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function fixedTicks(from: number, to: number, size: number): readonly number[] {
  const origin = size % (7 * DAY_MS) === 0 ? MONDAY : 0;
  const first = Math.ceil((from - origin) / size) * size + origin;
  return Array.from({ length: Math.max(0, Math.floor((to - first) / size) + 1) }, (_, index) => first + index * size);
}

function formatFor({ months, ms }: TickStep, from: number, to: number): Pick<TimeAxis, 'format' | 'context'> {
  if (months !== undefined) return { format: months >= 12 ? '%Y' : '%b %Y', context: '' };
  if (ms >= DAY_MS) {
    const isOneYear = yearOf(from) === yearOf(to);
    return isOneYear ? { format: '%-d %b', context: yearOf(from) } : { format: '%-d %b %Y', context: '' };
  }
  if (dayText(from) === dayText(to)) {
    return { format: ms >= MINUTE_MS ? '%H:%M' : '%H:%M:%S', context: `${dayText(from)}, UTC` };
  }
  return { format: ms >= MINUTE_MS ? '%-d %b %H:%M' : '%H:%M:%S', context: `${yearOf(from)}, UTC` };
}

function yearOf(time: number): string {
  return worded(time, 'y');
}

function dayText(time: number): string {
  return worded(time, 'd MMM y');
}

/** In English and UTC, by the tokens of luxon. */
function worded(time: number, tokens: string): string {
  return DateTime.fromMillis(time, { zone: 'utc', locale: 'en-US' }).toFormat(tokens);
}

type BandUnit = 'year' | 'quarter' | 'month' | 'day' | 'hour' | 'minute' | 'second';

export interface TimeBands {
  readonly labelOf: (time: number) => string;
  /** Every band from the first to the last, those without a row too. */
  readonly domain: readonly string[];
  /** The bands that have a label where there is no room for all. */
  readonly labelled: (maxLabels: number) => readonly string[];
  /** What the labels have in common, for the axis title. */
  readonly context: string;
}

/** Times as the categories that they stand for: years, quarters, months, days, hours. */
export function timeBands(times: readonly number[], maxBands: number): TimeBands {
  const sorted = [...new Set(times)].sort((one, other) => one - other);
  const unit = unitOf(sorted);
  const shared = sharedPart(unit, sorted);
  const day = MONTHS_OF[unit] === undefined ? `${DAY_TOKENS[shared]} ` : '';
  const labelOf = (time: number): string => worded(time, day + TOKENS[unit]).trim();
  const filled = everyBand(unit, sorted);
  const bands = filled.length <= maxBands && sorted.every((time) => filled.includes(time)) ? filled : sorted;
  return {
    labelOf,
    domain: [...new Set(bands.map(labelOf))],
    labelled: (maxLabels) => thinned(unit, bands, maxLabels).map(labelOf),
    context: contextOf(shared, sorted[0] ?? 0),
  };
}

function unitOf(times: readonly number[]): BandUnit {
  const dates = times.map((time) => new Date(time));
  if (times.some((time) => time % DAY_MS !== 0)) {
    if (times.every((time) => time % HOUR_MS === 0)) return 'hour';
    return times.every((time) => time % MINUTE_MS === 0) ? 'minute' : 'second';
  }
  if (dates.some((date) => date.getUTCDate() !== 1)) return 'day';
  if (times.length < 2 || dates.some((date) => date.getUTCMonth() % 3 !== 0)) return 'month';
  return dates.every((date) => date.getUTCMonth() === 0) ? 'year' : 'quarter';
}

type SharedPart = 'none' | 'year' | 'day';

/** Days of one year don't repeat it, times of one day don't repeat the day. */
function sharedPart(unit: BandUnit, times: readonly number[]): SharedPart {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  if (times.length < 2 || MONTHS_OF[unit] !== undefined || yearOf(first) !== yearOf(last)) return 'none';
  return unit !== 'day' && dayText(first) === dayText(last) ? 'day' : 'year';
}

function contextOf(shared: SharedPart, time: number): string {
  if (shared === 'none') return '';
  return shared === 'year' ? yearOf(time) : `${dayText(time)}, UTC`;
}

/** Of days and shorter units what stands behind the day. */
const TOKENS: Readonly<Record<BandUnit, string>> = {
  year: 'y',
  quarter: "'Q'q y",
  month: 'MMM y',
  day: '',
  hour: 'HH:mm',
  minute: 'HH:mm',
  second: 'HH:mm:ss',
};
const DAY_TOKENS: Readonly<Record<SharedPart, string>> = { none: 'd MMM y', year: 'd MMM', day: '' };

const MONTHS_OF: Partial<Record<BandUnit, number>> = { year: 12, quarter: 3, month: 1 };

function everyBand(unit: BandUnit, times: readonly number[]): readonly number[] {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 0];
  const months = MONTHS_OF[unit];
  if (months !== undefined) return monthTicks(first, last, months);
  const step = times.slice(1).reduce((least, time, index) => Math.min(least, time - (times[index] ?? time)), Infinity);
  const count = Number.isFinite(step) ? Math.floor((last - first) / step) + 1 : 1;
  // Irregular times would give a band for every millisecond.
  return count > 10 * times.length ? times : Array.from({ length: count }, (_, index) => first + index * step);
}

function thinned(unit: BandUnit, bands: readonly number[], maxLabels: number): readonly number[] {
  const months = MONTHS_OF[unit];
  const strides = months === undefined ? [1, 2, 5, 7, 10, 14, 28, 50] : [1, 2, 3, 4, 6, 12, 24, 48, 96];
  const stride = strides.find((count) => bands.length / count <= maxLabels) ?? 200;
  // Every third month is January, April …, whichever month comes first.
  return bands.filter((time, index) => (months ? monthNumber(time) / months : index) % stride === 0);
}
