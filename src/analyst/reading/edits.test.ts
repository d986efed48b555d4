import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../../ports/analysis-plan.js';
import { BY_MONTH, by, figures, is, listing, of, rowCount } from '../plans.fixture.js';
import { WEATHER } from '../profiles.fixture.js';
import type { AggregateDraft, DimensionDraft, MeasureDraft, Sketch } from './draft.js';
import {
  aggregateEdits,
  type Edit,
  figureEdits,
  groupEdits,
  ofOtherPart,
  plainEdits,
  portionEdits,
  rankEdits,
  severalEdits,
  shownEdits,
  shownGroupEdits,
  widened,
  withFilters,
} from './edits.js';
import { planOf } from './plan-of.js';
import type { Question } from './question.js';
import { questionIn } from './question.fixture.js';
import { sketchOf } from './reader.js';
import { factsOf } from './table.js';

const FACTS = factsOf(WEATHER.table);
const asked = (message: string): Question => questionIn(message, WEATHER);

function named(edits: readonly Edit[], name: string): Sketch | undefined {
  return edits.find((edit) => edit.name === name)?.sketch;
}

function groups(...dimensions: readonly DimensionDraft[]): Parameters<typeof groupEdits>[1] {
  return { ...NOTHING, dimensions } as unknown as Parameters<typeof groupEdits>[1];
}

function figureList(...measures: readonly MeasureDraft[]): Parameters<typeof figureEdits>[1] {
  return { ...NOTHING, measures, derived: [] } as unknown as Parameters<typeof figureEdits>[1];
}

const NOTHING = { features: [], uses: [], score: 0 };
const LOCATION: DimensionDraft = { kind: 'column', column: 'location' };
const KIND: DimensionDraft = { kind: 'column', column: 'weather' };
const MONTH: DimensionDraft = { kind: 'bucket', column: 'date', bucket: 'month' };
const AVG_WIND: MeasureDraft = { aggregate: 'avg', column: 'wind' };

const WIND = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] }));
const [SEATTLE, RAIN] = [is('location', 'Seattle'), is('weather', 'rain')];
const RAINY = sketchOf(figures({ measures: [rowCount()], filters: [RAIN] }));
const PERCENT: AggregateDraft = {
  ...(WIND as AggregateDraft),
  measures: [
    { aggregate: 'count', column: null, filters: [RAIN] },
    { aggregate: 'count', column: null },
  ],
  computed: [{ kind: 'percent', left: 0, right: 1 }],
};
const RAINY_ROWS = sketchOf(listing({ columns: ['wind'], filters: [RAIN] }));
const WINDIEST = listing({ columns: ['wind'], order: [{ by: 'wind', direction: 'desc' }], limit: 5 });
const ADDED: MeasureDraft = { aggregate: 'sum', column: 'precipitation' };
const COUNTED = [{ aggregate: 'count', column: null }];

describe('groups after a list of numbers', () => {
  const filters = [is('location', 'Seattle', 'New York')];

  it('are those of their average and their sum, with the values apart that were asked for', () => {
    const before = sketchOf(listing({ columns: ['date', 'wind'], filters }));
    const edit = named(shownGroupEdits(asked('per month'), before, groups(MONTH)), 'shown:avg');
    expect(edit).toMatchObject({ measures: [AVG_WIND], dimensions: [MONTH, LOCATION], filters });
  });

  it('are none of a list without numbers', () => {
    const before = sketchOf(listing({ columns: ['date', 'location'], filters }));
    expect(shownGroupEdits(asked('per month'), before, groups(MONTH))).toEqual([]);
  });
});

describe('the conditions of a follow-up', () => {
  const until = { kind: 'time', column: 'due', from: null, to: '2024-06-13T00:00:00Z' } as const;
  const since = (from: string): Filter => ({ kind: 'time', column: 'date', from, to: null });
  const [may, june, york, fog] = [
    since('2024-05-01'),
    since('2024-06-01'),
    is('location', 'New York'),
    is('weather', 'fog'),
  ];

  it.each<[string, Filter[], Filter[], Filter[]]>([
    ['take the place of the period before, and leave what is overdue', [until, may], [june], [until, june]],
    ['stand beside the period where they tell what is overdue', [may], [until], [may, until]],
    ['stand beside those of before where they speak of other columns', [SEATTLE], [RAIN], [SEATTLE, RAIN]],
    ['hold in place of those of before about the same column', [SEATTLE, RAIN], [york], [RAIN, york]],
    ['hold in place of alternatives that name their column', [{ kind: 'any', of: [[SEATTLE], [RAIN]] }], [fog], [fog]],
    ['change nothing where there are none', [SEATTLE], [], [SEATTLE]],
  ])('%s', (_, before, said, kept) => {
    expect(withFilters(before, said)).toEqual(kept);
  });
});

describe('values that are added to those of before', () => {
  it('stand beside them, each with its own figure, if they are of a column that was spoken of', () => {
    const inSeattle: Sketch = { ...(WIND as AggregateDraft), dimensions: [], filters: [SEATTLE] };
    expect(widened(inSeattle, [is('location', 'New York')])).toMatchObject({
      dimensions: [LOCATION],
      filters: [is('location', 'Seattle', 'New York')],
    });
    expect(widened(WIND, [RAIN])).toBeNull();
    expect(widened(WIND, [])).toBeNull();
  });
});

describe('a share of what was asked before', () => {
  it('is what fits the conditions, of everything, and may be of another part of the same whole', () => {
    const share = named(portionEdits(asked('in percent of all days'), RAINY), 'portion:all')!;
    expect(share).toMatchObject({
      measures: [{ filters: [RAIN] }, { column: null }],
      filters: [],
      computed: [{ kind: 'percent', left: 0, right: 1 }],
    });
    expect(portionEdits(asked('and in May?'), RAINY)).toEqual([]);
    const sunny = { measures: [{ filters: [is('weather', 'sun')] }, {}] };
    expect(ofOtherPart(share, [is('weather', 'sun')])).toMatchObject(sunny);
    expect(ofOtherPart(share, [SEATTLE])).toBeNull();
  });
});

describe('a follow-up changes what was asked before', () => {
  const inRain = sketchOf(figures({ measures: [of('avg', 'wind')], filters: [RAIN] }));
  const byTwo = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location'), BY_MONTH] }));
  const several = severalEdits(asked('min and max as well, and the 90th percentile'), WIND);
  const shown = shownEdits(sketchOf(listing({ columns: ['date', 'wind'] })), ['wind', 'weather']);
  const ninth = { aggregate: 'percentile', column: 'wind', parameter: 0.9 };

  it.each<[string, readonly Edit[], string, object]>([
    [
      'to the values of a column that fit the condition',
      groupEdits(RAINY, groups(LOCATION)),
      'values',
      { measures: [], dimensions: [LOCATION], filters: [RAIN] },
    ],
    [
      'to another group, whose months are in their order',
      groupEdits(WIND, groups(MONTH)),
      'groups',
      { measures: [AVG_WIND], dimensions: [MONTH], order: [{ dimension: 0, direction: 'asc' }] },
    ],
    ['to a group more', groupEdits(WIND, groups(MONTH)), 'addgroup', { dimensions: [LOCATION, MONTH] }],
    ['to groups with the same conditions', groupEdits(inRain, groups(MONTH)), 'groups', { filters: [RAIN] }],
    ['to another of two groups', groupEdits(byTwo, groups(KIND)), 'swapgroup', { dimensions: [KIND, MONTH] }],
    [
      'to another figure',
      figureEdits(WIND, figureList(ADDED), true),
      'figures',
      { measures: [ADDED], dimensions: [LOCATION] },
    ],
    [
      'to a figure more',
      figureEdits(WIND, figureList(ADDED), true),
      'addfigure',
      { measures: [AVG_WIND, ADDED], dimensions: [LOCATION] },
    ],
    ['to several figures', several, 'several', { measures: [{ aggregate: 'max' }, { aggregate: 'min' }] }],
    ['to a percentile', several, 'percentile', { measures: [ninth] }],
    [
      'to another figure of its column',
      aggregateEdits(asked('median instead'), WIND),
      'aggregate:median',
      { measures: [{ aggregate: 'median', column: 'wind' }] },
    ],
    [
      'to both',
      aggregateEdits(asked('and the maximum?'), WIND),
      'addaggregate:max',
      { measures: [AVG_WIND, { aggregate: 'max' }] },
    ],
    ['to its rows', plainEdits(asked('show me those rows'), RAINY), 'rows', { kind: 'rows', filters: [RAIN] }],
    [
      'to the number of its rows',
      plainEdits(asked('how many are that?'), RAINY_ROWS),
      'count',
      { kind: 'aggregate', measures: COUNTED, filters: [RAIN] },
    ],
    ['to all groups together', plainEdits(asked('and overall?'), WIND), 'total', { dimensions: [] }],
    ['to shares', plainEdits(asked('as a percentage'), WIND), 'share', { computed: [{ kind: 'share', of: 0 }] }],
    ['to other columns', shown, 'shown', { columns: ['wind', 'weather'] }],
    [
      'to columns of what was counted',
      shownEdits(RAINY, ['date']),
      'rowsshown',
      { columns: ['date'], filters: [RAIN] },
    ],
    ['to the first of percentages', rankEdits(asked('top 3'), PERCENT), 'rank:desc:many', { rank: { figure: 2 } }],
    ['to more columns', shown, 'addshown', { columns: ['date', 'wind', 'weather'] }],
  ])('%s', (_, edits, name, expected) => {
    expect(named(edits, name)).toMatchObject(expected);
  });

  it('to the first of its groups, to the other order of its list, and to numbers of rows that were listed', () => {
    const [first, other] = [
      rankEdits(asked('only the top 3'), WIND),
      rankEdits(asked('sort the other way'), sketchOf(WINDIEST)),
    ];
    const sketches = (edits: readonly Edit[]): readonly Sketch[] => edits.map(({ sketch }) => sketch);
    const [top, turned] = [{ rank: { direction: 'desc', limit: 3 } }, { order: [{ by: 'wind', direction: 'asc' }] }];
    expect(sketches(first)).toContainEqual(expect.objectContaining(top));
    expect(sketches(other)).toContainEqual(expect.objectContaining(turned));
    const counted = { measures: COUNTED, filters: [RAIN], dimensions: [MONTH] };
    expect(groupEdits(RAINY_ROWS, groups(MONTH))[0]?.sketch).toMatchObject(counted);
  });

  const byPlace = sketchOf(figures({ measures: [rowCount()], dimensions: [by('location')] }));
  it.each<[string, readonly Edit[]]>([
    ['is grouped so already', groupEdits(WIND, groups(LOCATION))],
    ['is a number of rows', aggregateEdits(asked('median instead'), byPlace)],
    [
      'is a median already',
      aggregateEdits(asked('median please'), sketchOf(figures({ measures: [of('median', 'wind')] }))),
    ],
    ['is one figure', rankEdits(asked('top 3'), inRain)],
    ['nobody says to rank', rankEdits(asked('and for Seattle?'), WIND)],
  ])('to nothing new where it %s', (_, edits) => {
    expect(edits).toEqual([]);
  });

  it('by no figure that no word asks for or that is there already, and by no year as a number of groups', () => {
    const added = (measure: MeasureDraft, isSaid: boolean): boolean =>
      figureEdits(WIND, figureList(measure), isSaid).some(({ name }) => name === 'addfigure');
    expect([added(ADDED, true), added(ADDED, false), added(AVG_WIND, true)]).toEqual([true, false, false]);
    expect(JSON.stringify(rankEdits(asked('top in 2014'), WIND))).not.toContain('2014');
  });
});

const BEFORE: readonly (readonly [string, AnalysisPlan])[] = [
  ['groups', figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] })],
  [
    'the second of two figures ranked',
    figures({
      measures: [of('avg', 'wind'), of('max', 'wind')],
      dimensions: [by('location')],
      order: [{ by: 'max wind', direction: 'desc' }],
      limit: 1,
    }),
  ],
  [
    'groups with a condition on the second figure',
    figures({
      measures: [of('avg', 'wind'), rowCount()],
      dimensions: [by('location'), BY_MONTH],
      having: [{ measure: 1, operator: '>', value: 10 }],
    }),
  ],
  [
    'figures worked out of figures',
    figures({
      measures: [of('avg', 'temp_max'), of('avg', 'temp_min')],
      dimensions: [BY_MONTH],
      computed: [{ kind: 'difference', left: 0, right: 1, label: 'difference' }],
      order: [{ by: 'difference', direction: 'desc' }],
      limit: 3,
    }),
  ],
  ['a list', WINDIEST],
];

describe('every change of', () => {
  it.each(BEFORE)('%s can be run', (_, plan) => {
    const before = sketchOf(plan);
    const question = asked('top 3 median share as growth, sorted');
    expectRunnable([
      ...groupEdits(before, groups(KIND)),
      ...figureEdits(before, figureList(ADDED), true),
      ...aggregateEdits(question, before),
      ...rankEdits(question, before),
      ...plainEdits(question, before),
      ...shownEdits(before, ['weather']),
    ]);
  });
});

/** What a plan speaks of by place or by label is in the plan. */
function expectRunnable(edits: readonly Edit[]): void {
  for (const { name, sketch } of edits) {
    const plan = planOf(sketch, FACTS);
    if (plan.kind !== 'aggregate') continue;
    const { measures, dimensions, computed = [], order, having } = plan;
    const labels = [...dimensions, ...measures, ...computed].map(({ label }) => label);
    for (const { by: label } of order) expect(labels, `the order of “${name}”`).toContain(label);
    for (const one of having)
      expect(one.measure, `the condition of “${name}”`).toBeLessThan(labels.length - dimensions.length);
    for (const one of computed) {
      const places = 'of' in one ? [one.of] : [one.left, one.right];
      for (const place of places) expect(place, `what is computed by “${name}”`).toBeLessThan(measures.length);
    }
  }
}
