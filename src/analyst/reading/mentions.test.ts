import { expect, it } from 'vitest';
import { WEATHER } from '../profiles.fixture.js';
import { questionIn } from './question.fixture.js';

it.each<[string, readonly number[]]>([
  ['more than once, or at least twice', [1, 2]],
  ['more than twice the average wind', []],
  ['more than constructor', []],
  ['under 18s for longer than 20d', [18, 20]],
  ['over 10.000 or 5k', [10_000, 5000]],
])('“%s” has its numbers', (message, values) => {
  expect(questionIn(message, WEATHER).linked.numbers.map(({ value }) => value)).toEqual(values);
});
