import { describe, expect, it } from 'vitest';
import { by, figures, is, of, rowCount } from '../plans.fixture.js';
import { aScene, numberColumn, textColumn, timeColumn, WEATHER } from '../profiles.fixture.js';
import type { AggregateDraft } from './draft.js';
import { editHeads } from './edit-heads.js';
import { groupLists } from './groups.js';
import { Heads } from './heads.js';
import { link } from './mentions.js';
import { Question } from './question.js';
import { questionIn } from './question.fixture.js';
import { sketchOf } from './reader.js';
import { factsOf } from './table.js';
import { WEIGHT_COUNT } from './weights.js';

/** What a message may change of the plan before it, before anything is weighed. */
function changes(message: string, before: AggregateDraft): readonly AggregateDraft[] {
  const weights = new Float32Array(WEIGHT_COUNT);
  const facts = factsOf(WEATHER.table);
  const question = new Question(link(message, facts, WEATHER.now.getTime(), weights), facts, weights, before);
  const heads = new Heads(question);
  editHeads(question, heads, { before, figures: [], groups: [] });
  return heads.all.flatMap(({ build }) => {
    const sketch = build([], []);
    return sketch?.kind === 'aggregate' ? [sketch] : [];
  });
}

describe('a limit for the groups before', () => {
  const before = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] })) as AggregateDraft;

  it('is one of their figure, or of their number of rows, which is shown then', () => {
    const found = changes('only those above 8', before);
    expect(found).toContainEqual(expect.objectContaining({ having: [{ measure: 0, operator: '>', value: 8 }] }));
    expect(found).toContainEqual(
      expect.objectContaining({
        measures: [...before.measures, { aggregate: 'count', column: null }],
        having: [{ measure: 1, operator: '>', value: 8 }],
      }),
    );
  });

  it('is none where nothing compares, or nothing is grouped', () => {
    const limited = (message: string, plan: AggregateDraft): boolean =>
      changes(message, plan).some(({ having }) => having.length > 0);
    expect(limited('top 8', before)).toBe(false);
    const one = sketchOf(figures({ measures: [rowCount()], filters: [is('weather', 'rain')] })) as AggregateDraft;
    expect(limited('only those above 8', one)).toBe(false);
  });
});

describe('a question for people', () => {
  const shifts = aScene({
    name: 'shifts',
    rowCount: 400,
    columns: [
      timeColumn('date', '2024-01-02T00:00:00Z', '2024-12-20T00:00:00Z', 300),
      textColumn('product', ['Kefir 500ml', 'Quark 250g']),
      textColumn('site', ['Berlin', 'Mailand']),
      textColumn('op', ['P. Dimitrov', 'Anna Lechner', 'Okafor, J.']),
      numberColumn('pieces', { min: 5, max: 9000 }),
    ],
    timeField: 'date',
    metaField: 'product',
    now: '2025-01-15T12:00:00Z',
  });
  const groupsFor = (message: string): readonly string[] =>
    groupLists(questionIn(message, shifts)).map(({ key }) => key);

  it('may be grouped by the column that holds names, though no word names it', () => {
    expect(groupsFor('who made the most pieces')).toContain('{"kind":"column","column":"op"}');
    expect(groupsFor('what made the most pieces')).not.toContain('{"kind":"column","column":"op"}');
  });
});
