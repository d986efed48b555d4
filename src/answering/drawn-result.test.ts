import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { ChartRequest } from '../ports/chart-renderer.js';
import { figures, statistic } from '../ports/plans.fixture.js';
import type { QueryResult } from '../ports/table.js';
import { drawableOf, drawnOf } from './drawn-result.js';

const UNTITLED = { series: null, title: '', xTitle: null, yTitle: null };
const REQUEST: ChartRequest = { ...UNTITLED, kind: 'bar', x: 'weekday', y: 's' };
const PLAN = figures({
  measures: [{ aggregate: 'count', column: null, label: 'n' }],
  dimensions: [{ kind: 'part', column: 't', part: 'weekday', label: 'weekday' }],
  computed: [{ kind: 'share', of: 0, label: 's' }],
});

function found(columns: readonly string[], rows: QueryResult['rows']): QueryResult {
  const typed = columns.map((name) => ({ name, type: 'number' as const }));
  return { columns: typed, rows, truncated: false, dbquery: '', rowsScanned: 10 };
}

describe('what is drawn of a planned result', () => {
  const result = found(
    ['weekday', 'n', 's'],
    [
      [1, 3, 0.07],
      [7, 1, null],
    ],
  );

  it('knows which columns are parts of times and which are fractions; the rows stay', () => {
    const drawn = drawnOf(PLAN, { request: REQUEST, result });
    expect(drawn.result.columns.map(({ name, part, isFraction }) => [name, part, isFraction])).toEqual([
      ['weekday', 'weekday', false],
      ['n', undefined, false],
      ['s', undefined, true],
    ]);
    expect(drawn.result.rows).toEqual(result.rows);
    expect(drawn.request).toBe(REQUEST);
    expect(drawnOf(null, { request: REQUEST, result })).toEqual({ request: REQUEST, result });
  });

  it('has correlations in both places', () => {
    const plan = statistic({ method: 'correlation_matrix', columns: ['a', 'b'] });
    const pairs = found(['first', 'second', 'correlation', 'p-value'], [['a', 'b', 0.5, 0.01]]);
    const request: ChartRequest = { ...REQUEST, kind: 'heatmap', x: 'first', series: 'second', y: 'correlation' };
    const drawn = drawnOf(plan, { request, result: pairs });
    expect(drawn.result.rows).toEqual([
      ['a', 'a', 1],
      ['a', 'b', 0.5],
      ['b', 'a', 0.5],
      ['b', 'b', 1],
    ]);
    expect(drawn.request).toMatchObject({ x: 'column', series: 'other column', y: 'correlation' });
    expect(drawnOf(plan, { request: { ...request, kind: 'bar' }, result: pairs }).result).toBe(pairs);
  });
});

describe('what has more values than can be seen', () => {
  const hourly: AnalysisPlan = {
    ...PLAN,
    measures: [{ aggregate: 'sum', column: 'energy', label: 'energy' }],
    dimensions: [{ kind: 'bucket', column: 't', bucket: 'hour', label: 'hour' }],
    computed: [],
  };
  const request = { ...REQUEST, kind: 'line', x: 'hour', y: 'energy' } as const;
  const timed = (count: number, truncated: boolean): QueryResult => ({
    ...found(
      ['hour', 'energy'],
      Array.from({ length: count }, (_, hour) => [new Date(hour * 3_600_000).toISOString(), hour]),
    ),
    columns: [
      { name: 'hour', type: 'time' },
      { name: 'energy', type: 'number' },
    ],
    truncated,
  });

  it('is asked for in coarser steps until it can be, and says so', async () => {
    const steps: unknown[] = [];
    const drawn = await drawableOf({ plan: hourly, result: timed(1000, true) }, request, (plan) => {
      steps.push(plan?.kind === 'aggregate' ? plan.dimensions[0] : null);
      return Promise.resolve(timed(steps.length === 1 ? 2500 : 30, false));
    });
    expect(steps).toEqual([
      { kind: 'bucket', column: 't', bucket: 'day', label: 'hour' },
      { kind: 'bucket', column: 't', bucket: 'week', label: 'hour' },
    ]);
    expect(drawn.result.rows.length).toBe(30);
    const note = expect.stringMatching(/^by week/) as string;
    expect(drawn.request).toMatchObject({ x: 'hour', xTitle: 'week', note });
  });

  it('has fewer bars than points of a line', async () => {
    const drawnAs = (kind: 'bar' | 'line'): ReturnType<typeof drawableOf> =>
      drawableOf({ plan: hourly, result: timed(200, false) }, { ...request, kind }, () =>
        Promise.resolve(timed(9, false)),
      );
    expect((await drawnAs('bar')).result.rows.length).toBe(9);
    expect((await drawnAs('line')).result.rows.length).toBe(200);
  });

  it('is read further where it is not about time, or figures follow from step to step', async () => {
    const growth: AnalysisPlan = { ...hourly, computed: [{ kind: 'growth', of: 0, label: 'growth' }] };
    for (const plan of [growth, null]) {
      const drawn = await drawableOf({ plan, result: timed(1000, true) }, request, (asked) => {
        expect(asked).toBe(plan);
        return Promise.resolve(timed(5000, false));
      });
      expect(drawn.result.rows.length).toBe(5000);
    }
  });
});
