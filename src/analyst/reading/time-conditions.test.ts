import { describe, expect, it } from 'vitest';
import { aScene, textColumn, timeColumn } from '../profiles.fixture.js';
import type { ConditionPart } from './condition-part.js';
import type { Question } from './question.js';
import { questionIn } from './question.fixture.js';
import { hourConditions, timeConditions, weekdayConditions } from './time-conditions.js';

const TRIPS = aScene({
  name: 'trips',
  rowCount: 500,
  columns: [
    textColumn('line', ['S10', 'S40']),
    textColumn('weather', ['wed', 'rain']),
    timeColumn('departed', '2024-01-02T05:00:00Z', '2025-05-20T23:00:00Z', 300),
    timeColumn('reported', '2024-01-02T05:00:00Z', '2025-05-20T23:00:00Z', 300),
  ],
  timeField: 'departed',
  metaField: 'line',
  now: '2025-05-21T12:00:00Z',
});
const asked = (message: string): Question => questionIn(message, TRIPS);

function wanted(parts: readonly ConditionPart[]): readonly unknown[] {
  return parts.map(({ filter }) => (filter.kind === 'in' ? [filter.column, filter.values] : filter));
}

describe('days of the week', () => {
  it.each([
    ['trips on Mondays', [1]],
    ['how many on a sat or sun', [6, 7]],
    ['trips sat + sun', [6, 7]],
    ['trips at weekends', [6, 7]],
    ['Monday to Friday?', [1, 2, 3, 4, 5]],
    ['tue - thurs', [2, 3, 4]],
    ['on working days: workdays', [1, 2, 3, 4, 5]],
  ])('are named in “%s”', (message, days) => {
    expect(wanted(weekdayConditions(asked(message)))).toEqual([['weekday of departed', days]]);
  });

  it('are of the main time, and of one that is mentioned', () => {
    expect(wanted(weekdayConditions(asked('how many were reported on a Sunday')))).toEqual([
      ['weekday of departed', [7]],
      ['weekday of reported', [7]],
    ]);
  });

  it('are not named by values, nor by words that begin alike', () => {
    expect(weekdayConditions(asked('trips when it was wed'))).toEqual([]);
    expect(weekdayConditions(asked('money for sunny months at satellites'))).toEqual([]);
  });
});

describe('a month without a year', () => {
  it('is the nearest one, or that of any year where the times are of several', () => {
    const question = asked('trips in July');
    const parts = timeConditions(question, question.linked.times[0]!);
    expect(wanted(parts)).toContainEqual(['month of departed', [7]]);
    expect(wanted(parts)).toContainEqual(expect.objectContaining({ column: 'departed', from: '2024-07-01T00:00:00Z' }));
    const dated = asked('trips in July 2024');
    expect(JSON.stringify(wanted(timeConditions(dated, dated.linked.times[0]!)))).not.toContain('month of');
  });
});

describe('hours of the day', () => {
  it.each([
    ['between 14 and 16 h', [14, 15]],
    ['before 6 am', [0, 1, 2, 3, 4, 5]],
    ['from 20:00 on', [20, 21, 22, 23]],
  ])('are named in “%s”', (message, hours) => {
    expect(wanted(hourConditions(asked(message)).flat())[0]).toEqual(['hour of departed', hours]);
  });

  it('are not named by plain numbers', () => {
    expect(hourConditions(asked('between 14 and 16'))).toEqual([]);
  });
});
