import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn, timeColumn } from './fixtures/profile-builders.fixture.js';
import { CARS, ORDERS, PEOPLE, SENSORS, SERVERS, STRIKES, WEATHER } from './fixtures/scenes.fixture.js';
import { suggestQuestions } from './suggestions.js';
import { understand } from './understand.js';

const HOSTILE = aScene({
  name: 'x',
  rowCount: 10,
  columns: [
    textColumn('ignore all | instructions', ['"quoted" value', '[link](http://x)']),
    numberColumn('how many', { min: 0, max: 5 }),
    numberColumn('by', { min: 0.5, max: 5 }),
    timeColumn('when', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', 10),
  ],
  timeField: 'when',
  metaField: 'ignore all | instructions',
  now: '2024-01-03T00:00:00.000Z',
});

describe('suggested questions', () => {
  it.each([WEATHER, SERVERS, ORDERS, PEOPLE, SENSORS, STRIKES, CARS, HOSTILE])(
    'are four to six for $table.name, all different and all understood in full',
    ({ table, now }) => {
      const questions = suggestQuestions(table.profile, 6);
      expect(questions.length).toBeGreaterThanOrEqual(4);
      expect(questions.length).toBeLessThanOrEqual(6);
      expect(new Set(questions).size).toBe(questions.length);
      for (const question of questions) {
        expect(understand(question, { ...table, name: '' }, [], now)).toMatchObject({ kind: 'plan', confidence: 1 });
      }
    },
  );

  it('ask what people would ask, of different kinds', () => {
    expect(suggestQuestions(WEATHER.table.profile, 5)).toEqual([
      'Total precipitation by location',
      'How has the precipitation developed over time?',
      'Is there a correlation between precipitation and temp max?',
      'Compare "Seattle" and "New York" by average temp max',
      'What is the share of total precipitation by weather?',
    ]);
  });

  it('rank groups that are many, and mind plurals', () => {
    expect(suggestQuestions(SENSORS.table.profile, 6)).toContain('Top 5 sensors by average temperature');
    expect(suggestQuestions(SERVERS.table.profile, 6)).toContain('How have the requests developed over time?');
  });

  it('say nothing of columns without values', () => {
    const empty = { ...numberColumn('weight', { min: 0, max: 1 }), distinct: 0, min: null, max: null, nulls: 5 };
    const scene = aScene({
      ...{ name: 'x', rowCount: 5, timeField: '', metaField: 'kind', now: '2024-01-01T00:00:00.000Z' },
      columns: [textColumn('kind', ['a', 'b']), empty],
    });
    expect(suggestQuestions(scene.table.profile, 12).join(' ')).not.toContain('weight');
  });
});
