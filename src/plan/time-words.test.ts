import { describe, expect, it } from 'vitest';
import { dayWords, instantWords, momentWords, nextBucket, partWords, rangeWords } from './time-words.js';

describe('pieces of time', () => {
  it.each([
    ['minute', '2024-01-01T10:59:00Z', '2024-01-01T11:00:00Z'],
    ['hour', '2024-01-01T23:00:00Z', '2024-01-02'],
    ['day', '2024-02-29', '2024-03-01'],
    ['month', '2024-01-01', '2024-02-01'],
    ['month', '2024-12-01', '2025-01-01'],
    ['quarter', '2024-10-01', '2025-01-01'],
    ['year', '2024-01-01', '2025-01-01'],
    ['week', '2024-02-26', '2024-03-04'],
  ] as const)('know how long a %s is', (bucket, from, to) => {
    expect(nextBucket(Date.parse(from), bucket)).toBe(Date.parse(to));
  });

  it.each([
    ['year', '2024'],
    ['quarter', 'Q2 2024'],
    ['month', 'May 2024'],
    ['week', 'week of 2024-05-06'],
    ['day', '2024-05-06'],
    ['hour', '2024-05-06 10:30'],
    ['minute', '2024-05-06 10:30'],
    [null, '2024-05-06 10:30'],
  ] as const)('are written as people do: %s', (bucket, words) => {
    expect(momentWords('2024-05-06T10:30:00Z', bucket)).toBe(words);
  });

  it('say seconds only where there are some, and leave what is no time', () => {
    expect(momentWords('2024-05-06T10:30:15Z', null)).toBe('2024-05-06 10:30:15');
    expect(momentWords('2024-05-06', null)).toBe('2024-05-06');
    expect(momentWords('soon', 'day')).toBe('soon');
  });
});

describe('parts of a day, a week and a year', () => {
  it.each([
    ['weekday', 1, 'Monday'],
    ['weekday', 7, 'Sunday'],
    ['weekday', 8, '8'],
    ['month', 1, 'January'],
    ['month', 12, 'December'],
    ['month', 13, '13'],
    ['hour', 9, '09:00'],
    ['hour', 14, '14:00'],
  ] as const)('%s %d', (part, value, words) => {
    expect(partWords(part, value)).toBe(words);
  });
});

describe('a range of time', () => {
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
    ['2024-05-01T10:00:00Z', '2024-05-02T10:00:00Z', 'from 2024-05-01 10:00 to 2024-05-02 10:00'],
    ['2024-05-01', '2024-05-01T10:00:00Z', 'from 2024-05-01 to 2024-05-01 10:00'],
    ['2024-05-01T10:00:00Z', '2024-05-02', 'from 2024-05-01 10:00 to 2024-05-02'],
  ])('%s, %s', (from, to, words) => {
    expect(rangeWords(from, to)).toBe(words);
  });
});

it('writes days and instants', () => {
  expect(dayWords(new Date('2024-03-03'))).toBe('3 March 2024');
  expect(instantWords(new Date('2024-03-03T10:05:59Z'))).toBe('3 March 2024, 10:05 UTC');
});
