import { describe, expect, it } from 'vitest';
import type { RowsPlan } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';
import { is, listing, result } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import { factsOf } from '../reading/table.js';
import { headlineOf } from './answer-words.js';

/** What is said of rows of these columns, all texts but the wind. */
function headline(parts: Partial<RowsPlan>, columns: readonly string[], ...rows: readonly (readonly Cell[])[]): string {
  const types = columns.map((name) => [name, name === 'wind' ? 'number' : 'text'] as const);
  const found = result(Object.fromEntries(types), rows);
  return headlineOf({ plan: listing(parts), result: found, facts: factsOf(WEATHER.table) });
}

const RAIN = is('weather', 'rain');
const WINDIEST = { order: [{ by: 'wind', direction: 'desc' as const }] };

describe('rows', () => {
  it('of one cell are the answer itself', () => {
    const highest = { kind: 'against', column: 'wind', operator: '=', aggregate: 'max', reach: 'matching' } as const;
    const of = (part: Partial<RowsPlan>): string =>
      headline({ columns: ['location'], ...part }, ['location'], ['Oslo']);
    expect(of({ filters: [highest] })).toBe('The location where wind is the highest is **Oslo**.');
    const lowest = { order: [{ by: 'wind', direction: 'asc' }], limit: 1 } as const;
    expect(of(lowest)).toBe('The location with the lowest wind is **Oslo**.');
  });

  it('of one row name the cells that were asked for', () => {
    const columns = ['location', 'weather'];
    const one = (part: Partial<RowsPlan>): string => headline({ columns, ...part }, columns, ['Oslo', 'rain']);
    const cells = 'location **Oslo** and weather **rain**.';
    expect(one({ ...WINDIEST, limit: 1 })).toBe(`The row with the highest wind has ${cells}`);
    expect(one({ filters: [RAIN] })).toBe(`There is **1 row** where weather is rain: ${cells}`);
  });

  it.each([
    [false, ''],
    [true, 'different '],
  ])('of one column are a list, of different values: %s', (distinct, different) => {
    const parts = { columns: ['weather'], filters: [is('location', 'Oslo')], distinct };
    expect(headline(parts, ['weather'], ['rain'], ['sun'])).toBe(
      `There are **2 ${different}weather values** where location is Oslo: **rain** and **sun**.`,
    );
  });

  it('say that there may be more', () => {
    const of = (limit: number | null): string =>
      headline({ filters: [RAIN], limit }, ['wind', 'weather'], [1, 'rain'], [2, 'rain']);
    expect(of(null)).toBe('There are **2 rows** where weather is rain.');
    expect(of(2)).toBe('There are **at least 2 rows** where weather is rain.');
  });

  it('that are ranked begin with the first of them', () => {
    const ranked = (limit: number, ...rows: readonly (readonly Cell[])[]): string =>
      headline({ columns: ['weather', 'wind'], ...WINDIEST, limit }, ['weather', 'wind'], ...rows);
    expect(ranked(2, ['rain', 16.3], ['sun', 12])).toBe(
      'These are the **2 rows** with the highest wind, starting with **16.3**.',
    );
    expect(ranked(1, ['rain', 16.3])).toBe('The highest wind is **16.3** (weather rain).');
    expect(ranked(2)).toBe('There are **no rows**.');
  });
});
