import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import { BY_MONTH, by, figures, is, listing, of, rowCount } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import type { AggregateDraft, DimensionDraft, MeasureDraft, Sketch } from './draft.js';
import * as edits from './edits.js';
import { planOf } from './plan-of.js';
import { questionIn } from './question.fixture.js';
import type { Question } from './question.js';
import { sketchOf } from './reader.js';
import { factsOf } from './table.js';

type Edits = readonly edits.Edit[];
const asked = (message: string): Question => questionIn(message, WEATHER);

function named(all: Edits, name: string): Sketch | undefined {
  return all.find((edit) => edit.name === name)?.sketch;
}

const NOTHING = { features: [], uses: [], score: 0 };

function groups(...dimensions: readonly DimensionDraft[]): Parameters<typeof edits.groupEdits>[1] {
  return { ...NOTHING, dimensions } as unknown as Parameters<typeof edits.groupEdits>[1];
}

function figured(before: Sketch, measure: MeasureDraft, isSaid = true): Edits {
  const list = { ...NOTHING, measures: [measure], derived: [] };
  return edits.figureEdits(before, list as unknown as Parameters<typeof edits.figureEdits>[1], isSaid);
}

const LOCATION: DimensionDraft = { kind: 'column', column: 'location' };
const KIND: DimensionDraft = { kind: 'column', column: 'weather' };
const MONTH: DimensionDraft = { kind: 'bucket', column: 'date', bucket: 'month' };
const AVG_WIND: MeasureDraft = { aggregate: 'avg', column: 'wind' };
const COUNT: MeasureDraft = { aggregate: 'count', column: null };
const RAINFALL: MeasureDraft = { aggregate: 'sum', column: 'precipitation' };

const [SEATTLE, RAIN] = [is('location', 'Seattle'), is('weather', 'rain')];
const WIND_BY_PLACE = figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] });
const WIND = sketchOf(WIND_BY_PLACE) as AggregateDraft;
const WIND_IN_RAIN = sketchOf(figures({ measures: [of('avg', 'wind')], filters: [RAIN] }));
const BY_TWO = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location'), BY_MONTH] }));
const MEDIAN = sketchOf(figures({ measures: [of('median', 'wind')] }));
const RAINY = sketchOf(figures({ measures: [rowCount()], filters: [RAIN] }));
const COUNT_BY_PLACE = sketchOf(figures({ measures: [rowCount()], dimensions: [by('location')] }));
const RAINY_ROWS = sketchOf(listing({ columns: ['wind'], filters: [RAIN] }));
const WINDIEST = listing({ columns: ['wind'], order: [{ by: 'wind', direction: 'desc' }], limit: 5 });
const PERCENT: AggregateDraft = {
  ...{ ...WIND, measures: [{ ...COUNT, filters: [RAIN] }, COUNT] },
  computed: [{ kind: 'percent', left: 0, right: 1 }],
};

it('groups after a list of numbers are those of their average, with the values apart that were asked for', () => {
  const filters = [is('location', 'Seattle', 'New York')];
  const after = (...columns: readonly string[]): Edits =>
    edits.shownGroupEdits(asked('per month'), sketchOf(listing({ columns, filters })), groups(MONTH));
  const edit = named(after('date', 'wind'), 'shown:avg');
  expect(edit).toMatchObject({ measures: [AVG_WIND], dimensions: [MONTH, LOCATION], filters });
  expect(after('date', 'location')).toEqual([]);
});

describe('the conditions of a follow-up', () => {
  const until = { kind: 'time', column: 'due', from: null, to: '2024-06-13T00:00:00Z' } as const;
  const since = (from: string): Filter => ({ kind: 'time', column: 'date', from, to: null });
  const [may, june] = [since('2024-05-01'), since('2024-06-01')];
  const [york, fog] = [is('location', 'New York'), is('weather', 'fog')];

  it.each<[string, Filter[], Filter[], Filter[]]>([
    ['take the place of the period before, and leave what is overdue', [until, may], [june], [until, june]],
    ['stand beside the period where they tell what is overdue', [may], [until], [may, until]],
    ['stand beside those of before where they speak of other columns', [SEATTLE], [RAIN], [SEATTLE, RAIN]],
    ['hold in place of those of before about the same column', [SEATTLE, RAIN], [york], [RAIN, york]],
    ['hold in place of alternatives that name their column', [{ kind: 'any', of: [[SEATTLE], [RAIN]] }], [fog], [fog]],
    ['change nothing where there are none', [SEATTLE], [], [SEATTLE]],
  ])('%s', (_, before, said, kept) => {
    expect(edits.withFilters(before, said)).toEqual(kept);
  });
});

it('values that are added to those of before stand beside them, if they are of a column that was spoken of', () => {
  const inSeattle: Sketch = { ...WIND, dimensions: [], filters: [SEATTLE] };
  const both = { dimensions: [LOCATION], filters: [is('location', 'Seattle', 'New York')] };
  expect(edits.widened(inSeattle, [is('location', 'New York')])).toMatchObject(both);
  for (const added of [[RAIN], []]) expect(edits.widened(WIND, added)).toBeNull();
});

it('a share of what was asked before is of everything, and may be of another part of the same whole', () => {
  const share = named(edits.portionEdits(asked('in percent of all days'), RAINY), 'portion:all')!;
  const measures = [{ filters: [RAIN] }, { column: null }];
  expect(share).toMatchObject({ measures, filters: [], computed: [{ kind: 'percent', left: 0, right: 1 }] });
  expect(edits.portionEdits(asked('and in May?'), RAINY)).toEqual([]);
  const sun = [is('weather', 'sun')];
  expect(edits.ofOtherPart(share, sun)).toMatchObject({ measures: [{ filters: sun }, {}] });
  expect(edits.ofOtherPart(share, [SEATTLE])).toBeNull();
});

describe('a follow-up changes what was asked before', () => {
  const several = edits.severalEdits(asked('min and max as well, and the 90th percentile'), WIND);
  const percentile = { aggregate: 'percentile', column: 'wind', parameter: 0.9 };
  const shown = edits.shownEdits(sketchOf(listing({ columns: ['date', 'wind'] })), ['wind', 'weather']);
  const inOrder = { measures: [AVG_WIND], dimensions: [MONTH], order: [{ dimension: 0, direction: 'asc' }] };
  const counted = { kind: 'aggregate', measures: [COUNT], filters: [RAIN] };
  const median = { aggregate: 'median', column: 'wind' };
  const values = { measures: [], dimensions: [LOCATION], filters: [RAIN] };
  const rowsShown = { columns: ['date'], filters: [RAIN] };

  it.each<[string, Edits, string, object]>([
    ['to the values of a column', edits.groupEdits(RAINY, groups(LOCATION)), 'values', values],
    ['to another group, in its order', edits.groupEdits(WIND, groups(MONTH)), 'groups', inOrder],
    ['to a group more', edits.groupEdits(WIND, groups(MONTH)), 'addgroup', { dimensions: [LOCATION, MONTH] }],
    ['with the same conditions', edits.groupEdits(WIND_IN_RAIN, groups(MONTH)), 'groups', { filters: [RAIN] }],
    ['to another of two groups', edits.groupEdits(BY_TWO, groups(KIND)), 'swapgroup', { dimensions: [KIND, MONTH] }],
    ['to another figure', figured(WIND, RAINFALL), 'figures', { measures: [RAINFALL], dimensions: [LOCATION] }],
    ['to a figure more', figured(WIND, RAINFALL), 'addfigure', { measures: [AVG_WIND, RAINFALL] }],
    ['to several figures', several, 'several', { measures: [{ aggregate: 'max' }, { aggregate: 'min' }] }],
    ['to a percentile', several, 'percentile', { measures: [percentile] }],
    [
      'to another figure of its column',
      edits.aggregateEdits(asked('median instead'), WIND),
      ...(['aggregate:median', { measures: [median] }] as const),
    ],
    [
      'to both',
      edits.aggregateEdits(asked('and the maximum?'), WIND),
      ...(['addaggregate:max', { measures: [AVG_WIND, { aggregate: 'max' }] }] as const),
    ],
    ['to its rows', edits.plainEdits(asked('show those rows'), RAINY), 'rows', { kind: 'rows', filters: [RAIN] }],
    ['to their number', edits.plainEdits(asked('how many are that?'), RAINY_ROWS), 'count', counted],
    ['to all groups together', edits.plainEdits(asked('and overall?'), WIND), 'total', { dimensions: [] }],
    ['to shares', edits.plainEdits(asked('as a percentage'), WIND), 'share', { computed: [{ kind: 'share', of: 0 }] }],
    ['to other columns', shown, 'shown', { columns: ['wind', 'weather'] }],
    ['to more columns', shown, 'addshown', { columns: ['date', 'wind', 'weather'] }],
    ['to columns of what was counted', edits.shownEdits(RAINY, ['date']), 'rowsshown', rowsShown],
    [
      'to the first of percentages',
      edits.rankEdits(asked('top 3'), PERCENT),
      'rank:desc:many',
      { rank: { figure: 2 } },
    ],
  ])('%s', (_, all, name, expected) => {
    expect(named(all, name)).toMatchObject(expected);
  });

  it('to the first of its groups, to the other order of its list, and to numbers of rows that were listed', () => {
    const sketches = (all: Edits): readonly Sketch[] => all.map(({ sketch }) => sketch);
    const top = { rank: { direction: 'desc', limit: 3 } };
    expect(sketches(edits.rankEdits(asked('only the top 3'), WIND))).toContainEqual(expect.objectContaining(top));
    const turned = { order: [{ by: 'wind', direction: 'asc' }] };
    const other = edits.rankEdits(asked('sort the other way'), sketchOf(WINDIEST));
    expect(sketches(other)).toContainEqual(expect.objectContaining(turned));
    const [first] = edits.groupEdits(RAINY_ROWS, groups(MONTH));
    expect(first?.sketch).toMatchObject({ measures: [COUNT], filters: [RAIN], dimensions: [MONTH] });
  });

  it.each<[string, Edits]>([
    ['is grouped so already', edits.groupEdits(WIND, groups(LOCATION))],
    ['is a number of rows', edits.aggregateEdits(asked('median instead'), COUNT_BY_PLACE)],
    ['is a median already', edits.aggregateEdits(asked('median please'), MEDIAN)],
    ['is one figure', edits.rankEdits(asked('top 3'), WIND_IN_RAIN)],
    ['nobody says to rank', edits.rankEdits(asked('and for Seattle?'), WIND)],
  ])('to nothing new where it %s', (_, all) => {
    expect(all).toEqual([]);
  });

  it('by no figure that no word asks for or that is there already, and by no year as a number of groups', () => {
    const lists = [figured(WIND, RAINFALL), figured(WIND, RAINFALL, false), figured(WIND, AVG_WIND)];
    const added = lists.map((all) => all.some(({ name }) => name === 'addfigure'));
    expect(added).toEqual([true, false, false]);
    expect(JSON.stringify(edits.rankEdits(asked('top in 2014'), WIND))).not.toContain('2014');
  });
});

describe('every change can be run', () => {
  const twoFigures = { measures: [of('avg', 'wind'), of('max', 'wind')], dimensions: [by('location')] };
  const having = [{ measure: 1, operator: '>', value: 10 }] as const;
  const temperatures = [of('avg', 'temp_max'), of('avg', 'temp_min')];
  const computed = [{ kind: 'difference', left: 0, right: 1, label: 'd' }] as const;

  it.each<[string, AnalysisPlan]>([
    [
      'of the second of two figures ranked',
      figures({ ...twoFigures, order: [{ by: 'max wind', direction: 'desc' }], limit: 1 }),
    ],
    ['of groups with a condition on the second figure', figures({ ...twoFigures, having })],
    [
      'of figures worked out of figures',
      figures({
        ...{ measures: temperatures, dimensions: [BY_MONTH], computed },
        ...{ order: [{ by: 'd', direction: 'desc' }], limit: 3 },
      }),
    ],
    ['of a list', WINDIEST],
  ])('%s', (_, plan) => {
    const before = sketchOf(plan);
    const question = asked('top 3 median share as growth, sorted');
    const all = [
      ...edits.groupEdits(before, groups(KIND)),
      ...figured(before, RAINFALL),
      ...edits.aggregateEdits(question, before),
      ...edits.rankEdits(question, before),
      ...edits.plainEdits(question, before),
      ...edits.shownEdits(before, ['weather']),
    ];
    for (const { name, sketch } of all) expect(strayIn(planOf(sketch, factsOf(WEATHER.table))), name).toEqual([]);
  });
});

/** What a plan speaks of by place or by label and does not have. */
function strayIn(plan: AnalysisPlan): readonly unknown[] {
  if (plan.kind !== 'aggregate') return [];
  const { measures, dimensions, computed = [], order, having } = plan;
  const labels = [...dimensions, ...measures, ...computed].map(({ label }) => label);
  const places = computed.flatMap((one) => ('of' in one ? [one.of] : [one.left, one.right]));
  return [
    ...order.filter((one) => !labels.includes(one.by)),
    ...having.filter(({ measure }) => measure >= labels.length - dimensions.length),
    ...places.filter((place) => place >= measures.length),
  ];
}
