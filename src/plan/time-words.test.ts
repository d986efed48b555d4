import { expect, it } from 'vitest';
import { dayWords, instantWords, momentWords, nextBucket, partWords, rangeWords } from './time-words.js';

it.each([
  ['minute', '2024-01-01T10:59:00Z', '2024-01-01T11:00:00Z'],
  ['hour', '2024-01-01T23:00:00Z', '2024-01-02'],
  ['day', '2024-02-29', '2024-03-01'],
  ['week', '2024-02-26', '2024-03-04'],
  ['month', '2024-12-01', '2025-01-01'],
  ['quarter', '2024-10-01', '2025-01-01'],
  ['year', '2024-01-01', '2025-01-01'],
] as const)('knows how long a %s is', (bucket, from, to) => {
  expect(nextBucket(Date.parse(from), bucket)).toBe(Date.parse(to));
});

it('writes moments as people do, by the piece of time that they stand for', () => {
  const written = (['year', 'quarter', 'month', 'week', 'day', 'hour', 'minute', null] as const).map((bucket) =>
    momentWords('2024-05-06T10:30:00Z', bucket),
  );
  const [day, minute] = ['2024-05-06', '2024-05-06 10:30'];
  expect(written).toEqual(['2024', 'Q2 2024', 'May 2024', `week of ${day}`, day, minute, minute, minute]);
});

it('says seconds only where there are some, and leaves what is no time', () => {
  const exact = ['2024-05-06T10:30:15Z', '2024-05-06', 'soon'].map((iso) => momentWords(iso, null));
  expect(exact).toEqual(['2024-05-06 10:30:15', '2024-05-06', 'soon']);
});

it('names parts of a day, a week and a year', () => {
  expect([1, 7, 8].map((day) => partWords('weekday', day))).toEqual(['Monday', 'Sunday', '8']);
  expect([1, 12, 13].map((month) => partWords('month', month))).toEqual(['January', 'December', '13']);
  expect([9, 14].map((hour) => partWords('hour', hour))).toEqual(['09:00', '14:00']);
});

it.each([
  [null, null, 'any time'],
  [null, '2024-05-01', 'before 2024-05-01'],
  ['2024-05-01', null, '2024-05-01 or later'],
  ['2024-04-01', '2024-07-01', 'in Q2 2024'],
  ['2024-05-01', '2024-08-01', 'from 2024-05-01 to 2024-07-31'],
  ['2024-05-02', '2024-06-01', 'from 2024-05-02 to 2024-05-31'],
  ['2024-01-02', '2025-01-01', 'from 2024-01-02 to 2024-12-31'],
  ['2024-04-02', '2024-07-01', 'from 2024-04-02 to 2024-06-30'],
  ['2024-02-01', '2025-01-01', 'from 2024-02-01 to 2024-12-31'],
  ['2024-05-01', '2024-05-01T10:00:00Z', 'from 2024-05-01 to 2024-05-01 10:00'],
  ['2024-05-01T10:00:00Z', '2024-05-02', 'from 2024-05-01 10:00 to 2024-05-02'],
])('says the range %s, %s', (from, to, words) => {
  expect(rangeWords(from, to)).toBe(words);
});

it('writes days and instants', () => {
  expect(dayWords(new Date('2024-03-03'))).toBe('3 March 2024');
  expect(instantWords(new Date('2024-03-03T10:05:59Z'))).toBe('3 March 2024, 10:05 UTC');
});
