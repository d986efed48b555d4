import { LOCALE } from './language.js';

/** What a token of a layout stands for, and the digits it takes. Names of months and zones are left to the service. */
const TOKENS: Readonly<Record<string, readonly [part: Part, pattern: string]>> = {
  yyyy: ['year', '\\d{4}'],
  yy: ['year', '\\d{2}'],
  MM: ['month', '\\d{2}'],
  M: ['month', '\\d{1,2}'],
  dd: ['day', '\\d{2}'],
  d: ['day', '\\d{1,2}'],
  HH: ['hour', '\\d{2}'],
  H: ['hour', '\\d{1,2}'],
  hh: ['hour', '\\d{2}'],
  h: ['hour', '\\d{1,2}'],
  a: ['half', '[AaPp]\\.?[Mm]\\.?'],
  mm: ['minute', '\\d{2}'],
  ss: ['second', '\\d{2}'],
};
type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half';

const PIECES = /yyyy|yy|MM|M|dd|d|HH|H|hh|h|mm|ss|a|'([^']*)'|[^A-Za-z]|[A-Za-z]+/g;

/** What a text means by a layout of numbers, in UTC; null when it does not fit, or the layout has other parts. */
function readAs(layout: string, text: string): Date | null {
  const parts: Part[] = [];
  let pattern = '';
  for (const [piece, quoted] of layout.matchAll(PIECES)) {
    const token = TOKENS[piece];
    if (token !== undefined) {
      parts.push(token[0]);
      pattern += `(${token[1]})`;
    } else if (/^[A-Za-z]/.test(piece) && piece !== 'T') return null;
    else pattern += escaped(quoted ?? piece);
  }
  const match = new RegExp(`^${pattern}$`).exec(text);
  if (match === null) return null;
  const read = Object.fromEntries(parts.map((part, index) => [part, match[index + 1] ?? '']));
  const { half, ...numbers } = read;
  const date = Object.fromEntries(Object.entries(numbers).map(([part, digits]) => [part, Number(digits)]));
  return dateOf(half === undefined ? date : { ...date, hour: ofDay(date.hour ?? 0, half) });
}

/** Twelve is the first hour of its half of the day. */
function ofDay(hour: number, half: string): number {
  return (hour % 12) + (/^p/i.test(half) ? 12 : 0);
}

function dateOf({
  year = 1970,
  month = 1,
  day = 1,
  hour = 0,
  minute = 0,
  second = 0,
}: Partial<Record<Exclude<Part, 'half'>, number>>): Date {
  return new Date(Date.UTC(year < 100 ? 2000 + year : year, month - 1, day, hour, minute, second));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

const LONG_DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeZone: 'UTC' });
const LONG_MOMENT = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'medium', timeZone: 'UTC' });

/** A timestamp in words that leave no doubt which number is the month. */
export function inWords(layout: string, text: string): string | null {
  const read = readAs(layout, text);
  if (read === null || Number.isNaN(read.getTime())) return null;
  return (/[Hhms]/.test(layout) ? LONG_MOMENT : LONG_DAY).format(read);
}
