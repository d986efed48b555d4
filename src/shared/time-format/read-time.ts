import { patternOf } from './lexical-pattern.js';
import { namesOf, type TimeLayout, type TimeToken } from './time-layout.js';

interface Reader {
  readonly pattern: RegExp;
  readonly tokens: readonly TimeToken[];
}

/** Compiled once for a layout, not once for a row. */
const readers = new WeakMap<TimeLayout, Reader>();

/** The moment that the whole text names, to the millisecond, without a zone in UTC; null when it does not fit or is no day of the calendar. */
export function parseTime(layout: TimeLayout, text: string): Date | null {
  const match = readerOf(layout).pattern.exec(text);
  if (match === null) return null;
  if (layout.kind === 'epoch') return epochTime(layout.unit, text);

  const time = readerOf(layout).tokens.reduce<ReadTime>(
    (parts, token, index) => withPart(parts, token, match[index + 1]),
    START,
  );
  return momentOf(time);
}

function readerOf(layout: TimeLayout): Reader {
  const known = readers.get(layout);
  if (known) return known;
  const tokens = layout.kind === 'epoch' ? [] : layout.tokens.filter((token) => token.kind !== 'literal');
  const reader = { pattern: new RegExp(`^(?:${patternOf(layout)})$`), tokens };
  readers.set(layout, reader);
  return reader;
}

function epochTime(unit: 's' | 'ms', text: string): Date {
  if (unit === 'ms') return new Date(Number(text));
  const [whole = '', fraction = ''] = text.replace('-', '').split('.');
  const sign = text.startsWith('-') ? -1 : 1;
  const micros = BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0').slice(0, 6));
  // Towards the past, also before 1970: a millisecond begins at its start.
  return new Date(Math.floor((sign * Number(micros)) / 1000));
}

const START = {
  year: 0,
  month: 1,
  day: 1,
  hour: 0,
  hour12: null as number | null,
  isAfternoon: false,
  minute: 0,
  second: 0,
  millis: 0,
  offsetMinutes: 0,
};

type ReadTime = Readonly<typeof START>;

function withPart(parts: ReadTime, token: TimeToken, text: string | undefined): ReadTime {
  if (text === undefined) return parts;
  switch (token.kind) {
    case 'number':
      // 69 to 99 are of the last century, as in POSIX, Go and the row store.
      if (token.field === 'shortYear') return { ...parts, year: Number(text) + (Number(text) >= 69 ? 1900 : 2000) };
      return { ...parts, [token.field]: Number(text) };
    case 'name':
      return token.field === 'weekday' ? parts : { ...parts, month: monthNumber(text) };
    case 'meridiem':
      return { ...parts, isAfternoon: text.toLowerCase() === 'pm' };
    case 'fraction':
    case 'optionalFraction':
      return { ...parts, millis: Number(text.padEnd(3, '0').slice(0, 3)) };
    case 'offset':
      return { ...parts, offsetMinutes: offsetMinutes(text) };
    case 'literal':
    case 'zoneName':
      return parts;
  }
}

function monthNumber(name: string): number {
  return namesOf('month', false).findIndex((short) => short.toLowerCase() === name.slice(0, 3).toLowerCase()) + 1;
}

function offsetMinutes(text: string): number {
  if (text === 'Z') return 0;
  const digits = text.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  return text.startsWith('-') ? -minutes : minutes;
}

function momentOf(time: ReadTime): Date | null {
  const hour = hourOf(time);
  if (hour === null || hour > 23 || time.minute > 59 || time.second > 59) return null;
  const date = new Date(0);
  date.setUTCFullYear(time.year, time.month - 1, time.day);
  // What is no day of the calendar has become another one.
  if (date.getUTCMonth() !== time.month - 1 || date.getUTCDate() !== time.day) return null;
  date.setUTCHours(hour, time.minute - time.offsetMinutes, time.second, time.millis);
  return date;
}

function hourOf(time: ReadTime): number | null {
  if (time.hour12 === null) return time.hour;
  if (time.hour12 < 1 || time.hour12 > 12) return null;
  return (time.hour12 % 12) + (time.isAfternoon ? 12 : 0);
}
