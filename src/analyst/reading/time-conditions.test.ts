import { expect, it } from 'vitest';
import { aScene, textColumn, timeColumn } from '../profiles.fixture.js';
import type { ConditionPart } from './condition-part.js';
import { questionIn } from './question.fixture.js';
import type { Question } from './question.js';
import { hourConditions, timeConditions, weekdayConditions } from './time-conditions.js';

const TRIPS = aScene({
  columns: [
    textColumn('weather', ['wed', 'rain']),
    timeColumn('departed', '2024-01-02T05:00:00Z', '2025-05-20T23:00:00Z'),
    timeColumn('reported', '2024-01-02T05:00:00Z', '2025-05-20T23:00:00Z'),
  ],
  now: '2025-05-21T12:00:00Z',
});
const asked = (message: string): Question => questionIn(message, TRIPS);

function wanted(parts: readonly ConditionPart[]): readonly unknown[] {
  return parts.map(({ filter }) => (filter.kind === 'in' ? [filter.column, filter.values] : filter));
}

it.each([
  ['trips on Mondays', [1]],
  ['how many on a sat or sun', [6, 7]],
  ['trips sat + sun', [6, 7]],
  ['trips at weekends', [6, 7]],
  ['Monday to Friday?', [1, 2, 3, 4, 5]],
  ['tue - thurs', [2, 3, 4]],
  ['on working days: workdays', [1, 2, 3, 4, 5]],
])('“%s” names days of the week', (message, days) => {
  expect(wanted(weekdayConditions(asked(message)))).toEqual([['weekday of departed', days]]);
});

it('days of the week are of the main time, and of one that is mentioned', () => {
  const days = ['weekday of departed', 'weekday of reported'].map((column) => [column, [7]]);
  expect(wanted(weekdayConditions(asked('how many were reported on a Sunday')))).toEqual(days);
});

it.each(['trips when it was wed', 'money for sunny months at satellites'])('“%s” names no days', (message) => {
  expect(weekdayConditions(asked(message))).toEqual([]);
});

it('a month without a year is the nearest one, or that of any year where the times are of several', () => {
  const [question, dated] = [asked('trips in July'), asked('trips in July 2024')];
  const parts = wanted(timeConditions(question, question.linked.times[0]!));
  expect(parts).toContainEqual(['month of departed', [7]]);
  expect(parts).toContainEqual(expect.objectContaining({ column: 'departed', from: '2024-07-01T00:00:00Z' }));
  expect(JSON.stringify(wanted(timeConditions(dated, dated.linked.times[0]!)))).not.toContain('month of');
});

it.each([
  ['between 14 and 16 h', [14, 15]],
  ['before 6 am', [0, 1, 2, 3, 4, 5]],
  ['from 20:00 on', [20, 21, 22, 23]],
])('“%s” names hours of the day', (message, hours) => {
  expect(wanted(hourConditions(asked(message)).flat())[0]).toEqual(['hour of departed', hours]);
});

it('plain numbers name no hours of the day', () => {
  expect(hourConditions(asked('between 14 and 16'))).toEqual([]);
});
