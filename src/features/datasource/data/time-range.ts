import { isoInstant } from '../../../plan/instants.js';
import { invalidField } from '../../../shared/app-error.js';
import { parseLayout, parseTime } from '../../../shared/time-format/time-format.js';

/** What the texts of a time range are read by. */
export interface TimeReading {
  /** The datasource's own layout; empty: it has none. */
  readonly timeFormat: string;
  readonly now: Date;
}

/** `from` is inclusive, `to` exclusive; `null` is open. */
export interface TimeRange {
  readonly from: Date | null;
  readonly to: Date | null;
}

/** Which rows a caller wants: of one asset, and of a range of time in one of the accepted forms. What is empty is not asked for. */
export interface AskedRows {
  readonly asset?: string | null;
  readonly from?: string | null;
  readonly to?: string | null;
}

const EPOCH_MS = /^-?\d{11,16}$/;
const FORMS = "ISO 8601, epoch milliseconds, the datasource's own timeformat, or relative as now, now-1h or now-7d/d";

/**
 * The moment that one end of a range names: in one of `FORMS`, without a zone in UTC; empty is open.
 *
 * @throws AppError `invalid_input` that names the field and the forms.
 */
export function instantFrom(field: string, text: string, { timeFormat, now }: TimeReading): Date | null {
  if (text === '') return null;
  const own = timeFormat === '' ? null : parseTime(parseLayout(timeFormat), text);
  const instant = own ?? otherwise(text, now);
  if (instant !== null && !Number.isNaN(instant.getTime())) return instant;
  throw invalidField(field, `${field} must be a time: ${FORMS}`);
}

/**
 * Both ends. A range that begins where it ends is empty and allowed.
 *
 * @throws AppError `invalid_input` as `instantFrom`, and when it ends before it begins.
 */
export function timeRangeFrom(asked: AskedRows, reading: TimeReading): TimeRange {
  const from = instantFrom('from', asked.from ?? '', reading);
  const to = instantFrom('to', asked.to ?? '', reading);
  if (from !== null && to !== null && from > to) {
    throw invalidField('to', `to must not be before from: from is ${from.toISOString()}, to is ${to.toISOString()}`);
  }
  return { from, to };
}

/** @throws AppError `invalid_input` as `timeRangeFrom`. */
export function rowsAsked(asked: AskedRows, reading: TimeReading): TimeRange & { readonly asset: string | null } {
  const { asset = null } = asked;
  return { asset: asset === '' ? null : asset, ...timeRangeFrom(asked, reading) };
}

function otherwise(text: string, now: Date): Date | null {
  if (EPOCH_MS.test(text)) return new Date(Number(text));
  return relativeTime(text, now) ?? isoTime(text);
}

const FORM = /^now((?:[+ -]\d{1,9}[smhdwMy]){0,16})(?:\/([smhdwMy]))?$/;
const STEP = /([+ -])(\d+)([smhdwMy])/g;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Units of a fixed length, in UTC. */
const LENGTHS: Readonly<Record<string, number>> = { s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
/** 1 January 1970 was a Thursday; weeks begin on Mondays. */
const FIRST_MONDAY = 4 * DAY;

/**
 * `now`, then steps such as `-1h` or `+2M` in their order, then at most one rounding down such as `/d`; all in UTC. Units are s m h d w M y:
 * `m` is a minute, `M` a month. A month or a year later is the same day of the month, or its last. Null for any other text; an invalid Date beyond the calendar.
 */
function relativeTime(text: string, now: Date): Date | null {
  const form = FORM.exec(text);
  if (form === null) return null;
  const [, steps = '', rounding] = form;
  let at = now;
  for (const [, sign, digits, unit = ''] of steps.matchAll(STEP)) {
    // A plus in a query string arrives as a space.
    at = moved(at, (sign === '-' ? -1 : 1) * Number(digits), unit);
  }
  return rounding === undefined ? at : roundedDown(at, rounding);
}

function moved(at: Date, count: number, unit: string): Date {
  const length = LENGTHS[unit];
  if (length !== undefined) return new Date(at.getTime() + count * length);
  const months = unit === 'y' ? count * 12 : count;
  const sameDay = new Date(at);
  sameDay.setUTCMonth(at.getUTCMonth() + months);
  if (sameDay.getUTCDate() === at.getUTCDate()) return sameDay;
  // The month is too short and Date went on into the next: day 0 of that is the last of the one wanted.
  sameDay.setUTCDate(0);
  return sameDay;
}

function roundedDown(at: Date, unit: string): Date {
  if (unit === 'y' || unit === 'M') {
    const first = new Date(at);
    first.setUTCMonth(unit === 'y' ? 0 : at.getUTCMonth(), 1);
    first.setUTCHours(0, 0, 0, 0);
    return first;
  }
  const length = LENGTHS[unit] ?? SECOND;
  const offset = unit === 'w' ? FIRST_MONDAY : 0;
  return new Date(Math.floor((at.getTime() - offset) / length) * length + offset);
}

/** As `isoInstant`, and the beginning of a month that stands alone. */
export function isoTime(text: string): Date | null {
  return isoInstant(/^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text);
}
