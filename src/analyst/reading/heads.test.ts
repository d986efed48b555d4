import { expect, it } from 'vitest';
import { by, figures, is, of, rowCount } from '../plans.fixture.js';
import { aScene, numberColumn, textColumn, WEATHER } from '../profiles.fixture.js';
import type { AggregateDraft, DimensionDraft } from './draft.js';
import { editHeads } from './edit-heads.js';
import { groupLists } from './groups.js';
import { Heads } from './heads.js';
import { in2024, questionIn } from './question.fixture.js';
import { sketchOf } from './reader.js';

/** What a message may change of the plan before it, before anything is weighed. */
function changes(message: string, before: AggregateDraft): readonly AggregateDraft[] {
  const question = questionIn(message, WEATHER, before);
  const heads = new Heads(question);
  editHeads(question, heads, { before, figures: [], groups: [] });
  return heads.all.flatMap(({ build }) => {
    const sketch = build([], []);
    return sketch?.kind === 'aggregate' ? [sketch] : [];
  });
}

const BEFORE = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] })) as AggregateDraft;

it('a limit for the groups before is one of their figure, or of their number of rows, which is shown then', () => {
  const found = changes('only those above 8', BEFORE);
  const over = (measure: number): object => ({ having: [{ measure, operator: '>', value: 8 }] });
  const measures = [...BEFORE.measures, { aggregate: 'count', column: null }];
  expect(found).toContainEqual(expect.objectContaining(over(0)));
  expect(found).toContainEqual(expect.objectContaining({ measures, ...over(1) }));
});

it('a limit is none where nothing compares, or nothing is grouped', () => {
  const one = sketchOf(figures({ measures: [rowCount()], filters: [is('weather', 'rain')] })) as AggregateDraft;
  const found = [...changes('top 8', BEFORE), ...changes('only those above 8', one)];
  expect(found.filter(({ having }) => having.length > 0)).toEqual([]);
});

it('a question for people may be grouped by the column that holds names, though no word names it', () => {
  const [products, sites] = [textColumn('product', ['Kefir', 'Quark']), textColumn('site', ['Berlin', 'Mailand'])];
  const pieces = numberColumn('pieces', { min: 5, max: 9000 });
  const people = textColumn('op', ['P. Dimitrov', 'Anna Lechner', 'Okafor, J.']);
  const shifts = aScene({ columns: [in2024('date'), products, sites, people, pieces] });
  const groupsFor = (message: string): readonly string[] =>
    groupLists(questionIn(message, shifts)).map(({ key }) => key);
  expect(groupsFor('who made the most pieces')).toContain('{"kind":"column","column":"op"}');
  expect(groupsFor('what made the most pieces')).not.toContain('{"kind":"column","column":"op"}');
});

it('what is compared between two periods is told for each of both, beside any other group', () => {
  const groups = groupLists(questionIn('wind by location this month vs last month', WEATHER));
  const isByMonth = ({ kind }: DimensionDraft): boolean => kind === 'bucket';
  expect(groups.map(({ dimensions }) => dimensions.some(isByMonth))).not.toContain(false);
  expect(groups.map(({ dimensions }) => dimensions[0]?.column)).toContain('location');
});
