import { expect, it } from 'vitest';
import { type Scene, WEATHER } from '../profiles.fixture.js';
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

it('Q1 is no quarter where a survey has a question Q1, unless a year stands behind it', () => {
  const { profile } = WEATHER.table;
  const columns = profile.columns.map((one) => (one.name === 'wind' ? { ...one, name: 'Q1: Was it windy?' } : one));
  const survey = { ...WEATHER, table: { ...WEATHER.table, profile: { ...profile, columns } } };
  const timesIn = (message: string, scene: Scene = survey) => questionIn(message, scene).linked.times.length;
  expect([timesIn('average of Q1'), timesIn('average of Q1 in Q1 2013'), timesIn('average of Q2')]).toEqual([0, 1, 1]);
  expect(timesIn('average wind in Q1', WEATHER)).toBe(1);
});
