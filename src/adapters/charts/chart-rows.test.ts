import { describe, expect, it } from 'vitest';
import type { QueryResult } from '../../ports/table.js';
import { chartRows } from './chart-rows.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf } from './charts.fixture.js';

function byPart(part: 'hour' | 'weekday' | 'month', ...parts: readonly number[]): QueryResult {
  const result = aResult(
    { k: 'integer', n: 'number' },
    parts.map((each, index) => [each, (index % 2) * 5]),
  );
  return { ...result, columns: result.columns.map((column) => (column.name === 'k' ? { ...column, part } : column)) };
}

describe('parts of times', () => {
  it.each([
    ['weekday', [1, 2, 7], ['Mon', 'Tue', 'Sun']],
    ['month', [1, 5, 12], ['Jan', 'May', 'Dec']],
    ['hour', [0, 9, 23], ['00:00', '09:00', '23:00']],
    ['weekday', [0, 8], ['0', '8']],
  ] as const)('are called by their names: %s', (part, numbers, names) => {
    expect(chartRows(aRequest({}), byPart(part, ...numbers)).rows.map(({ x }) => x)).toEqual(names);
  });

  it('stand in their order', () => {
    const domainOf = (result: QueryResult): unknown =>
      at(chartSpecification(aRequest({ kind: 'line' }), result), 'encoding', 'x', 'scale', 'domain');
    expect(domainOf(byPart('weekday', 7, 1, 3))).toEqual(['Mon', 'Wed', 'Sun']);
    expect(domainOf(byPart('hour', 23, 4, 11))).toEqual(['04:00', '11:00', '23:00']);
  });

  it('stay numbers where they are measured', () => {
    const values = valuesOf(chartSpecification(aRequest({ kind: 'scatter' }), byPart('hour', 4, 23)));
    expect(values).toEqual([
      { x: 4, y: 0 },
      { x: 23, y: 5 },
    ]);
  });
});

it('fractions are drawn as percent, and the axis says so', () => {
  const result = aResult({ k: 'text', n: 'number' }, Object.entries({ a: 0.29, b: 0.71 }));
  const columns = result.columns.map((column) => ({ ...column, isFraction: column.name === 'n' }));
  const fractions = { ...result, columns };
  const specification = chartSpecification(aRequest({ kind: 'line' }), fractions);
  expect(valuesOf(specification).map(({ y }) => y)).toEqual([29, 71]);
  expect(specification['encoding']).toMatchObject({ y: { axis: { title: 'n (%)' } } });
});
