import { expect, it } from 'vitest';
import { converted, unitNamed } from './units.js';

it.each([
  [2, 'hours', 'min', 120],
  [1.1, 'km', 'm', 1100],
  [1.88, 'm', 'cm', 188],
  [2, 'years', 'months', 24],
])('%s %s are so many %s', (value, from, to, expected) => {
  const [one, other] = [unitNamed(from), unitNamed(to)];
  expect(one?.dimension).toBe(other?.dimension);
  expect(converted(value, one!, other!)).toBe(expected);
});
