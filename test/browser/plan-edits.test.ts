import { describe, expect, it } from 'vitest';
import { EMPTY_ANSWER } from '../../src/answering/answer-step.js';
import { planFrom } from '../../src/answering/given-plan.js';
import { understoodOf } from '../../src/answering/understood.js';
import { choicesFor, firstPeriods, lastPeriod, without } from '../../web/src/pages/assistant/plan-edits.js';

type Understood = Parameters<typeof firstPeriods>[0];
type Column = Parameters<typeof firstPeriods>[1][number];

function column(name: string, type: string, values: readonly string[] = [], max: string | null = null): Column {
  const role = type === 'number' ? 'sum' : '';
  const top = values.map((value) => ({ value, count: 1 }));
  return { name, type, role, null_count: 0, distinct_count: 5, min: null, max, mean: null, top_values: top };
}

const COLUMNS = [
  column('at', 'time', [], '2024-05-17T10:00:00.000Z'),
  column('region', 'text', ['North', 'South']),
  column('channel', 'text'),
  column('revenue', 'number'),
  column('cost', 'number'),
];

function understood(plan: object): Understood {
  const { parts = [] } = understoodOf(planFrom(plan), { ...EMPTY_ANSWER, chartKind: 'bar' }) ?? {};
  return { plan: { ...planFrom(plan) }, chart: 'bar', parts: parts.map((part) => ({ ...part })) };
}

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }],
  dimensions: [
    { kind: 'bucket', column: 'at', bucket: 'month', label: 'month' },
    { kind: 'column', column: 'region', label: 'region' },
  ],
  filters: [
    { kind: 'in', column: 'region', values: ['North'], negated: false },
    { kind: 'time', column: 'at', from: '2024-01-01', to: null },
  ],
  having: [{ measure: 0, operator: '>', value: 1 }],
  order: [{ by: 'revenue', direction: 'desc' }],
  limit: 3,
  each: ['region'],
};

function changes(plan: object, kind: string, place = 0): readonly { readonly name: string; readonly plan: unknown }[] {
  const read = understood(plan);
  const part = read.parts.filter((one) => one.kind === kind)[place]!;
  const all = choicesFor(part, read, COLUMNS).flatMap(({ choices }) => choices);
  // As it is sent: what is undefined is not there.
  return all.map(({ name, again }) => ({ name, plan: planFrom(JSON.parse(JSON.stringify(again.plan))) }));
}

function rest(plan: object, at: string): unknown {
  const read = understood(plan);
  const again = without(
    read.parts.find((one) => one.at === at)!,
    read,
  );
  return again === null ? null : planFrom(JSON.parse(JSON.stringify(again.plan)));
}

describe('a plan that is changed by its parts', () => {
  it('has other figures, and what is ordered by them follows', () => {
    const all = changes(PLAN, 'figure');
    expect(all.map(({ name }) => name)).toEqual(['Average', 'Median', 'Lowest', 'Highest', 'Number of rows', 'cost']);
    expect(all[0]?.plan).toMatchObject({
      measures: [{ aggregate: 'avg', column: 'revenue', label: 'average revenue' }],
      order: [{ by: 'average revenue', direction: 'desc' }],
    });
  });

  it('has other groups and steps of time', () => {
    expect(changes(PLAN, 'group').map(({ name }) => name)).toEqual([
      ...['hour', 'day', 'week', 'quarter', 'year'],
      'channel',
    ]);
    expect(changes(PLAN, 'group', 1).find(({ name }) => name === 'channel')?.plan).toMatchObject({
      dimensions: [{ label: 'month' }, { kind: 'column', column: 'channel', label: 'channel' }],
      each: ['channel'],
    });
    const test = { kind: 'statistic', method: 'anova', columns: ['revenue'], by: 'region' };
    expect(changes(test, 'group').map(({ plan }) => plan)).toMatchObject([{ by: 'channel' }]);
  });

  it('has other values, periods and charts', () => {
    expect(changes(PLAN, 'condition').map(({ name }) => name)).toEqual(['South']);
    const periods = changes(PLAN, 'period');
    expect(periods.map(({ name }) => name)).toEqual([
      'All time',
      'Last year of the data (2024)',
      'Last quarter of the data (Q2 2024)',
      expect.stringMatching(/^Last month of the data \(May 2024\)/),
    ]);
    expect(periods[2]?.plan).toMatchObject({
      filters: [{ kind: 'in' }, { kind: 'time', column: 'at', from: '2024-04-01', to: '2024-07-01' }],
    });
    expect(firstPeriods(understood({ ...PLAN, filters: [] }), COLUMNS)[0]?.choices).toHaveLength(3);
    expect(changes(PLAN, 'chart')).toHaveLength(5);
    const byRegion = { ...PLAN, dimensions: PLAN.dimensions.slice(1) };
    expect(changes(byRegion, 'chart').map(({ name }) => name)).toEqual(['Pie chart']);
    expect(lastPeriod('2023-12-31T23:59:59Z', 1)).toEqual(['2023-12-01', '2024-01-01']);
  });

  it('goes on without a part, and without what rests on it', () => {
    expect(rest(PLAN, 'filters.0')).toMatchObject({ filters: [{ kind: 'time' }] });
    expect(rest(PLAN, 'having.0')).toMatchObject({ having: [] });
    expect(rest(PLAN, 'order')).toMatchObject({ order: [], limit: null });
    const grouped = rest(PLAN, 'dimensions.1');
    expect(grouped).toMatchObject({ dimensions: [{ label: 'month' }], limit: 3 });
    expect(grouped).not.toHaveProperty('each');
    const plain = { ...PLAN, each: [], dimensions: [PLAN.dimensions[0]] };
    expect(rest(plain, 'dimensions.0')).toMatchObject({ dimensions: [], having: [], order: [], limit: null });
    expect(rest({ ...plain, measures: [], having: [], order: [], limit: null }, 'dimensions.0')).toBeNull();
    expect(rest(PLAN, 'measures.0')).toBeNull();
  });
});
