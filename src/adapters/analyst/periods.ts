import type { TimeBucket } from '../../ports/analysis-plan.js';
import { DAY, dayOf, HOUR, lengthOf, shift, unitAround, type Range } from './calendar.js';
import { keyOf, type Piece } from './pieces.js';
import { monthOf, ordinalOf, timeUnitOf } from './time-words.js';

/** A stretch of time found at a place of the question. */
export interface Period extends Range {
  readonly unit: TimeBucket;
  /** Place after it. */
  readonly next: number;
  readonly note: string | null;
}

/** What relative dates and months without a year are read against. */
export interface TimeContext {
  readonly now: number;
  /** First and last moment of the rows. */
  readonly first: number;
  readonly last: number;
}

type Reader = (pieces: readonly Piece[], at: number, context: TimeContext) => Period | null;

/** Reads the period that begins here, if one does. */
export function periodAt(pieces: readonly Piece[], at: number, context: TimeContext): Period | null {
  for (const read of READERS) {
    const found = read(pieces, at, context);
    if (found !== null) return found;
  }
  return null;
}

const READERS: readonly Reader[] = [
  isoPeriod,
  dayMonthYear,
  monthDayYear,
  monthYear,
  partOfYear,
  yearAlone,
  rolling,
  calendarUnit,
  nearDay,
];

function key(pieces: readonly Piece[], at: number): string | null {
  return keyOf(pieces[at]);
}

function whole(range: Range, unit: TimeBucket, next: number, note: string | null = null): Period {
  return { from: range.from, to: range.to, unit, next, note };
}

function isoPeriod(pieces: readonly Piece[], at: number): Period | null {
  const piece = pieces[at];
  if (piece?.kind !== 'date') return null;
  const [, year, month, day, hour, minute] = /^(\d+)-(\d+)(?:-(\d+)(?:[T ](\d+):(\d+))?)?/.exec(piece.key) ?? [];
  const start = dayOf(Number(year), Number(month) - 1, Number(day ?? 1));
  if (start === null) return null;
  if (day === undefined) return whole(unitAround(start, 'month'), 'month', at + 1);
  if (hour === undefined) return whole(unitAround(start, 'day'), 'day', at + 1);
  const moment = start + Number(hour) * HOUR + Number(minute) * 60_000;
  return whole({ from: moment, to: moment + 60_000 }, 'hour', at + 1);
}

/** A number between 1900 and 2100 that is written like a year. */
export function yearOf(piece: Piece | undefined): number | null {
  if (piece?.kind !== 'number' || piece.unit !== null || !/^(19|20)\d\d$/.test(piece.text)) return null;
  return piece.value;
}

function dayNumber(pieces: readonly Piece[], at: number): { readonly day: number; readonly next: number } | null {
  const piece = pieces[at];
  if (piece?.kind !== 'number' || !/^([1-9]|0[1-9]|[12]\d|3[01])$/.test(piece.text)) return null;
  return { day: piece.value, next: isOrdinalSuffix(pieces[at + 1]) ? at + 2 : at + 1 };
}

function isOrdinalSuffix(piece: Piece | undefined): boolean {
  return piece?.kind === 'word' && piece.glued && /^(st|nd|rd|th)$/.test(piece.key);
}

function dayMonthYear(pieces: readonly Piece[], at: number): Period | null {
  const day = dayNumber(pieces, at);
  if (day === null) return null;
  const monthAt = key(pieces, day.next) === 'of' ? day.next + 1 : day.next;
  return dated(day.day, monthOf(key(pieces, monthAt)), yearAfter(pieces, monthAt + 1));
}

function monthDayYear(pieces: readonly Piece[], at: number): Period | null {
  const month = monthOf(key(pieces, at));
  const day = month === null ? null : dayNumber(pieces, at + 1);
  return day === null ? null : dated(day.day, month, yearAfter(pieces, day.next));
}

interface YearFound {
  readonly year: number;
  readonly next: number;
}

/** The year that follows, after a comma or an `of`. */
function yearAfter(pieces: readonly Piece[], at: number): YearFound | null {
  const skip = pieces[at]?.kind === 'join' || key(pieces, at) === 'of' || key(pieces, at) === 'in' ? 1 : 0;
  const year = yearOf(pieces[at + skip]);
  return year === null ? null : { year, next: at + skip + 1 };
}

function dated(day: number, month: number | null, year: YearFound | null): Period | null {
  const start = month === null || year === null ? null : dayOf(year.year, month, day);
  return start === null || year === null ? null : whole({ from: start, to: start + DAY }, 'day', year.next);
}

/** `March 2014`, or `March` where the rows have only one. */
function monthYear(pieces: readonly Piece[], at: number, context: TimeContext): Period | null {
  const month = monthOf(key(pieces, at));
  if (month === null) return null;
  const found = pieces[at + 1]?.kind === 'join' ? null : yearAfter(pieces, at + 1);
  const { year, next } = found ?? { year: onlyYearWith(month, context), next: at + 1 };
  return year === null ? null : whole(unitAround(Date.UTC(year, month, 1), 'month'), 'month', next);
}

function onlyYearWith(month: number, { first, last }: TimeContext): number | null {
  const years: number[] = [];
  for (let year = new Date(first).getUTCFullYear(); year <= new Date(last).getUTCFullYear(); year += 1) {
    const { from, to } = unitAround(Date.UTC(year, month, 1), 'month');
    if (to > first && from <= last) years.push(year);
  }
  return years.length === 1 ? (years[0] ?? null) : null;
}

/** `Q2 2014`, `first quarter of 2014`, `H1 2023`, `second half of 2023`. */
function partOfYear(pieces: readonly Piece[], at: number): Period | null {
  const part = namedPart(pieces, at);
  const year = yearAfter(pieces, at + 2);
  if (part === null || year === null || part.index < 1 || part.index * part.months > 12) return null;
  const from = Date.UTC(year.year, (part.index - 1) * part.months, 1);
  return whole({ from, to: shift(from, 'month', part.months) }, 'quarter', year.next);
}

/** Months of a part of the year by its name. */
const PARTS: ReadonlyMap<string, number> = new Map([
  ['q', 3],
  ['quarter', 3],
  ['h', 6],
  ['half', 6],
]);

function namedPart(pieces: readonly Piece[], at: number): { readonly index: number; readonly months: number } | null {
  const [first, second] = [key(pieces, at) ?? '', key(pieces, at + 1) ?? ''];
  const short = PARTS.get(first);
  const index = short === undefined ? ordinalOf(first) : numberAt(pieces, at + 1);
  const months = short ?? PARTS.get(second);
  if (index === null || months === undefined) return null;
  return { index: first === 'last' ? 12 / months : index, months };
}

function numberAt(pieces: readonly Piece[], at: number): number | null {
  const piece = pieces[at];
  return piece?.kind === 'number' ? piece.value : null;
}

function yearAlone(pieces: readonly Piece[], at: number): Period | null {
  const year = yearOf(pieces[at]);
  return year === null ? null : whole(unitAround(Date.UTC(year, 0, 1), 'year'), 'year', at + 1);
}

const LAST = new Set(['last', 'past', 'previous', 'recent']);

/** `last 7 days`: they end with the day that the count starts from. */
function rolling(pieces: readonly Piece[], at: number, context: TimeContext): Period | null {
  const count = numberAt(pieces, at + 1);
  const unit = timeUnitOf(key(pieces, at + 2));
  if (!LAST.has(key(pieces, at) ?? '') || !isCount(count) || unit === null) return null;
  const { anchor, note } = anchorFor(unit, context);
  const to = unitAround(anchor, unit === 'hour' ? 'hour' : 'day').to;
  return whole({ from: shift(to, unit, -count), to }, unit, at + 3, note);
}

function isCount(count: number | null): count is number {
  return count !== null && Number.isInteger(count) && count >= 1 && count <= 10_000;
}

const SINGLE_UNIT = /^(hour|day|week|month|quarter|year)$/;

/** `last month`, `this year`. */
function calendarUnit(pieces: readonly Piece[], at: number, context: TimeContext): Period | null {
  const word = key(pieces, at) ?? '';
  const named = key(pieces, at + 1) ?? '';
  const unit = SINGLE_UNIT.test(named) ? timeUnitOf(named) : null;
  if (unit === null || !/^(last|past|previous|this)$/.test(word)) return null;
  const { anchor, note } = anchorFor(unit, context);
  const current = unitAround(anchor, unit);
  const range = word === 'this' ? current : unitAround(current.from - 1, unit);
  return whole(range, unit, at + 2, note);
}

function nearDay(pieces: readonly Piece[], at: number, context: TimeContext): Period | null {
  const word = key(pieces, at);
  if (word !== 'today' && word !== 'yesterday') return null;
  const { anchor, note } = anchorFor('day', context);
  return whole(unitAround(word === 'today' ? anchor : anchor - DAY, 'day'), 'day', at + 1, note);
}

/** Data that ended long ago has its own present: its newest row. */
function anchorFor(
  unit: TimeBucket,
  { now, last }: TimeContext,
): { readonly anchor: number; readonly note: string | null } {
  if (now - last <= Math.max(lengthOf(unit), 2 * DAY)) return { anchor: now, note: null };
  const day = new Date(last).toISOString().slice(0, 10);
  return { anchor: last, note: `The newest row is of ${day}, so I counted back from there and not from today.` };
}
