import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import { is, listing, result } from '../../analyst/plans.fixture.js';
import { WEATHER } from './fixtures/scenes.fixture.js';
import { headlineOf } from './headline.js';
import { factsOf } from './table-facts.js';

function headline(plan: AnalysisPlan, found: QueryResult): string {
  return headlineOf({ plan, result: found, facts: factsOf(WEATHER.table), format: { decimals: null } });
}

const RAIN = is('weather', 'rain');

describe('rows', () => {
  it('of one cell are the answer itself', () => {
    const highest = { kind: 'against', column: 'wind', operator: '=', aggregate: 'max', reach: 'matching' } as const;
    expect(
      headline(listing({ columns: ['location'], filters: [highest] }), result({ location: 'text' }, [['Seattle']])),
    ).toBe('The location where wind is the highest is **Seattle**.');
    const first = listing({ columns: ['location'], order: [{ by: 'wind', direction: 'asc' }], limit: 1 });
    expect(headline(first, result({ location: 'text' }, [['Seattle']]))).toBe(
      'The location with the lowest wind is **Seattle**.',
    );
  });

  it('of one row name the cells that were asked for', () => {
    const plan = listing({ columns: ['location', 'weather'], order: [{ by: 'wind', direction: 'desc' }], limit: 1 });
    expect(headline(plan, result({ location: 'text', weather: 'text' }, [['Seattle', 'rain']]))).toBe(
      'The row with the highest wind has location **Seattle** and weather **rain**.',
    );
    const one = result({ location: 'text', weather: 'text' }, [['Seattle', 'rain']]);
    expect(headline(listing({ columns: ['location', 'weather'], filters: [RAIN] }), one)).toBe(
      '**1 row** fits where weather is rain: location **Seattle** and weather **rain**.',
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
    const found = result({ wind: 'number', weather: 'text' }, [
      [1, 'rain'],
      [2, 'rain'],
    ]);
    expect(headline(listing({ filters: [RAIN] }), found)).toBe('**2 rows** fit where weather is rain.');
    expect(headline(listing({ filters: [RAIN], limit: 2 }), found)).toBe(
      '**At least 2 rows** fit where weather is rain.',
    );
  });
});
