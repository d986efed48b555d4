import { AppError } from '../../../shared/app-error.js';
import { parseLayout, parseTime } from '../../../shared/time-format/time-format.js';
import { isoTime } from './iso-time.js';
import { relativeTime } from './relative-time.js';

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
  throw badEnd(field, `${field} must be a time: ${FORMS}`);
}

/**
 * Both ends. A range that begins where it ends is empty and allowed.
 *
 * @throws AppError `invalid_input` as `instantFrom`, and when it ends before it begins.
 */
export function timeRangeFrom(texts: { readonly from: string; readonly to: string }, reading: TimeReading): TimeRange {
  const from = instantFrom('from', texts.from, reading);
  const to = instantFrom('to', texts.to, reading);
  if (from !== null && to !== null && from > to) {
    throw badEnd('to', `to must not be before from: from is ${from.toISOString()}, to is ${to.toISOString()}`);
  }
  return { from, to };
}

function otherwise(text: string, now: Date): Date | null {
  if (EPOCH_MS.test(text)) return new Date(Number(text));
  return relativeTime(text, now) ?? isoTime(text);
}

function badEnd(field: string, problem: string): AppError {
  return new AppError('invalid_input', problem, { details: [{ field, problem }] });
}
