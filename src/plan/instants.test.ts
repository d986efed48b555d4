import { expect, it } from 'vitest';
import type { Filter } from '../ports/analysis-plan.js';
import { instantFrom, timeRangeWithin } from './instants.js';

it.each([
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  [' 2024-02-29 10:30 ', '2024-02-29T10:30:00.000Z'],
  ['2024-02-29T10:30:15.123456z', '2024-02-29T10:30:15.123Z'],
  ['2024-02-29T10:30 +0200', '2024-02-29T08:30:00.000Z'],
  ['2024-02-29T10:30-05:30', '2024-02-29T16:00:00.000Z'],
])('reads the instant %s', (text, iso) => {
  expect(instantFrom(text).toISOString()).toBe(iso);
});

it('reads no instant of what is none, and quotes a hundred characters of it', () => {
  const none = [
    '',
    '2024',
    '2023-02-29',
    '2024-13-01',
    '2024-02-01T25:00',
    'x 2024-02-01',
    '2024-02-01 x',
    '2024-02-01Z',
  ];
  for (const text of none) expect(() => instantFrom(text)).toThrow(`"${text}" is no ISO 8601 time`);
  expect(() => instantFrom('x'.repeat(200))).toThrow(`"${'x'.repeat(100)}" is no`);
});

const TABLE = { timeField: 'time', timeRange: { from: '2024-01-01', to: '2024-12-31' } } as never;
const limit = (from: string | null, to: string | null, column = 'time'): Filter => ({ kind: 'time', column, from, to });

it.each<[readonly Filter[], readonly [string, string] | null]>([
  [[], ['2024-01-01', '2024-12-31']],
  [
    [limit('2024-03-01', null), limit('2024-02-01', '2024-06-01')],
    ['2024-03-01', '2024-06-01'],
  ],
  [[limit('2023-01-01', '2025-01-01')], ['2024-01-01', '2024-12-31']],
  [[limit('2024-05-01', null, 'other')], ['2024-01-01', '2024-12-31']],
  [[limit('2024-12-31', null)], ['2024-12-31', '2024-12-31']],
  [[limit('2025-05-01', null)], null],
  [
    [limit('2024-05-01T00:00:00+02:00', null), limit('2024-04-30', null)],
    ['2024-05-01T00:00:00+02:00', '2024-12-31'],
  ],
])('conditions leave of the time of a table: %#', (filters, range) => {
  expect(timeRangeWithin(filters, TABLE)).toEqual(range === null ? null : { from: range[0], to: range[1] });
});

it('nothing is left where the table has no time', () => {
  expect(timeRangeWithin([limit('2024-05-01', null)], { timeField: null, timeRange: null } as never)).toBeNull();
});
