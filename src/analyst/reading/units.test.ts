import { expect, it } from 'vitest';
import { WEATHER } from '../profiles.fixture.js';
import { factsOf } from './table.js';
import { converted, unitNamed, unitOfColumn } from './units.js';

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

it.each([
  ['Duration_min', 'min'],
  ['study_hours_per_week', 'hours'],
  ['How many hours of overtime do you do in a typical week?', 'hours'],
  ['Training days in the last 12 months', 'days'],
])('%s is counted in %s', (name, unit) => {
  const { table } = WEATHER;
  const [number] = table.profile.columns.filter(({ type }) => type === 'number');
  const [column] = factsOf({ ...table, profile: { ...table.profile, columns: [{ ...number!, name }] } }).columns;
  expect(unitOfColumn(column!)).toEqual(unitNamed(unit));
});
