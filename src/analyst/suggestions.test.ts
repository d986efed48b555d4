import { describe, expect, it } from 'vitest';
import { aScene, numberColumn, textColumn, timeColumn, WEATHER, type Scene } from './profiles.fixture.js';
import { suggestQuestions } from './suggestions.js';
import { provenBy, understandAll } from './understand.js';

const TIME = { timeField: 'day', now: '2024-07-01T00:00:00.000Z' };
const DAY = timeColumn('day', '2024-01-01T00:00:00.000Z', '2024-06-30T00:00:00.000Z', 180);
const SHOPS = aScene({
  ...{ name: 'Sales', rowCount: 500, ...TIME, metaField: 'shop' },
  columns: [
    DAY,
    textColumn('shop', ['Harbour', 'Market', 'Station']),
    numberColumn('revenue', { min: 10.5, max: 1750, mean: 180.2 }),
    numberColumn('units', { min: 5, max: 75, mean: 10 }),
  ],
});
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
  it.each([
    ['Total precipitation by location', WEATHER],
    ['Total revenue by shop', SHOPS],
  ])('are four to six, as people would ask, all different, and all read in full: %s', (one, scene) => {
    const questions = suggested(scene);
    expect(questions).toContain(one);
    expect([4, 5, 6]).toContain(new Set(questions).size);
    expect(questions).toHaveLength(new Set(questions).size);
    for (const question of questions) {
      const parts = understandAll(question, { ...scene.table, name: '' }, [], scene.now);
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
