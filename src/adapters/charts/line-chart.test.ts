import { describe, expect, it } from 'vitest';
import type { QueryResult } from '../../ports/table.js';
import type { JsonValue } from '../../shared/json.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf, MONTHLY, MONTHS } from './charts.fixture.js';

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
    const specification = chartSpecification(aRequest({ kind: 'line' }), aResult({ k: 'time', n: 'integer' }, hours));

    expect(at(specification, 'encoding', 'x', 'axis')).toMatchObject({ title: 'k (5 Mar 2024, UTC)', format: '%H:%M' });
  });

  it('over days has no ticks between them', () => {
    const days = [1, 2, 3].map((day) => [new Date(Date.UTC(2024, 2, day)).toISOString(), day]);
    const specification = chartSpecification(aRequest({ kind: 'line' }), aResult({ k: 'time', n: 'integer' }, days));

    expect(at(specification, 'encoding', 'x', 'axis', 'values')).toEqual(days.map(([day]) => day));
  });

  it('ends at a gap of time and begins anew after it, but not at weekends', () => {
    const day = (number: number): string => new Date(Date.UTC(2024, 0, number)).toISOString();
    const drawn = (numbers: readonly number[]): readonly unknown[] =>
      valuesOf(
        chartSpecification(
          aRequest({ kind: 'line' }),
          aResult(
            { k: 'time', n: 'integer' },
            numbers.map((number) => [day(number), 1]),
          ),
        ),
      ).map(({ y }) => y);
    expect(drawn([1, 2, 3, 4, 5, 6, 12, 13])).toEqual([1, 1, 1, 1, 1, 1, null, 1, 1]);
    const workdays = [1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 15, 16, 17, 18, 19];
    expect(drawn(workdays)).toEqual(workdays.map(() => 1));
  });

  it('of one moment has room around it', () => {
    const result = aResult({ k: 'time', n: 'number' }, [['2024-03-05T00:00:00.000Z', 5]]);
    const specification = chartSpecification(aRequest({ kind: 'line' }), result);

    expect(at(specification, 'encoding', 'x', 'scale', 'domain')).toEqual([
      '2024-03-04T23:59:59.000Z',
      '2024-03-05T00:00:01.000Z',
    ]);
  });

  it('keeps a missing value as a gap', () => {
    const result = aResult({ k: 'integer', n: 'number' }, [
      [2012, 1],
      [2013, null],
      [2014, 3],
    ]);
    const specification = chartSpecification(aRequest({ kind: 'line' }), result);

    expect(valuesOf(specification)[1]).toEqual({ x: 2013, y: null });
    expect(at(specification, 'encoding', 'x', 'axis', 'format')).toBe('d');
  });

  it('leaves zero out only where it would flatten the line', () => {
    const zeroOf = (values: readonly number[]): JsonValue | undefined =>
      at(
        chartSpecification(
          aRequest({ kind: 'line' }),
          aResult(
            { k: 'integer', n: 'number' },
            values.map((value, index) => [index, value]),
          ),
        ),
        ...['encoding', 'y', 'scale', 'zero'],
      );

    expect(zeroOf([1010, 1020])).toBe(false);
    expect(zeroOf([1, 1020])).toBe(true);
    expect(zeroOf([-5, 5])).toBe(true);
    expect(zeroOf([42, 42])).toBe(true);
  });
});

describe('an area chart', () => {
  const areas = (lowest: number): QueryResult =>
    aResult({ k: 'integer', n: 'number', s: 'text' }, [
      [1, 5, 'a'],
      [2, 6, 'a'],
      [2, lowest, 'b'],
    ]);

  it('stacks its series and fills their holes with zero', () => {
    const specification = chartSpecification(aRequest({ kind: 'area', series: 's' }), areas(1));

    expect(at(specification, 'encoding', 'y', 'stack')).toBe('zero');
    expect(valuesOf(specification)).toContainEqual({ x: 1, y: 0, s: 'b', o: 1 });
  });

  it('does not stack what reaches below zero', () => {
    const specification = chartSpecification(aRequest({ kind: 'area', series: 's' }), areas(-1));

    expect(at(specification, 'encoding', 'y', 'stack')).toBeNull();
  });
});
