import { describe, expect, it } from 'vitest';
import { planFrom } from '../../src/answering/given-plan.js';
import {
  drawnOf,
  figuresPlan,
  grainFor,
  grainsFor,
  groupsPlan,
  measuresOf,
  nextStep,
  pointsOf,
  type Wanted,
} from '../../web/src/pages/datasources/detail/explore/figures.js';

const DAY = 86_400_000;
const COLUMNS = [
  { column: 'rain', role: 'sum' },
  { column: 'wind', role: 'average' },
];

function wanted(parts: Partial<Wanted> = {}): Wanted {
  const measures = measuresOf(COLUMNS, undefined);
  return { measures, time: { column: 'at', grain: 'day' }, split: null, filters: [], ...parts };
}

describe('figures that are explored', () => {
  it('go by the role of their column unless one is chosen', () => {
    expect(measuresOf(COLUMNS, undefined).map(({ label }) => label)).toEqual(['total rain', 'average wind']);
    expect(measuresOf(COLUMNS, 'max').map(({ label }) => label)).toEqual(['highest rain', 'highest wind']);
    expect(measuresOf(COLUMNS, 'count')).toEqual([{ aggregate: 'count', column: null, label: 'number of rows' }]);
  });

  it('come in steps that can be told apart, and no more than can be asked for', () => {
    expect(grainFor(2 * 3_600_000, 'line')).toBe('minute');
    expect(grainFor(365 * DAY, 'line')).toBe('day');
    expect(grainFor(365 * DAY, 'bar')).toBe('week');
    expect(grainFor(100 * 365 * DAY, 'bar')).toBe('year');
    expect(grainsFor(365 * DAY, 10)).toEqual(['day', 'week', 'month', 'quarter', 'year']);
  });

  it.each([
    wanted(),
    wanted({ split: 'day' }),
    wanted({ split: 'total rain' }),
    wanted({ time: null, split: 'place' }),
  ])('are plans that the service takes', (one) => {
    expect(planFrom(figuresPlan(one)).kind).toBe('aggregate');
    expect(planFrom(groupsPlan({ ...one, split: one.split ?? 'place' })).kind).toBe('aggregate');
  });

  it('have gaps where there are no rows', () => {
    const columns = ['day', 'total rain', 'average wind'].map((name) => ({ name }));
    const rows = [
      ['2024-01-01T00:00:00.000Z', 1, 2],
      ['2024-01-03T00:00:00.000Z', 3, null],
    ];
    const [rain, wind] = drawnOf({ columns, rows }, wanted(), '');
    const start = Date.UTC(2024, 0, 1) / 1000;
    expect(rain).toEqual({
      at: [0, 1, 2].map((day) => start + day * 86_400),
      series: [{ name: '', values: [1, null, 3] }],
    });
    expect(wind?.series[0]?.values).toEqual([2, null, null]);
  });

  it('are series by group, and points of two figures', () => {
    const columns = ['month', 'place', 'total rain', 'average wind'].map((name) => ({ name }));
    const rows = [
      ['2024-01-01T00:00:00.000Z', 'B', 5, 2],
      ['2024-01-01T00:00:00.000Z', 'A', 1, 4],
      ['2024-02-01T00:00:00.000Z', 'A', 3, 1],
    ];
    const drawn = drawnOf({ columns, rows }, wanted({ split: 'place', time: { column: 'at', grain: 'month' } }), '');
    expect(drawn[0]?.series).toEqual([
      { name: 'A', values: [1, 3] },
      { name: 'B', values: [5, null] },
    ]);
    expect(pointsOf(drawn)).toEqual({
      at: [1, 3, 5],
      series: [
        { name: 'A', values: [4, 1, null] },
        { name: 'B', values: [null, null, 2] },
      ],
    });
  });

  it('are bars of groups where there is no time', () => {
    const columns = ['place', 'total rain'].map((name) => ({ name }));
    const one = wanted({ time: null, split: 'place', measures: measuresOf(COLUMNS.slice(0, 1), undefined) });
    const rows = [
      ['B', 5],
      [null, 2],
    ];
    expect(drawnOf({ columns, rows }, one, '(empty)')).toEqual([
      { at: [0, 1], series: [{ name: '', values: [5, 2] }], names: ['B', '(empty)'] },
    ]);
  });

  it('step by the calendar', () => {
    expect(new Date(nextStep(Date.UTC(2024, 0, 1), 'month')).toISOString()).toBe('2024-02-01T00:00:00.000Z');
    expect(new Date(nextStep(Date.UTC(2024, 9, 1), 'quarter')).toISOString()).toBe('2025-01-01T00:00:00.000Z');
    expect(new Date(nextStep(Date.UTC(2024, 1, 28), 'day')).toISOString()).toBe('2024-02-29T00:00:00.000Z');
  });
});
