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
import { link } from './mentions.js';
import { planOf } from './plan-of.js';
import { Question } from './question.js';
import { sketchOf } from './reader.js';
import { factsOf } from './table.js';
import { WEIGHT_COUNT } from './weights.js';

const FACTS = factsOf(WEATHER.table);
const NO_WEIGHTS = new Float32Array(WEIGHT_COUNT);

function asked(message: string): Question {
  return new Question(link(message, FACTS, WEATHER.now.getTime(), NO_WEIGHTS), FACTS, NO_WEIGHTS);
}

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

describe('groups after a list of numbers', () => {
  const filters = [{ kind: 'in', column: 'location', values: ['Seattle', 'New York'], negated: false }] as const;

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

describe('a new period', () => {
  const until = { kind: 'time', column: 'due', from: null, to: '2024-06-13T00:00:00Z' } as const;
  const [may, june] = (['2024-05-01', '2024-06-01'] as const).map(
    (from) => ({ kind: 'time', column: 'date', from, to: null }) as const,
  );

  it('takes the place of the one before, and leaves what is overdue', () => {
    expect(withFilters([until, may!], [june!])).toEqual([until, june]);
    expect(withFilters([may!], [until])).toEqual([may, until]);
  });
});

const WIND_BY_LOCATION = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location')] }));

describe('the values of a column, asked for after a condition', () => {
  it('are those of the rows that fit it, without figures', () => {
    const before = sketchOf(figures({ measures: [rowCount()], filters: [is('weather', 'rain')] }));
    expect(named(groupEdits(before, groups(LOCATION)), 'values')).toMatchObject({
      measures: [],
      dimensions: [LOCATION],
      filters: [is('weather', 'rain')],
    });
  });
});

describe('values that are added to those of before', () => {
  it('stand beside them, and each gets its own figure', () => {
    const inSeattle: Sketch = {
      ...(WIND_BY_LOCATION as AggregateDraft),
      dimensions: [],
      filters: [is('location', 'Seattle')],
    };
    expect(widened(inSeattle, [is('location', 'New York')])).toMatchObject({
      dimensions: [LOCATION],
      filters: [{ kind: 'in', column: 'location', values: ['Seattle', 'New York'] }],
    });
  });

  it('have to be of a column that was spoken of', () => {
    expect(widened(WIND_BY_LOCATION, [is('weather', 'rain')])).toBeNull();
    expect(widened(WIND_BY_LOCATION, [])).toBeNull();
  });
});

describe('a share of what was asked before', () => {
  const rainy: Sketch = sketchOf(figures({ measures: [rowCount()], filters: [is('weather', 'rain')] }));

  it('is what fits the conditions, of everything', () => {
    expect(named(portionEdits(asked('in percent of all days'), rainy), 'portion:all')).toMatchObject({
      measures: [{ filters: [is('weather', 'rain')] }, { column: null }],
      filters: [],
      computed: [{ kind: 'percent', left: 0, right: 1 }],
    });
    expect(portionEdits(asked('and in May?'), rainy)).toEqual([]);
  });

  it('may be of another part of the same whole', () => {
    const share = named(portionEdits(asked('in percent'), rainy), 'portion:all')!;
    expect(ofOtherPart(share, [is('weather', 'sun')])).toMatchObject({
      measures: [{ filters: [is('weather', 'sun')] }, {}],
    });
    expect(ofOtherPart(share, [is('location', 'Seattle')])).toBeNull();
  });
});

describe('several figures of the column before', () => {
  it('are those that are said', () => {
    const edits = severalEdits(asked('min and max as well, and the 90th percentile'), WIND_BY_LOCATION);
    expect(named(edits, 'several')).toMatchObject({ measures: [{ aggregate: 'max' }, { aggregate: 'min' }] });
    expect(named(edits, 'percentile')).toMatchObject({
      measures: [{ aggregate: 'percentile', column: 'wind', parameter: 0.9 }],
    });
  });
});

describe('the conditions of a follow-up', () => {
  const seattle = is('location', 'Seattle');
  const rain = is('weather', 'rain');

  it('stand beside those of before where they speak of other columns', () => {
    expect(withFilters([seattle], [rain])).toEqual([seattle, rain]);
  });

  it('hold in place of those of before about the same column', () => {
    expect(withFilters([seattle, rain], [is('location', 'New York')])).toEqual([rain, is('location', 'New York')]);
  });

  it('hold in place of alternatives that name their column', () => {
    const either: Filter = { kind: 'any', of: [[seattle], [rain]] };
    expect(withFilters([either], [is('weather', 'fog')])).toEqual([is('weather', 'fog')]);
  });

  it('change nothing where there are none', () => {
    expect(withFilters([seattle], [])).toEqual([seattle]);
  });
});

describe('“and by month?”', () => {
  it('puts the new group in place of the old or beside it', () => {
    const edits = groupEdits(WIND_BY_LOCATION, groups(MONTH));
    expect(named(edits, 'groups')).toMatchObject({ measures: [AVG_WIND], dimensions: [MONTH] });
    expect(named(edits, 'addgroup')).toMatchObject({ dimensions: [LOCATION, MONTH] });
  });

  it('lists months in their order', () => {
    const [edit] = groupEdits(WIND_BY_LOCATION, groups(MONTH));
    expect(edit?.sketch).toMatchObject({ order: [{ dimension: 0, direction: 'asc' }] });
  });

  it('keeps the conditions', () => {
    const before = sketchOf(figures({ measures: [of('avg', 'wind')], filters: [is('weather', 'rain')] }));
    expect(groupEdits(before, groups(MONTH))[0]?.sketch.filters).toEqual([is('weather', 'rain')]);
  });

  it('counts rows that were listed', () => {
    const before = sketchOf(listing({ columns: ['wind'], filters: [is('weather', 'rain')] }));
    expect(groupEdits(before, groups(MONTH))[0]?.sketch).toMatchObject({
      measures: [{ aggregate: 'count', column: null }],
      filters: [is('weather', 'rain')],
      dimensions: [MONTH],
    });
  });

  it('swaps one of two groups', () => {
    const before = sketchOf(figures({ measures: [of('avg', 'wind')], dimensions: [by('location'), BY_MONTH] }));
    expect(named(groupEdits(before, groups(KIND)), 'swapgroup')).toMatchObject({ dimensions: [KIND, MONTH] });
  });

  it('asks nothing new where it is grouped so already', () => {
    expect(groupEdits(WIND_BY_LOCATION, groups(LOCATION))).toEqual([]);
  });
});

describe('“and the rain?”', () => {
  const rain: MeasureDraft = { aggregate: 'sum', column: 'precipitation' };

  it('puts the new figure in place of the old or beside it', () => {
    const edits = figureEdits(WIND_BY_LOCATION, figureList(rain), true);
    expect(named(edits, 'figures')).toMatchObject({ measures: [rain], dimensions: [LOCATION] });
    expect(named(edits, 'addfigure')).toMatchObject({ measures: [AVG_WIND, rain], dimensions: [LOCATION] });
  });

  it('adds nothing that no word asks for, or that is there already', () => {
    const added = (measure: MeasureDraft, isSaid: boolean): boolean =>
      figureEdits(WIND_BY_LOCATION, figureList(measure), isSaid).some(({ name }) => name === 'addfigure');
    expect([added(rain, true), added(rain, false), added(AVG_WIND, true)]).toEqual([true, false, false]);
  });

  it('does not keep a rank by a figure that is gone', () => {
    const before = sketchOf(
      figures({
        measures: [of('avg', 'wind'), of('max', 'wind')],
        dimensions: [by('location')],
        order: [{ by: 'max wind', direction: 'desc' }],
        limit: 1,
      }),
    );
    expectRunnable(figureEdits(before, figureList(rain), true));
  });
});

describe('“median instead”', () => {
  it('works the same column out otherwise', () => {
    const edits = aggregateEdits(asked('median instead'), WIND_BY_LOCATION);
    expect(named(edits, 'aggregate:median')).toMatchObject({ measures: [{ aggregate: 'median', column: 'wind' }] });
  });

  it('or shows both', () => {
    const edits = aggregateEdits(asked('and the maximum?'), WIND_BY_LOCATION);
    expect(named(edits, 'addaggregate:max')).toMatchObject({ measures: [AVG_WIND, { aggregate: 'max' }] });
  });

  it('leaves a number of rows what it is', () => {
    const before = sketchOf(figures({ measures: [rowCount()], dimensions: [by('location')] }));
    expect(aggregateEdits(asked('median instead'), before)).toEqual([]);
  });

  it('asks nothing new of what is a median already', () => {
    const before = sketchOf(figures({ measures: [of('median', 'wind')] }));
    expect(aggregateEdits(asked('median please'), before)).toEqual([]);
  });
});

describe('“only the top 3”', () => {
  it('keeps the first three of the groups', () => {
    const edits = rankEdits(asked('only the top 3'), WIND_BY_LOCATION);
    expect(edits.map(({ sketch }) => sketch)).toContainEqual(
      expect.objectContaining({ rank: { direction: 'desc', limit: 3 } }),
    );
  });

  it('takes a year for no number of groups', () => {
    const edits = rankEdits(asked('top in 2014'), WIND_BY_LOCATION);
    expect(JSON.stringify(edits)).not.toContain('2014');
  });

  it('turns the order of a list', () => {
    const before = sketchOf(listing({ columns: ['wind'], order: [{ by: 'wind', direction: 'desc' }], limit: 5 }));
    const sketches = rankEdits(asked('sort the other way'), before).map(({ sketch }) => sketch);
    expect(sketches).toContainEqual(expect.objectContaining({ order: [{ by: 'wind', direction: 'asc' }] }));
  });

  it('asks nothing of one figure', () => {
    expect(rankEdits(asked('top 3'), sketchOf(figures({ measures: [of('avg', 'wind')] })))).toEqual([]);
  });

  it('is not heard where nobody says it', () => {
    expect(rankEdits(asked('and for Seattle?'), WIND_BY_LOCATION)).toEqual([]);
  });
});

describe('“show me those rows”', () => {
  it('lists the rows behind a figure', () => {
    const before = sketchOf(figures({ measures: [rowCount()], filters: [is('weather', 'rain')] }));
    expect(named(plainEdits(asked('show me those rows'), before), 'rows')).toMatchObject({
      kind: 'rows',
      filters: [is('weather', 'rain')],
    });
  });

  it('counts rows that were listed', () => {
    const before = sketchOf(listing({ filters: [is('weather', 'rain')] }));
    expect(named(plainEdits(asked('how many are that?'), before), 'count')).toMatchObject({
      kind: 'aggregate',
      measures: [{ aggregate: 'count', column: null }],
      filters: [is('weather', 'rain')],
    });
  });

  it('sums groups up', () => {
    expect(named(plainEdits(asked('and overall?'), WIND_BY_LOCATION), 'total')).toMatchObject({ dimensions: [] });
  });

  it('works shares out of groups', () => {
    const edits = plainEdits(asked('as a percentage'), WIND_BY_LOCATION);
    expect(named(edits, 'share')).toMatchObject({ computed: [{ kind: 'share', of: 0 }] });
  });

  it('shows other columns, or more', () => {
    const before = sketchOf(listing({ columns: ['date', 'wind'] }));
    const edits = shownEdits(before, ['wind', 'weather']);
    expect(named(edits, 'shown')).toMatchObject({ columns: ['wind', 'weather'] });
    expect(named(edits, 'addshown')).toMatchObject({ columns: ['date', 'wind', 'weather'] });
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
  ['a list', listing({ columns: ['date', 'wind'], order: [{ by: 'wind', direction: 'desc' }], limit: 5 })],
];

describe('every change of', () => {
  it.each(BEFORE)('%s can be run', (_, plan) => {
    const before = sketchOf(plan);
    const question = asked('top 3 median share as growth, sorted');
    expectRunnable([
      ...groupEdits(before, groups(KIND)),
      ...figureEdits(before, figureList({ aggregate: 'sum', column: 'precipitation' }), true),
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
