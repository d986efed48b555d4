import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, RowsPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { is, listing, result } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import { factsOf } from '../reading/table.js';
import { headlineOf } from './answer-words.js';

function headline(plan: AnalysisPlan, found: QueryResult): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table) });
}

const RAIN = is('weather', 'rain');

describe('rows', () => {
  it('of one cell are the answer itself', () => {
    const highest = { kind: 'against', column: 'wind', operator: '=', aggregate: 'max', reach: 'matching' } as const;
    const of = (part: Partial<RowsPlan>): string =>
      headline(listing({ columns: ['location'], ...part }), result({ location: 'text' }, [['Seattle']]));
    expect(of({ filters: [highest] })).toBe('The location where wind is the highest is **Seattle**.');
    const order = [{ by: 'wind', direction: 'asc' }] as const;
    expect(of({ order, limit: 1 })).toBe('The location with the lowest wind is **Seattle**.');
  });

  it('of one row name the cells that were asked for', () => {
    const plan = listing({ columns: ['location', 'weather'], order: [{ by: 'wind', direction: 'desc' }], limit: 1 });
    const one = result({ location: 'text', weather: 'text' }, [['Seattle', 'rain']]);
    expect(headline(plan, one)).toBe('The row with the highest wind has location **Seattle** and weather **rain**.');
    expect(headline(listing({ columns: ['location', 'weather'], filters: [RAIN] }), one)).toBe(
      'There is **1 row** where weather is rain: location **Seattle** and weather **rain**.',
    );
  });

  it('of one column are a list', () => {
    const plan = listing({ columns: ['weather'], filters: [is('location', 'Seattle')] });
    expect(headline(plan, result({ weather: 'text' }, [['rain'], ['sun']]))).toBe(
      'There are **2 weather values** where location is Seattle: **rain** and **sun**.',
    );
    expect(headline({ ...plan, distinct: true }, result({ weather: 'text' }, [['rain'], ['sun']]))).toBe(
      'There are **2 different weather values** where location is Seattle: **rain** and **sun**.',
    );
  });

  it('say that there may be more', () => {
    const found = result(
      { wind: 'number', weather: 'text' },
      [1, 2].map((wind) => [wind, 'rain']),
    );
    expect(headline(listing({ filters: [RAIN] }), found)).toBe('There are **2 rows** where weather is rain.');
    expect(headline(listing({ filters: [RAIN], limit: 2 }), found)).toBe(
      'There are **at least 2 rows** where weather is rain.',
    );
  });

  it('that are ranked begin with the first of them', () => {
    const plan = listing({ columns: ['weather', 'wind'], order: [{ by: 'wind', direction: 'desc' }], limit: 2 });
    const found = result({ weather: 'text', wind: 'number' }, Object.entries({ rain: 16.3, sun: 12 }));
    expect(headline(plan, found)).toBe('These are the **2 rows** with the highest wind, starting with **16.3**.');
    expect(headline({ ...plan, limit: 1 }, { ...found, rows: [['rain', 16.3]] })).toBe(
      'The highest wind is **16.3** (weather rain).',
    );
    expect(headline(plan, { ...found, rows: [] })).toBe('There are **no rows**.');
  });
});
