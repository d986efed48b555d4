import { describe, expect, it } from 'vitest';
import { bucketFor, shift, unitAround } from './calendar.js';
import { shown } from './fixtures/pieces.fixture.js';
import { SERVERS, WEATHER } from './fixtures/scenes.fixture.js';
import { momentWords, rangeWords } from './moments.js';
import { factsOf } from './table-facts.js';
import { readTimes } from './times.js';
import { tokenize } from './tokens.js';

const old = (text: string): string => shown(readTimes(tokenize(text), factsOf(WEATHER.table), WEATHER.now));
const live = (text: string): string => shown(readTimes(tokenize(text), factsOf(SERVERS.table), SERVERS.now));

describe('dates and periods', () => {
  it.each([
    ['in 2014', '<time 2014-01-01..2015-01-01>'],
    ['in March 2013', '<time 2013-03-01..2013-04-01>'],
    ['on 2 March 2014', '<time 2014-03-02..2014-03-03>'],
    ['on March 2nd, 2014', '<time 2014-03-02..2014-03-03>'],
    ['on the 2nd of March 2014', '<time 2014-03-02..2014-03-03>'],
    ['on 2014-03-02', '<time 2014-03-02..2014-03-03>'],
    ['since 2014-03-02 14:30', '<time 2014-03-02T14:30..>'],
    ['Q2 2014', '<time 2014-04-01..2014-07-01>'],
    ['in the last quarter of 2014', '<time 2014-10-01..2015-01-01>'],
    ['second half of 2014', '<time 2014-07-01..2015-01-01>'],
    ['from March to May 2014', '<time 2014-03-01..2014-06-01>'],
    ['between 2012 and 2013', '<time 2012-01-01..2014-01-01>'],
    ['2012-2014', '<time 2012-01-01..2015-01-01>'],
    ['in 2012 to 2014', '<time 2012-01-01..2015-01-01>'],
    ['compare 2012 to 2014', 'compare <time 2012-01-01..2013-01-01> to <time 2014-01-01..2015-01-01>'],
    ['from 2012 until 2013', '<time 2012-01-01..2014-01-01>'],
    ['before March 2012', '<time ..2012-03-01>'],
    ['after 2013', '<time 2014-01-01..>'],
    ['until 2013', '<time ..2014-01-01>'],
    ['last 7 days', '<time 2015-12-25..2016-01-01>'],
    ['last 3 months', '<time 2015-10-01..2016-01-01>'],
    ['this year', '<time 2015-01-01..2016-01-01>'],
  ])('reads %s', (text, read) => {
    expect(old(text)).toBe(read);
  });

  it.each([
    ['in March', 'in march'],
    ['over 2000', 'over 2000'],
    ['on 2014-02-30', 'on <date 2014-02-30>'],
    ['10/06/2024', '10 6 <time 2024-01-01..2025-01-01>'],
    ['compared to 2014', 'compared to <time 2014-01-01..2015-01-01>'],
    ['it may rain', 'it may rain'],
  ])('does not read too much into %s', (text, read) => {
    expect(old(text)).toBe(read);
  });

  it.each([
    ['yesterday', '<time 2024-06-29..2024-06-30>'],
    ['last 24 hours', '<time 2024-06-30..2024-07-01>'],
    ['last week', '<time 2024-06-17..2024-06-24>'],
    ['in June', '<time 2024-06-01..2024-07-01>'],
  ])('counts from now while rows still come: %s', (text, read) => {
    expect(live(text)).toBe(read);
  });
});

describe('the calendar', () => {
  it('begins weeks on Monday', () => {
    const { from, to } = unitAround(Date.UTC(2024, 5, 30), 'week');
    expect([new Date(from).toISOString(), new Date(to).toISOString()]).toEqual([
      '2024-06-24T00:00:00.000Z',
      '2024-07-01T00:00:00.000Z',
    ]);
  });

  it('ends a month on its last day', () => {
    expect(new Date(shift(Date.UTC(2024, 2, 31), 'month', -1)).toISOString()).toBe('2024-02-29T00:00:00.000Z');
  });

  it.each([
    ['2024-01-01', '2024-01-02', 'hour'],
    ['2024-01-01', '2024-02-01', 'day'],
    ['2023-01-01', '2023-12-31', 'week'],
    ['2012-01-01', '2015-12-31', 'month'],
    ['1990-01-01', '2002-07-31', 'quarter'],
    ['1900-01-01', '2020-01-01', 'year'],
  ])('cuts %s to %s into buckets of one %s', (from, to, bucket) => {
    expect(bucketFor({ from: Date.parse(from), to: Date.parse(to) })).toBe(bucket);
  });
});

describe('times in words', () => {
  it.each([
    ['year', '2014'],
    ['quarter', 'Q1 2014'],
    ['month', 'March 2014'],
    ['week', 'week of 2014-03-02'],
    ['day', '2014-03-02'],
    ['hour', '2014-03-02 14:30'],
    [null, '2014-03-02 14:30'],
  ] as const)('are those of their bucket: %s', (bucket, words) => {
    expect(momentWords('2014-03-02T14:30:00.000Z', bucket)).toBe(words);
  });

  it.each([
    ['2014-01-01', '2015-01-01', 'in 2014'],
    ['2014-04-01', '2014-07-01', 'in Q2 2014'],
    ['2014-03-02', '2014-03-03', 'on 2014-03-02'],
    ['2013-03-01', '2013-06-01', 'from 2013-03-01 to 2013-05-31'],
    ['2014-01-01', null, '2014-01-01 or later'],
    [null, '2014-01-01', 'before 2014-01-01'],
  ])('say a range from %s to %s', (from, to, words) => {
    const iso = (day: string | null): string | null => (day === null ? null : new Date(day).toISOString());
    expect(rangeWords(iso(from), iso(to))).toBe(words);
  });
});
