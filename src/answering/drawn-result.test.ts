import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import type { ChartRequest } from '../ports/chart-renderer.js';
import { figures, result, statistic } from '../ports/plans.fixture.js';
import type { QueryResult } from '../ports/table.js';
import { drawableOf, drawnOf } from './drawn-result.js';

const UNTITLED = { series: null, title: '', xTitle: null, yTitle: null };
const REQUEST: ChartRequest = { ...UNTITLED, kind: 'bar', x: 'weekday', y: 's' };
const PLAN = figures({
  measures: [{ aggregate: 'count', column: null, label: 'n' }],
  dimensions: [{ kind: 'part', column: 't', part: 'weekday', label: 'weekday' }],
  computed: [{ kind: 'share', of: 0, label: 's' }],
});

it('what is drawn of a planned result knows which columns are parts of times and which are fractions', () => {
  const rows = [[1, 3, 0.07] as const, [7, 1, null] as const];
  const found = result({ weekday: 'number', n: 'number', s: 'number' }, rows);
  const drawn = drawnOf(PLAN, { request: REQUEST, result: found });
  expect(drawn.result.columns.map(({ name, part, isFraction }) => [name, part, isFraction])).toEqual([
    ['weekday', 'weekday', false],
    ['n', undefined, false],
    ['s', undefined, true],
  ]);
  expect(drawn.result.rows).toEqual(rows);
  expect(drawn.request).toEqual(REQUEST);
  expect(drawnOf(null, { request: REQUEST, result: found })).toEqual({ request: REQUEST, result: found });
});

it('what is drawn of counts in steps of time knows the steps, unless groups are left out', () => {
  const plan = figures({
    measures: [{ aggregate: 'count', column: null, label: 'n' }],
    dimensions: [{ kind: 'bucket', column: 't', bucket: 'week', label: 'week' }],
  });
  const drawn = { request: { ...REQUEST, x: 'week', y: 'n' }, result: result({ week: 'time', n: 'integer' }, []) };
  expect(drawnOf(plan, drawn).request).toMatchObject({ adds: true, countsBy: 'week' });
  expect(drawnOf({ ...plan, limit: 3 }, drawn).request.countsBy).toBeUndefined();
});

it('what is drawn of counts of intervals has those between that are empty', () => {
  const edges = [10, 20, 30, 40];
  const of = { kind: 'column', column: 'price' } as const;
  const plan = figures({
    measures: [{ aggregate: 'count', column: null, label: 'n' }],
    dimensions: [{ kind: 'column', column: 'range', label: 'interval' }],
    derived: [{ name: 'range', expression: { kind: 'bins', of, edges, labels: null, closed: 'left' } }],
  });
  const rows = [['below 10', 7] as const, ['30 to 40', 1] as const, [null, 2] as const];
  const request = { ...REQUEST, x: 'interval', y: 'n' };
  const drawn = (order: typeof plan.order): QueryResult =>
    drawnOf({ ...plan, order }, { request, result: result({ interval: 'text', n: 'integer' }, rows) }).result;
  expect(drawn([]).rows).toEqual([
    ['below 10', 7],
    ['10 to 20', 0],
    ['20 to 30', 0],
    ['30 to 40', 1],
    [null, 2],
  ]);
  expect(drawn([{ by: 'n', direction: 'desc' }]).rows).toEqual(rows);
});

it('what is drawn of correlations has them in both places', () => {
  const plan = statistic({ method: 'correlation_matrix', columns: ['a', 'b'] });
  const pairs = result({ first: 'text', second: 'text', correlation: 'number' }, [['a', 'b', 0.5]]);
  const request: ChartRequest = { ...REQUEST, kind: 'heatmap', x: 'first', series: 'second', y: 'correlation' };
  const drawn = drawnOf(plan, { request, result: pairs });
  const cells = drawn.result.rows.map((row) => row.join(' '));
  expect(cells).toEqual(['a a 1', 'a b 0.5', 'b a 0.5', 'b b 1']);
  expect(drawn.request).toMatchObject({ x: 'column', series: 'other column', y: 'correlation' });
  expect(drawnOf(plan, { request: { ...request, kind: 'bar' }, result: pairs }).result).toBe(pairs);
});

describe('what has more values than can be seen', () => {
  const hourly: AnalysisPlan = {
    ...{ ...PLAN, computed: [], measures: [{ aggregate: 'sum', column: 'energy', label: 'energy' }] },
    dimensions: [{ kind: 'bucket', column: 't', bucket: 'hour', label: 'hour' }],
  };
  const line: ChartRequest = { ...REQUEST, kind: 'line', x: 'hour', y: 'energy' };
  const timed = (count: number, truncated = false): QueryResult => {
    const rows = Array.from({ length: count }, (_, hour) => [new Date(hour * 3_600_000).toISOString(), hour]);
    return result({ hour: 'time', energy: 'number' }, rows, truncated);
  };

  it('is asked for in coarser steps until it can be, and says so', async () => {
    const steps: unknown[] = [];
    const drawn = await drawableOf({ plan: hourly, result: timed(1000, true) }, line, (plan) => {
      steps.push(plan?.kind === 'aggregate' ? plan.dimensions[0] : null);
      return Promise.resolve(timed(steps.length === 1 ? 2500 : 30));
    });
    expect(steps).toEqual(['day', 'week'].map((bucket) => ({ kind: 'bucket', column: 't', bucket, label: 'hour' })));
    expect(drawn.result.rows.length).toBe(30);
    const note = expect.stringMatching(/^by week/) as string;
    expect(drawn.request).toMatchObject({ x: 'hour', xTitle: 'week', note });
  });

  it.each([
    ['bar', 9],
    ['line', 200],
  ] as const)('has fewer bars than points of a line: of 200 a %s shows %d', async (kind, count) => {
    const asked = { plan: hourly, result: timed(200) };
    const drawn = await drawableOf(asked, { ...line, kind }, () => Promise.resolve(timed(9)));
    expect(drawn.result.rows.length).toBe(count);
  });

  it.each([
    [
      'figures follow from step to step',
      { ...hourly, computed: [{ kind: 'growth', of: 0, label: 'growth' } as const] },
    ],
    ['it is not about time', null],
  ])('is read further where %s', async (_, plan) => {
    const drawn = await drawableOf({ plan, result: timed(1000, true) }, line, (asked) => {
      expect(asked).toBe(plan);
      return Promise.resolve(timed(5000));
    });
    expect(drawn.result.rows.length).toBe(5000);
  });
});
