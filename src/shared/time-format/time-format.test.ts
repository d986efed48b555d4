import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppError } from '../app-error.js';
import { layoutsOf, parseLayout, parseTime } from './time-format.js';
import { formatTime } from './write-time.fixture.js';

const NOON = '2024-03-05T12:00:00.000Z';

function read(layout: string, text: string): string | null {
  return parseTime(parseLayout(layout), text)?.toISOString() ?? null;
}

function refusal(layout: string): string {
  try {
    parseLayout(layout);
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('a time layout', () => {
  it.each([
    ['02/01/06 15:04', '05/03/24 12:00'],
    ['Monday, January 2, 2006 3:04 PM', 'Tuesday, March 5, 2024 12:00 PM'],
    ['Mon Jan _2 15:04:05 2006', 'Tue Mar  5 12:00:00 2024'],
    ['2006-01-02T15:04:05.000Z07:00', '2024-03-05T13:00:00.000+01:00'],
    ['2006-01-02T15:04:05.999999999Z07:00', '2024-03-05T12:00:00Z'],
    ['%F %T', '2024-03-05 12:00:00'],
    ['%d %b %Y %I:%M %p', '05 MAR 2024 12:00 pm'],
    ['%Y-%m-%dT%H:%M:%S.%f%z', '2024-03-05T05:30:00.0-0630'],
    ['YYYY-MM-DD HH:mm:ss', '2024-03-05 12:00:00'],
    ["yyyy-MM-dd'T'HH:mm:ssXXX", '2024-03-05T12:00:00Z'],
    ['YYYY-MM-DD[T]HH:mm:ss.SSSZ', '2024-03-05T12:00:00.000+0000'],
    ['YYYY-MM-DDTHH:mm', '2024-03-05T12:00'],
    ['yyyy-MM-dd HH:mm:ss[.SSS] z', '2024-03-05 12:00:00.0 UTC'],
    ["d 'o''clock' MMMM yyyy h a", "5 o'clock march 2024 12 PM"],
    ['unix', '1709640000'],
    ['%s', '1709640000.0'],
    ['unix_ms', '1709640000000'],
  ])('reads %s', (layout, text) => {
    expect(read(layout, text)).toBe(NOON);
  });

  it.each([
    ['yyyy-QQ', "'QQ' at position 6 of the time layout 'yyyy-QQ' is not understood"],
    ['%Y-%j', "'%j' at position 4 of the time layout '%Y-%j' is not understood"],
    ['2006-002', "'002' at position 6 of the time layout '2006-002' is not understood"],
    ["yyyy-MM-dd'T", "''' at position 11 of the time layout 'yyyy-MM-dd'T' is not understood"],
    ['yyyy-mm-dd', 'has a day but no month (in Unicode layouts MM is the month and mm the minute)'],
    ['YYYY-MM-DD HH:MM', 'has the month twice'],
    ['2024-03-05 10:00', 'has no year'],
    ['yyyy-MM-dd hh:mm', 'has a 12-hour clock but no AM/PM marker'],
    ['yyyy-MM-dd HH:mm a', 'has an AM/PM marker but no 12-hour clock'],
    ['yyyy-MM HH', 'has an hour but no day'],
    ['dMMyyyy', 'does not show where its day ends'],
    ["yyyy-MM-dd' '", 'begins or ends with a blank'],
    ['', 'the time layout is empty'],
    ['y'.repeat(101), 'over 100 characters'],
    ['yyyy\u0000', 'control characters'],
    ['constructor', 'is not understood'],
  ])('refuses %j and says why', (layout, reason) => {
    expect(refusal(layout)).toContain(reason);
  });

  it('is the same list of parts in whatever language it is written', () => {
    const layout = parseLayout("yyyy-MM-dd'T'HH:mm:ssXXX");
    expect(parseLayout('2006-01-02T15:04:05Z07:00')).toEqual(layout);
    expect(layoutsOf(layout)).toEqual({
      go: '2006-01-02T15:04:05Z07:00',
      strftime: '%Y-%m-%dT%H:%M:%S%z',
      unicode: "yyyy-MM-dd'T'HH:mm:ssXXX",
    });
  });
});

describe('reading a timestamp', () => {
  it.each([
    ['yyyy-MM-dd', '2024-3-5'],
    ['yyyy-MM-dd', '2024-03-05\n'],
    ['yyyy-MM-dd', '1900-02-29'],
    ['yyyy-MM-dd', '2024-13-01'],
    ['yyyy-MM-dd', '٢٠٢٤-03-05'],
    ['yyyy-MM-dd HH:mm', '2024-03-05 24:00'],
    ['yyyy-MM-dd hh:mm a', '2024-03-05 13:00 PM'],
    ['yyyy-MM-dd hh:mm a', '2024-03-05 00:00 AM'],
    ['yyyy-MM-dd HH:mm:ss.SSS', '2024-03-05 12:00:00.1'],
    ['yyyy-MM-dd HH:mmXXX', '2024-03-05 12:00+2'],
    ['yyyy-MM-dd HH:mmXXX', '2024-03-05 12:00'],
    ['yyyy-MM-dd HH:mm z', '2024-03-05 12:00 PST'],
    ['unix', '17096e5'],
    ['unix', ''],
    ['unix_ms', '1709640000000.5'],
  ])('with %s refuses %j', (layout, text) => {
    expect(read(layout, text)).toBeNull();
  });

  it.each([
    ['takes two-digit years from 1969', 'dd/MM/yy', '01/01/69', '1969-01-01T00:00:00.000Z'],
    ['to 2068', 'dd/MM/yy', '01/01/68', '2068-01-01T00:00:00.000Z'],
    ['cuts finer fractions down', 'yyyyMMddHHmmss.SSSSSS', '19600101000000.123999', '1960-01-01T00:00:00.123Z'],
    ['also before 1970', 'unix', '-0.0001', '1969-12-31T23:59:59.999Z'],
    ['lets an offset move the day', 'yyyy-MM-dd HH:mmxx', '2024-01-01 00:30+0100', '2023-12-31T23:30:00.000Z'],
  ])('%s: %s', (_, layout, text, time) => {
    expect(read(layout, text)).toBe(time);
  });
});

const dates = ['yyyy-MM-dd', 'd.M.yyyy', 'dd/MM/yy', 'MMM d, yyyy', 'EEEE, dd MMMM yyyy', 'ppd MMM yyyy', 'yyyyMMdd'];
const clocks = ['HH:mm:ss.SSS', 'h:mm:ss.SSS a', 'HH:mm:ss[.SSSSSS]', 'HHmmssSSS', 'H:m:s.SSSSSSSSS', 'ppH:mm:ss,SSS'];
const zones = ['', 'XXX', ' xx', ' zzz', "' Zulu'"];

const layouts = fc
  .tuple(...[dates, ["'T'", ' ', "' Uhr '"], clocks, zones].map((parts) => fc.constantFrom(...parts)))
  .map((parts) => parts.join(''));
const [min, max] = [new Date('1969-01-01T00:00:00Z'), new Date('2068-12-31T23:59:59.999Z')];
const moments = fc.date({ min, max, noInvalidDate: true });

describe('writing a timestamp', () => {
  it('is undone by reading it, also by the same layout in Unicode and in strftime', () => {
    fc.assert(
      fc.property(
        fc.oneof({ weight: 9, arbitrary: layouts }, fc.constantFrom('unix', 'unix_ms')),
        moments,
        (text, date) => {
          const layout = parseLayout(text);
          const { unicode, strftime } = layoutsOf(layout);
          const written = formatTime(layout, date);
          expect(parseTime(layout, written)).toEqual(date);
          expect(parseTime(parseLayout(strftime), written)).toEqual(date);
          expect(formatTime(parseLayout(unicode), date)).toBe(written);
        },
      ),
    );
  });
});
