import { describe, expect, it } from 'vitest';
import type { Filter } from '../ports/analysis-plan.js';
import { instantFrom, timeRangeWithin } from './instants.js';

describe('an instant', () => {
  it.each([
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    [' 2024-02-29 10:30 ', '2024-02-29T10:30:00.000Z'],
    ['2024-02-29T10:30:15.123456z', '2024-02-29T10:30:15.123Z'],
    ['2024-02-29T10:30 +0200', '2024-02-29T08:30:00.000Z'],
    ['2024-02-29T10:30-05:30', '2024-02-29T16:00:00.000Z'],
  ])('is read of %s', (text, iso) => {
    expect(instantFrom(text).toISOString()).toBe(iso);
  });

  it.each(['', '2024', '2023-02-29', '2024-13-01', '2024-02-01T25:00', 'x 2024-02-01', '2024-02-01 x', '2024-02-01Z'])(
    'is not read of “%s”',
    (text) => {
      expect(() => instantFrom(text)).toThrow(`"${text}" is no ISO 8601 time`);
    },
  );

  it('is quoted up to a hundred characters', () => {
    expect(() => instantFrom('x'.repeat(200))).toThrow(`"${'x'.repeat(100)}" is no`);
  });
});

describe('the time that conditions leave of a table', () => {
  const table = { timeField: 'time', timeRange: { from: '2024-01-01', to: '2024-12-31' } } as never;
  const limit = (from: string | null, to: string | null, column = 'time'): Filter => ({
    kind: 'time',
    column,
    from,
    to,
  });

  it.each<[readonly Filter[], unknown]>([
    [[], { from: '2024-01-01', to: '2024-12-31' }],
    [[limit('2024-03-01', null), limit('2024-02-01', '2024-06-01')], { from: '2024-03-01', to: '2024-06-01' }],
    [[limit('2023-01-01', '2025-01-01')], { from: '2024-01-01', to: '2024-12-31' }],
    [[limit('2024-05-01', null, 'other')], { from: '2024-01-01', to: '2024-12-31' }],
    [[limit('2024-12-31', null)], { from: '2024-12-31', to: '2024-12-31' }],
    [[limit('2025-05-01', null)], null],
    [
      [limit('2024-05-01T00:00:00+02:00', null), limit('2024-04-30', null)],
      { from: '2024-05-01T00:00:00+02:00', to: '2024-12-31' },
    ],
  ])('%#', (filters, range) => {
    expect(timeRangeWithin(filters, table)).toEqual(range);
  });

  it('is nothing where the table has no time', () => {
    expect(timeRangeWithin([limit('2024-05-01', null)], { timeField: null, timeRange: null } as never)).toBeNull();
  });
});
