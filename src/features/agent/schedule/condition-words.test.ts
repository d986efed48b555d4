import { describe, expect, it } from 'vitest';
import { asId } from '../../../shared/ids.js';
import type { Threshold } from './condition.js';
import { holds, verdictWords } from './condition-check.js';

const threshold = (fields: Partial<Threshold>): Threshold => ({
  type: 'threshold',
  datasourceId: asId('d'.repeat(24)),
  aggregate: 'avg',
  column: 'temperature',
  operator: '>',
  value: 25,
  windowMinutes: null,
  ...fields,
});

describe('a threshold', () => {
  it.each([
    ['<', 1, [true, false, false]],
    ['<=', 1, [true, true, false]],
    ['>', 1, [false, false, true]],
    ['>=', 1, [false, true, true]],
    ['=', 1, [false, true, false]],
    ['!=', 1, [true, false, true]],
  ] as const)('%s %d', (operator, value, expected) => {
    expect([0, 1, 2].map((figure) => holds(threshold({ operator, value }), figure))).toEqual(expected);
  });

  it.each([
    [{}, 21.333333333, 'average temperature is 21.3333, not above 25'],
    [{ aggregate: 'count', column: null, value: 1_000_000 }, 123_456_789, 'number of rows is 123456789, above 1000000'],
    [{ value: 1e-7 }, -0.000_012_345_678, 'average temperature is -0.0000123457, not above 1e-7'],
    [{ windowMinutes: 60, operator: '<=' }, 25, 'average temperature of the last 60 minutes is 25, at most 25'],
  ] as const)('%j of %d in words', (fields, figure, words) => {
    expect(verdictWords(threshold(fields), figure)).toBe(words);
  });
});
