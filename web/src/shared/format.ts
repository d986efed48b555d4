// Numbers and times in the reader's language; all of the console's words about them are made here.

import { LOCALE } from './language.js';
import { t } from '@lingui/core/macro';

const WHOLE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 0 });
const SMALL = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 5 });
const LARGE = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 });
const CENTS = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 2 });
const AMOUNT = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' });
const DAY_UTC = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });
const MOMENT_UTC = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' });
const AGO = new Intl.RelativeTimeFormat(LOCALE, { numeric: 'auto' });

/** The reader's zone, as people write it. */
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** 1,234,567 */
export function whole(count: number): string {
  return WHOLE.format(count);
}

/** A measured value: five significant digits, never less than its whole part, and whole cents. */
export function figure(value: number): string {
  if (Math.abs(value) < 10_000) return SMALL.format(value);
  return (isInCents(value) ? CENTS : LARGE).format(value);
}

/** How the figures of a column are written: amounts in cents with two digits behind the point, all others as `figure`. */
export function figuresLike(values: readonly unknown[]): (value: number) => string {
  const figures = values.filter((value) => typeof value === 'number');
  const areAmounts = figures.every(isInCents) && figures.some((value) => !isWhole(value * 10));
  return areAmounts ? (value) => AMOUNT.format(value) : figure;
}

function isInCents(value: number): boolean {
  return Math.abs(value) < 1e10 && isWhole(value * 100);
}

/** As far as binary digits can tell. */
function isWhole(value: number): boolean {
  return Number.isInteger(Number(value.toPrecision(13)));
}

/** 12,345 or 1.2M */
export function compact(count: number): string {
  return count < 100_000 ? whole(count) : COMPACT.format(count);
}

/** 12.3%; never none of what there is. */
export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return `<${PERCENT.format(0.001)}`;
  return PERCENT.format(share);
}

/** `€12.34`; of less than a cent two digits that say something. */
export function amount(value: number, currency: string): string {
  const isTiny = value !== 0 && Math.abs(value) < 0.01;
  const digits = isTiny ? { maximumSignificantDigits: 2 } : {};
  return new Intl.NumberFormat(LOCALE, { style: 'currency', currency, ...digits }).format(value);
}

/** How the reader's language parts a number. */
export function signOf(type: 'decimal' | 'group'): string {
  return WHOLE_AND_PART.find((part) => part.type === type)?.value ?? '';
}

const WHOLE_AND_PART = new Intl.NumberFormat(LOCALE).formatToParts(1_234_567.8);

/** In the reader's zone. */
export function moment(iso: string): string {
  return MOMENT.format(new Date(iso));
}

/** In UTC, as the times of rows are: the service takes a timestamp without a zone for one. */
export function rowTime(iso: string): string {
  return (iso.endsWith('T00:00:00.000Z') ? DAY_UTC : MOMENT_UTC).format(new Date(iso));
}

const SECOND = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
} as const;
const SECOND_UTC = new Intl.DateTimeFormat(LOCALE, { ...SECOND, timeZone: 'UTC' });
const EXACT_UTC = new Intl.DateTimeFormat(LOCALE, { ...SECOND, fractionalSecondDigits: 3, timeZone: 'UTC' });

/** The same to the millisecond, as far as it has any. */
export function exactRowTime(iso: string): string {
  if (iso.endsWith(':00.000Z')) return rowTime(iso);
  return (iso.endsWith('.000Z') ? SECOND_UTC : EXACT_UTC).format(new Date(iso));
}

const DAYS = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Times of rows: `1 – 7 Jan 2024` of whole days, else both moments. The end is the first moment that is not in it. */
export function stretch(from: string, to: string): string {
  const isOfDays = [from, to].every((iso) => iso.endsWith('T00:00:00.000Z'));
  return isOfDays
    ? DAYS.formatRange(new Date(from), new Date(Date.parse(to) - 1))
    : MOMENT_UTC.formatRange(new Date(from), new Date(to));
}

export function date(iso: string): string {
  return DAY.format(new Date(iso));
}

const STEPS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 hours ago`, `yesterday`; from a month on the date. */
export function ago(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000;
  if (Math.abs(seconds) > 30 * 86_400) return date(iso);
  const [unit, length] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? [];
  return unit === undefined ? t`just now` : AGO.format(Math.round(seconds / length), unit);
}

const SIZES = ['B', 'KB', 'MB', 'GB', 'TB'];

/** 1.4 MB */
export function bytes(count: number): string {
  const power = count < 1 ? 0 : Math.min(Math.floor(Math.log(count) / Math.log(1024)), SIZES.length - 1);
  const amount = count / 1024 ** power;
  return `${amount.toLocaleString(LOCALE, { maximumFractionDigits: power === 0 || amount >= 100 ? 0 : 1 })} ${SIZES[power] ?? ''}`;
}

/** `2 min 5 s`, `1 h 12 min`. */
export function duration(seconds: number): string {
  const rounded = Math.max(1, Math.round(seconds));
  if (rounded < 60) return `${String(rounded)} s`;
  if (rounded < 3600) return `${String(Math.floor(rounded / 60))} min ${String(rounded % 60)} s`;
  return `${String(Math.floor(rounded / 3600))} h ${String(Math.round((rounded % 3600) / 60))} min`;
}

/** What a user may do, in a word. */
export function roleName(role: string): string {
  const names: Readonly<Record<string, string>> = { user: t`User`, manager: t`Manager`, system: t`System` };
  return names[role] ?? role;
}

/** The service's message as a sentence: `Name must not be empty.` The name of a file stays as it is. */
export function sentence(message: string): string {
  const words = message.trim();
  const first = words.slice(0, 1);
  const isName = /^\S+\.\S/.test(words);
  return `${isName ? first : first.toUpperCase()}${words.slice(1)}${/[.!?]$/.test(words) ? '' : '.'}`;
}
