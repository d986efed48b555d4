import { describe, expect, it } from 'vitest';
import { WEATHER } from '../profiles.fixture.js';
import { link } from './mentions.js';
import { factsOf } from './table.js';
import { WEIGHT_COUNT } from './weights.js';

const facts = factsOf(WEATHER.table);

describe('numbers of a message', () => {
  it.each<[string, readonly number[]]>([
    ['more than once, or at least twice', [1, 2]],
    ['more than twice the average wind', []],
    ['more than constructor', []],
    ['under 18s for longer than 20d', [18, 20]],
    ['over 10.000 or 5k', [10_000, 5000]],
  ])('“%s”', (message, values) => {
    const { numbers } = link(message, facts, WEATHER.now.getTime(), new Float32Array(WEIGHT_COUNT));
    expect(numbers.map(({ value }) => value)).toEqual(values);
  });
});
