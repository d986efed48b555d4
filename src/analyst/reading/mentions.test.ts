import { expect, it } from 'vitest';
import { aScene, type Scene, textColumn, WEATHER } from '../profiles.fixture.js';
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

it.each([
  ['birdstrikes.csv', '', 'number of strikes per year', 'number of NOUN per year'],
  ['birdstrikes', '', 'how many bird strikes', 'how many NOUN NOUN'],
  ['export', 'Each row is one support ticket of a customer.', 'how many tickets', 'how many NOUN'],
  ['export', 'Every line stands for a sale.', 'how many sales', 'how many NOUN'],
  ['export', 'From the shop.', 'how many tickets', 'how many tickets'],
])('of the table “%s” (%s) “%s” names the rows', (name, context, message, signs) => {
  const scene = { ...WEATHER, table: { ...WEATHER.table, name, context } };
  expect(questionIn(message, scene).linked.signs.join(' ')).toBe(signs);
});

it.each([
  ['Stop_ID', ['S1', 'S2'], 'how many NOUN'],
  ['Stop', ['S1', 'S2'], 'how many NOUN'],
  ['Stop', ['Main Street', 'Harbour'], 'how many COL'],
])('rows with a key “%s” of %j are called by it', (name, values, signs) => {
  const columns = [textColumn(name, values, 500), textColumn('driver', ['Ada', 'Bob'])];
  const said = questionIn('how many stops', aScene({ name: 'export', columns })).linked.signs.join(' ');
  expect(said.replace('NCOL', 'NOUN')).toBe(signs);
});
