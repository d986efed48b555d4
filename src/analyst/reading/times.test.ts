import { expect, it } from 'vitest';
import { RELATIVE_TIME } from '../../plan/moving-times.js';
import type { MovingEnds } from '../../ports/analysis-plan.js';
import { movedEnds, seenFrom } from './periods.js';
import { timesIn, type TimeMention, type TimeScope } from './times.js';
import { tokensOf } from './words.js';

/** A Thursday; the data end on the day before. */
const SCOPE = scope('2024-06-13T15:00:00Z', '2022-03-01T00:00:00Z', '2024-06-12T18:00:00Z');
/** The data ended ten years before the question. */
const OLD = scope('2026-03-10T12:00:00Z', '2012-01-01T00:00:00Z', '2015-12-31T00:00:00Z');

function scope(now: string, first: string, last: string): TimeScope {
  return { now: Date.parse(now), first: Date.parse(first), last: Date.parse(last) };
}

function day(time: number): string {
  const text = new Date(time).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** First and last day of the readings of what is mentioned. */
function readingsOf({ periods }: Pick<TimeMention, 'periods'>): readonly string[] {
  return periods.map(({ start, end }) => {
    const [first, last] = [day(start), day(end - 86_400_000)];
    return first === last ? first : `${first} to ${last}`;
  });
}

/** The likeliest reading of each period that a message names; of overlapping ones the longest. */
function read(message: string, given = SCOPE): readonly string[] {
  const mentions = timesIn(tokensOf(message), given);
  const isWithin = (one: TimeMention, { from, to }: TimeMention): boolean => one.from >= from && one.to <= to;
  const longest = mentions.filter((one) => !mentions.some((other) => other !== one && isWithin(one, other)));
  return longest.map((one) => readingsOf(one)[0] ?? '');
}

/** All readings of the only period that a message names. */
function readings(message: string, given: TimeScope): readonly string[] {
  return timesIn(tokensOf(message), given).flatMap(readingsOf);
}

it.each(
  'today|yesterday|this week|last month|next quarter|YTD|month to date|last friday|last weekend|new year|last 7 days|last 3 months|next 30 days|2 weeks ago|from last monday to today'.split(
    '|',
  ),
)('“%s” moves with today', (words) => {
  const [period] = timesIn(tokensOf(words), SCOPE)[0]?.periods ?? [];
  const [from, to] = [period?.moving?.from ?? '', period?.moving?.to ?? ''];
  // A Sunday, and the last of a month that others have no such day of.
  for (const later of ['2024-06-16T09:00:00Z', '2024-07-31T23:59:59Z']) {
    const seen = seenFrom(Date.parse(later), { from, to, unit: 'day' });
    const then = timesIn(tokensOf(words), scope(later, '2022-03-01T00:00:00Z', later))[0]?.periods[0];
    expect(readingsOf({ periods: [seen] })).toEqual(readingsOf({ periods: then === undefined ? [] : [then] }));
  }
});

it('ends stand still that were moved on and on', () => {
  let ends: MovingEnds = { from: 'now-1w/w', to: null };
  for (let step = 0; step < 40; step++) {
    if (ends.from !== null) expect(ends.from).toMatch(RELATIVE_TIME);
    ends = movedEnds(ends, -1, 'week');
  }
  expect(ends).toEqual({ from: null, to: null });
});

const WRITTEN =
  '2024-03-05|2024.03.05|05.03.2024|5.3.24|05/03/2024|5 March 2024|5th of March 2024|Tuesday, 5 March 2024|5th March, 2024|' +
  "March 5th 2024|5. März 2024|5. Mrz. 2024|5 mar '24|5 March 24|the 5th of march|March 5th|5.3.";

it.each(WRITTEN.split('|'))('a date is read when written as %s', (written) => {
  expect(read(`how many orders on ${written}?`)).toEqual(['2024-03-05']);
});

it('a date with a month beyond the twelfth has the month first, and both readings where it could be either', () => {
  expect(read('sales on 03/25/2024')).toEqual(['2024-03-25']);
  expect(readings('sales on 05/03/2024', SCOPE)).toEqual(['2024-03-05', '2024-05-03']);
});

it.each(['2024-02-30', '31.04.2024', '2024-13-01', '45.12.2024'])('%s is no date', (written) => {
  expect(read(`sales on ${written}`).filter((found) => !found.includes(' to '))).toEqual([]);
});

it.each([
  ...['version 1.2.3', 'order 20240305', 'between 5 and 10', 'top 12', '"2024-03-05"'],
  ...['may I see the total', 'which customers may be late'],
])('no time is seen in “%s”', (message) => {
  expect(read(message)).toEqual([]);
});

it.each([
  ['march 2024', '2024-03-01 to 2024-03-31'],
  ['2024-03', '2024-03-01 to 2024-03-31'],
  ['03/2024', '2024-03-01 to 2024-03-31'],
  ['août 2023', '2023-08-01 to 2023-08-31'],
  ["Sept '23", '2023-09-01 to 2023-09-30'],
  ['sales in may', '2024-05-01 to 2024-05-31'],
  ['compare january and february 2024', '2024-01-01 to 2024-01-31', '2024-02-01 to 2024-02-29'],
  ['in Q1, Q2 or Q3 2023', '2023-01-01 to 2023-03-31', '2023-04-01 to 2023-06-30', '2023-07-01 to 2023-09-30'],
  ['December and January 2024', '2023-12-01 to 2023-12-31', '2024-01-01 to 2024-01-31'],
  ['the first quarter of 2023', '2023-01-01 to 2023-03-31'],
  ['2nd quarter 2023', '2023-04-01 to 2023-06-30'],
  ['quarter 3 of 2023', '2023-07-01 to 2023-09-30'],
  ['sales in Q1', '2024-01-01 to 2024-03-31'],
  ['H1 2023', '2023-01-01 to 2023-06-30'],
  ['first half of the year', '2024-01-01 to 2024-06-30'],
  ['KW 12 2024', '2024-03-18 to 2024-03-24'],
  ['week 53 of 2020', '2020-12-28 to 2021-01-03'],
  ['summer 2023', '2023-06-01 to 2023-08-31'],
  ['the 1990s', '1990-01-01 to 1999-12-31'],
  ['the 90s', '1990-01-01 to 1999-12-31'],
  ['in the 20th century', '1901-01-01 to 2000-12-31'],
  ['in 2023', '2023-01-01 to 2023-12-31'],
])('months and parts of years are read in “%s”', (message, ...periods) => {
  expect(read(message)).toEqual(periods);
});

const DUE = scope('2024-06-13', '2023-01-01', '2027-12-31');
it.each([
  ['is that of the data', 'rain in april', OLD, ['2015-04-01 to 2015-04-30']],
  ['is of this year where the data go on beyond today', 'due in february', DUE, ['2024-02-01 to 2024-02-29']],
  ['may be one to come', 'due in september', DUE, ['2024-09-01 to 2024-09-30']],
  [
    'is the last that was',
    'Q1 vs Q2',
    scope('2024-01-10', '2023-01-01', '2023-12-31'),
    ['2023-01-01 to 2023-03-31', '2023-04-01 to 2023-06-30'],
  ],
])('a piece of a year that is not named %s', (_, message, given, periods) => {
  expect(read(message, given)).toEqual(periods);
});

it.each([
  ['today', '2024-06-13'],
  ['gestern', '2024-06-12'],
  ['tomorrow', '2024-06-14'],
  ['this week', '2024-06-10 to 2024-06-16'],
  ['next week', '2024-06-17 to 2024-06-23'],
  ['last month', '2024-05-01 to 2024-05-31'],
  ['last quarter', '2024-01-01 to 2024-03-31'],
  ['ytd', '2024-01-01 to 2024-06-13'],
  ['since new year', '2024-01-01'],
  ['last monday', '2024-06-10'],
  ['last thursday', '2024-06-06'],
  ['last weekend', '2024-06-08 to 2024-06-09'],
  ['the last 7 days', '2024-06-07 to 2024-06-13'],
  ['the last two weeks', '2024-05-31 to 2024-06-13'],
  ['last 2 years', '2022-06-13 to 2024-06-13'],
  ['the next two weeks', '2024-06-13 to 2024-06-27'],
  ['two months ago', '2024-04-01 to 2024-04-30'],
  ['december of last year', '2023-12-01 to 2023-12-31'],
  ['sales this quarter vs last', '2024-04-01 to 2024-06-30', '2024-01-01 to 2024-03-31'],
  ['sales in may and the month before', '2024-05-01 to 2024-05-31', '2024-04-01 to 2024-04-30'],
  ['this year compared to the previous one', '2024-01-01 to 2024-12-31', '2023-01-01 to 2023-12-31'],
  ['q1 vs q1 last year', '2024-01-01 to 2024-03-31', '2023-01-01 to 2023-03-31'],
  ['sales this month and the last 3 orders', '2024-06-01 to 2024-06-30'],
])('what is counted from today or from another period is read in “%s”', (message, ...periods) => {
  expect(read(message)).toEqual(periods);
});

it('three months begin three months back, and older data are counted from their end, too', () => {
  expect(read('the last 3 months')[0]).toMatch(/^2024-03-1[34] to 2024-06-13$/);
  expect(readings('rain last month', OLD)).toContain('2015-11-01 to 2015-11-30');
  expect(readings('rain last year', OLD)).toContain('2014-01-01 to 2014-12-31');
  expect(readings('rain in the last 7 days', OLD)).toContain('2015-12-25 to 2015-12-31');
});

it.each([
  ['between 3/15 and 4/15', '2024-03-15 to 2024-04-15'],
  ['from 10 to 16 june 2023', '2023-06-10 to 2023-06-16'],
  ['10-16 June 2023', '2023-06-10 to 2023-06-16'],
  ['28 may to 3 june 2023', '2023-05-28 to 2023-06-03'],
  ['from March to May 2023', '2023-03-01 to 2023-05-31'],
  ['Jan–Mar 2023', '2023-01-01 to 2023-03-31'],
  ['from November 2022 to February 2023', '2022-11-01 to 2023-02-28'],
  ['2022-2023', '2022-01-01 to 2023-12-31'],
  ['week 10 to week 12 of 2024', '2024-03-04 to 2024-03-24'],
  ['vom 1.3.2024 bis 5.3.2024', '2024-03-01 to 2024-03-05'],
  ['sales in march 2023 and in may 2023', '2023-03-01 to 2023-03-31', '2023-05-01 to 2023-05-31'],
])('spans are read in “%s”, and none of what only stands side by side', (message, ...periods) => {
  expect(read(message)).toEqual(periods);
});
