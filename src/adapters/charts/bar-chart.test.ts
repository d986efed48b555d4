import { describe, expect, it } from 'vitest';
import type { QueryResult } from '../../ports/table.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf, MONTHLY, MONTHS } from './charts.fixture.js';

const specified = (rows: QueryResult['rows'], type: 'text' | 'time' = 'text'): JsonObject =>
  chartSpecification(aRequest({}), aResult({ k: type, n: 'integer' }, rows));

describe('a bar chart', () => {
  it('lies down where its labels are long, in the order of the result', () => {
    const rows = [
      'Dallas/Fort Worth International',
      'Chicago O’Hare International',
      'Charlotte/Douglas International',
    ] as const;
    const specification = specified(Object.entries({ [rows[0]]: 9, [rows[1]]: 8, [rows[2]]: 7, 'Sacramento Intl': 1 }));
    expect(at(specification, 'encoding', 'y', 'scale', 'domain')).toEqual([...rows, 'Sacramento Intl']);
    expect(at(specification, 'encoding', 'x', 'type')).toBe('quantitative');
  });

  it('over time shows a month without rows as an empty place', () => {
    const specification = specified(Object.entries({ [MONTHS[1]!]: 1, [MONTHS[4]!]: 2 }), 'time');
    const months = ['Feb', 'Mar', 'Apr', 'May'].map((month) => `${month} 2012`);
    expect(at(specification, 'encoding', 'x', 'scale', 'domain')).toEqual(months);
  });

  it('over 48 months labels every half year', () => {
    const specification = chartSpecification(aRequest({ x: 'month' }), MONTHLY);
    expect(valuesOf(specification)).toHaveLength(48);
    expect(at(specification, 'encoding', 'x', 'axis', 'values')).toEqual(
      [2012, 2013, 2014, 2015].flatMap((year) => [`Jan ${year}`, `Jul ${year}`]),
    );
  });

  it('keeps the latest of very many days', () => {
    const days = Array.from({ length: 150 }, (_, day) => [new Date(Date.UTC(2024, 0, 1 + day)).toISOString(), day]);
    const specification = specified(days, 'time');
    expect(at(specification, 'title', 'subtitle')).toEqual(['the last 100 of 150']);
    expect(valuesOf(specification).at(-1)).toMatchObject({ y: 149 });
  });

  it('puts weekdays into order, unless the rows are sorted by value', () => {
    const domainOf = (days: Readonly<Record<string, number>>): JsonValue | undefined =>
      at(specified(Object.entries(days)), 'encoding', 'x', 'scale', 'domain');
    expect(domainOf({ Wed: 2, Mon: 1, Tue: 3 })).toEqual(['Mon', 'Tue', 'Wed']);
    expect(domainOf({ Wed: 3, Mon: 2, Tue: 1 })).toEqual(['Wed', 'Mon', 'Tue']);
  });
});
