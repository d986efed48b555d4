import { isoInstant } from '../../../plan/instants.js';
import { relativeTime } from '../../../plan/moving-times.js';
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
  // A plus in a query string arrives as a space.
  return FORM.test(text) ? relativeTime(text.replaceAll(' ', '+'), now) : isoTime(text);
}

/** Steps, then at most one rounding down. */
const FORM = /^now(?:[+ -]\d{1,9}[smhdwMy]){0,16}(?:\/[smhdwMy])?$/;

/** As `isoInstant`, and the beginning of a month that stands alone. */
export function isoTime(text: string): Date | null {
  return isoInstant(/^\d{4}-\d{2}$/.test(text) ? `${text}-01` : text);
}
