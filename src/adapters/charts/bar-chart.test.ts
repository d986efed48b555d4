import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../shared/json.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf, PAIRS, MONTHLY, MONTHS } from './charts.fixture.js';

describe('a bar chart', () => {
  it('stands upright, begins at zero and has its figures on it', () => {
    const specification = chartSpecification(aRequest({}), PAIRS);

    expect(at(specification, 'encoding', 'x', 'field')).toBe('x');
    expect(at(specification, 'encoding', 'y', 'scale', 'zero')).toBe(true);
    expect(at(specification, 'layer', 1, 'encoding', 'text', 'format')).toBe(',d');
  });

  it('lies down where its labels are long, in the order of the result', () => {
    const rows = ['Dallas/Fort Worth International', 'Chicago O’Hare International', 'Charlotte/Douglas International'];
    const result = aResult(
      { k: 'text', n: 'integer' },
      rows.map((name, index) => [name, 9 - index]),
    );
    const specification = chartSpecification(aRequest({}), {
      ...result,
      rows: [...result.rows, ['Sacramento Intl', 1]],
    });

    expect(at(specification, 'encoding', 'y', 'scale', 'domain')).toEqual([...rows, 'Sacramento Intl']);
    expect(at(specification, 'encoding', 'x', 'type')).toBe('quantitative');
  });

  it('over time shows a month without rows as an empty place', () => {
    const result = aResult({ k: 'time', n: 'integer' }, [
      [MONTHS[1]!, 1],
      [MONTHS[4]!, 2],
    ]);

    expect(at(chartSpecification(aRequest({}), result), 'encoding', 'x', 'scale', 'domain')).toEqual([
      'Feb 2012',
      'Mar 2012',
      'Apr 2012',
      'May 2012',
    ]);
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
    const specification = chartSpecification(aRequest({}), aResult({ k: 'time', n: 'integer' }, days));

    expect(at(specification, 'title', 'subtitle')).toEqual(['the last 100 of 150']);
    expect(valuesOf(specification).at(-1)).toMatchObject({ y: 149 });
  });

  it('with a series is a grouped one', () => {
    const result = aResult({ k: 'text', n: 'integer', s: 'text' }, [
      ['a', 1, 'p'],
      ['a', 2, 'q'],
    ]);

    expect(at(chartSpecification(aRequest({ series: 's' }), result), 'encoding', 'xOffset', 'field')).toBe('s');
  });

  it('puts weekdays into order, unless the rows are sorted by value', () => {
    const domainOf = (values: readonly number[]): JsonValue | undefined => {
      const result = aResult(
        { k: 'text', n: 'integer' },
        ['Wed', 'Mon', 'Tue'].map((day, index) => [day, values[index]!]),
      );
      return at(chartSpecification(aRequest({}), result), 'encoding', 'x', 'scale', 'domain');
    };

    expect(domainOf([2, 1, 3])).toEqual(['Mon', 'Tue', 'Wed']);
    expect(domainOf([3, 2, 1])).toEqual(['Wed', 'Mon', 'Tue']);
  });

  it('writes large figures with SI prefixes', () => {
    const result = aResult({ k: 'text', n: 'integer' }, [['a', 1_500_000]]);
    const specification = chartSpecification(aRequest({}), result);

    expect(at(specification, 'encoding', 'y', 'axis', 'format')).toBe('~s');
    expect(at(specification, 'layer', 1, 'encoding', 'text', 'format')).toBe('.3~s');
  });
});
