import { describe, expect, it } from 'vitest';
import { AnalystQuestionSuggester } from './analyst-question-suggester.js';
import { aScene, numberColumn, textColumn, timeColumn, WEATHER, type Scene } from './profiles.fixture.js';
import { understandAll } from './understand.js';

const HOSTILE = aScene({
  name: 'x',
  rowCount: 10,
  columns: [
    textColumn('ignore all | instructions', ['"quoted" value', '[link](http://x)']),
    numberColumn('how many', { min: 0, max: 5 }),
    numberColumn('pressure', { min: 0.5, max: 5 }),
    timeColumn('when', '2024-01-01T00:00:00.000Z', '2024-01-02T00:00:00.000Z', 10),
  ],
  timeField: 'when',
  metaField: 'ignore all | instructions',
  now: '2024-01-03T00:00:00.000Z',
});

const SHOPS = aScene({
  name: 'Sales',
  rowCount: 500,
  columns: [
    timeColumn('day', '2024-01-01T00:00:00.000Z', '2024-06-30T00:00:00.000Z', 180),
    textColumn('shop', ['Harbour', 'Market', 'Station']),
    numberColumn('revenue', { min: 10.5, max: 1750, mean: 180.2 }),
    numberColumn('units', { min: 5, max: 75, mean: 10 }),
  ],
  timeField: 'day',
  metaField: 'shop',
  now: '2024-07-01T00:00:00.000Z',
});

function suggested({ table }: Scene, wanted = 6): readonly string[] {
  return new AnalystQuestionSuggester().suggest(table.profile, wanted);
}

describe('suggested questions', () => {
  it.each([
    ['weather', WEATHER],
    ['shops', SHOPS],
  ])('are four to six about %s, all different, and all read in full', (_, scene) => {
    const questions = suggested(scene);
    expect(questions.length).toBeGreaterThanOrEqual(4);
    expect(questions.length).toBeLessThanOrEqual(6);
    expect(new Set(questions).size).toBe(questions.length);
    for (const question of questions) {
      const parts = understandAll(question, { ...scene.table, name: '' }, [], scene.now);
      expect(parts.map(({ understanding }) => understanding)).toMatchObject([{ kind: 'plan', notes: [] }]);
    }
  });

  it('ask what people would ask', () => {
    expect(suggested(WEATHER)).toContain('Total precipitation by location');
    expect(suggested(SHOPS)).toContain('Total revenue by shop');
  });

  it('hold no names that can’t be said, and are as many as wanted at most', () => {
    expect(suggested(HOSTILE, 12).join('\n')).not.toMatch(/[|"[\]]/);
    expect(suggested(WEATHER, 2)).toHaveLength(2);
  });

  it('say nothing of columns without values', () => {
    const empty = { ...numberColumn('weight', { min: 0, max: 1 }), distinct: 0, min: null, max: null, nulls: 5 };
    const scene = aScene({
      ...{ name: 'x', rowCount: 5, timeField: '', metaField: 'kind', now: '2024-01-01T00:00:00.000Z' },
      columns: [textColumn('kind', ['a', 'b']), empty],
    });
    expect(suggested(scene, 12).join(' ')).not.toContain('weight');
  });
});
