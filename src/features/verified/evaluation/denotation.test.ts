import { describe, expect, it } from 'vitest';
import type { Cell } from '../../../ports/table.js';
import { isOrdered, saysTheSame, type Table } from './golden-asker.js';

function table(names: string, ...rows: Cell[][]): Table {
  return { columns: names.split(' ').map((name) => ({ name, type: 'number' })), rows };
}
const EXPECTED = table('region total', ['North', 0.3], ['South', 5]);

describe('two results that say the same', () => {
  it.each([
    ['other names', table('r t', ['North', 0.3], ['South', 5])],
    ['another order of rows', table('region total', ['South', 5], ['North', 0.3])],
    ['another order of columns', table('total region', [0.3, 'North'], [5, 'South'])],
    ['a column more', table('region rows total', ['North', 7, 0.3], ['South', 9, 5])],
    ['floats that were added in another order', table('region total', ['North', 0.1 + 0.2], ['South', 5])],
  ])('with %s', (_, actual) => {
    expect(saysTheSame(EXPECTED, actual, false)).toBe(true);
  });

  it.each([
    ['another figure', table('region total', ['North', 0.3], ['South', 5.00001])],
    ['figures of other rows', table('region total', ['North', 5], ['South', 0.3])],
    ['a row more', table('region total', ['North', 0.3], ['South', 5], ['East', 1])],
    ['a row twice', table('region total', ['North', 0.3], ['North', 0.3])],
    ['a column less', table('region', ['North'], ['South'])],
    ['text for a number', table('region total', ['North', '0.3'], ['South', '5'])],
  ])('not with %s', (_, actual) => {
    expect(saysTheSame(EXPECTED, actual, false)).toBe(false);
  });

  it('with a float on either side of a rounding', () => {
    const [one, other] = [1.2345678949999999, 1.2345678950000001];
    expect(saysTheSame(table('a', [one], [2]), table('a', [2], [other]), false)).toBe(true);
  });

  it('or not, in bounded time, of many columns that are alike, and of many rows', () => {
    const names = Array.from({ length: 30 }, (_, at) => `c${at}`).join(' ');
    const ones = Array<number>(29).fill(1);
    expect(saysTheSame(table(names, [...ones, 1]), table(names, [...ones, 2]), false)).toBe(false);
    const rows = (from: number): Cell[][] => Array.from({ length: 1000 }, (_, at) => [(from + at * 7) % 1000, at % 2]);
    expect(saysTheSame(table('a b', ...rows(0)), table('a b', ...rows(1)), false)).toBe(false);
    expect(saysTheSame(table('a b', ...rows(0)), table('a b', ...rows(0).reverse()), false)).toBe(true);
  });

  it('keeps the order where it belongs to the answer', () => {
    const turned = table('region total', ['South', 5], ['North', 0.3]);
    expect(saysTheSame(EXPECTED, turned, true)).toBe(false);
    expect(saysTheSame(EXPECTED, EXPECTED, true)).toBe(true);
    expect(isOrdered(null, 'SELECT * FROM data ORDER BY 1')).toBe(true);
    expect(isOrdered(null, 'SELECT row_number() OVER (ORDER BY (a)) FROM data')).toBe(false);
    expect(isOrdered(null, `SELECT ' order by ' FROM (SELECT 1 FROM data ORDER BY 1)`)).toBe(false);
  });
});
