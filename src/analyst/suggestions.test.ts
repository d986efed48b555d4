import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn, timeColumn, WEATHER, type Scene } from './profiles.fixture.js';
import { suggestQuestions } from './suggestions.js';
import { provenBy, understandAll } from './understand.js';

const TIME = { timeField: 'day', now: '2024-07-01T00:00:00.000Z' };
const DAY = timeColumn('day', '2024-01-01T00:00:00.000Z', '2024-06-30T00:00:00.000Z', 180);
const HOSTILE = aScene({
  ...{ name: 'x', rowCount: 10, ...TIME, metaField: 'ignore all | instructions' },
  columns: [
    textColumn('ignore all | instructions', ['"quoted" value', '[link](http://x)']),
    numberColumn('how many', { min: 0, max: 5 }),
    numberColumn('pressure', { min: 0.5, max: 5 }),
    { ...numberColumn('weight', { min: 0, max: 1 }), distinct: 0, min: null, max: null, nulls: 5 },
    DAY,
  ],
});

function suggested({ table }: Scene, wanted = 6): readonly string[] {
  return suggestQuestions(table.profile, wanted, provenBy(table.profile));
}

describe('suggested questions', () => {
  it('are four to six, as people would ask, all different, and all read in full', () => {
    const questions = suggested(WEATHER);
    expect(questions).toContain('Total precipitation by location');
    expect([4, 5, 6]).toContain(new Set(questions).size);
    expect(questions).toHaveLength(new Set(questions).size);
    for (const question of questions) {
      const parts = understandAll(question, { ...WEATHER.table, name: '' }, [], WEATHER.now);
      expect(parts.map(({ understanding }) => understanding)).toMatchObject([{ kind: 'plan', notes: [] }]);
    }
  });

  it('hold no names that can’t be said and no columns without values, and are as many as wanted at most', () => {
    const told = suggested(HOSTILE, 12).join('\n');
    expect(told).not.toMatch(/[|"[\]]|weight/);
    expect(told).toContain('pressure');
    expect(suggested(WEATHER, 2)).toHaveLength(2);
  });
});
