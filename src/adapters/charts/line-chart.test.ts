import { describe, expect, it } from 'vitest';
import type { TimeBucket } from '../../ports/analysis-plan.js';
import type { QueryResult } from '../../ports/table.js';
import type { JsonObject, JsonValue } from '../../shared/json.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf, MONTHLY, MONTHS } from './charts.fixture.js';

const lineOf = (rows: QueryResult['rows'], type: 'time' | 'integer' = 'time'): JsonObject =>
  chartSpecification(aRequest({ kind: 'line' }), aResult({ k: type, n: 'number' }, rows));

describe('a line chart', () => {
  it('of 48 months has a UTC axis with ticks every half year', () => {
    const specification = chartSpecification(aRequest({ kind: 'line', x: 'month' }), MONTHLY);
    expect(at(specification, 'encoding', 'x', 'scale')).toMatchObject({ type: 'utc', domain: [MONTHS[0], MONTHS[47]] });
    expect(at(specification, 'encoding', 'x', 'axis')).toMatchObject({
      title: 'month',
      format: '%b %Y',
      values: [0, 6, 12, 18, 24, 30, 36, 42].map((index) => MONTHS[index]),
    });
  });

  it('within one day names the day in the axis title', () => {
    const hours = Array.from({ length: 12 }, (_, hour) => [new Date(Date.UTC(2024, 2, 5, hour)).toISOString(), hour]);
    const specification = lineOf(hours);
    expect(at(specification, 'encoding', 'x', 'axis')).toMatchObject({ title: 'k (5 Mar 2024, UTC)', format: '%H:%M' });
  });

  it('ends at a gap of time and begins anew after it, but not at weekends', () => {
    const day = (number: number): string => new Date(Date.UTC(2024, 0, number)).toISOString();
    const drawn = (numbers: readonly number[]): readonly unknown[] =>
      valuesOf(lineOf(numbers.map((number) => [day(number), 1]))).map(({ y }) => y);
    expect(drawn([1, 2, 3, 4, 5, 6, 12, 13])).toEqual([1, 1, 1, 1, 1, 1, null, 1, 1]);
    const workdays = [1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19];
    expect(drawn(workdays)).toEqual(workdays.map(() => 1));
  });

  it('of counts is 0 at steps of time without rows, but not on weekdays that never have any', () => {
    const drawn = (countsBy: TimeBucket, days: readonly number[]): readonly unknown[] => {
      const rows = days.map((day) => [new Date(Date.UTC(2024, 0, day)).toISOString(), 3] as const);
      const request = aRequest({ kind: 'line', countsBy });
      return valuesOf(chartSpecification(request, aResult({ k: 'time', n: 'integer' }, rows))).map(({ y }) => y);
    };
    expect(drawn('week', [1, 8, 29])).toEqual([3, 3, 0, 0, 3]);
    expect(drawn('day', [1, 2, 4, 5, 8, 10])).toEqual([3, 3, 0, 3, 3, 3, 0, 3]);
    expect(drawn('day', [1, 2, 3, 4, 5, 8, 10])).toEqual([3, 3, 3, 3, 3, 3, 0, 3]);
  });

  it('keeps a missing value as a gap', () => {
    const years = [1, null, 3].map((value, index) => [2012 + index, value]);
    const specification = lineOf(years, 'integer');
    expect(valuesOf(specification)[1]).toEqual({ x: 2013, y: null });
    expect(at(specification, 'encoding', 'x', 'axis', 'format')).toBe('d');
  });

  it('leaves zero out only where it would flatten the line', () => {
    const zeroOf = (...values: readonly number[]): JsonValue | undefined =>
      at(lineOf([...values.entries()], 'integer'), 'encoding', 'y', 'scale', 'zero');
    expect([zeroOf(1010, 1020), zeroOf(1, 1020), zeroOf(-5, 5), zeroOf(42, 42)]).toEqual([false, true, true, true]);
  });
});

describe('an area chart', () => {
  const areas = (lowest: number): JsonObject => {
    const rows = [[1, 5, 'a'], ...['a', 'b'].map((series) => [2, series === 'a' ? 6 : lowest, series])];
    const result = aResult({ k: 'integer', n: 'number', s: 'text' }, rows);
    return chartSpecification(aRequest({ kind: 'area', series: 's' }), result);
  };

  it('stacks its series and fills their holes with zero, and does not stack what reaches below zero', () => {
    expect(at(areas(1), 'encoding', 'y', 'stack')).toBe('zero');
    expect(valuesOf(areas(1))).toContainEqual({ x: 1, y: 0, s: 'b', o: 1 });
    expect(at(areas(-1), 'encoding', 'y', 'stack')).toBeNull();
  });
});
