import { describe, expect, it } from 'vitest';
import type { AggregatePlan, AnalysisPlan } from '../ports/analysis-plan.js';
import { aColumn, figures, listing, statistic } from '../ports/plans.fixture.js';
import { EMPTY_ANSWER } from './answer-step.js';
import { assertColumns, planFrom, questionOf } from './given-plan.js';
import { understoodOf } from './understood.js';

const PLAN: AggregatePlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }],
  dimensions: [
    { kind: 'bucket', column: 'at', bucket: 'month', label: 'month' },
    { kind: 'column', column: 'region', label: 'region' },
  ],
  filters: [
    { kind: 'in', column: 'channel', values: ['online'], negated: false },
    { kind: 'time', column: 'at', from: '2024-01-01', to: '2025-01-01' },
  ],
  having: [{ measure: 0, operator: '>', value: 5 }],
  order: [{ by: 'revenue', direction: 'desc' }],
  limit: 3,
};

function partsOf(plan: AnalysisPlan): readonly string[] {
  const { parts = [] } = understoodOf(plan, EMPTY_ANSWER) ?? {};
  return parts.map(({ kind, words, at }) => `${kind} ${at}: ${words}`);
}

describe('what was understood', () => {
  it('is the parts of the plan in words, with their places, and the chart', () => {
    expect(partsOf(PLAN)).toEqual([
      'figure measures.0: total revenue',
      'group dimensions.0: by month',
      'group dimensions.1: by region',
      'condition filters.0: channel is online',
      'period filters.1: at is in 2024',
      'condition having.0: total revenue is above 5',
      'order order: the 3 highest by revenue',
    ]);
    const drawn = understoodOf(PLAN, { ...EMPTY_ANSWER, chartKind: 'bar' });
    expect(drawn?.plan).toBe(PLAN);
    expect(drawn?.chart).toBe('bar');
    expect(drawn?.parts.at(-1)).toEqual({ kind: 'chart', words: 'bar chart', at: 'chart' });
    expect(understoodOf(null, EMPTY_ANSWER)).toBeNull();
  });

  const figure = 'figure measures.0: total revenue';
  const groups = ['group dimensions.0: by month', 'group dimensions.1: by region'];
  const plain = figures({ measures: PLAN.measures, dimensions: PLAN.dimensions });
  const second = { order: [{ by: 'revenue', direction: 'asc' }], limit: 1, skip: 1 } as const;
  const more = {
    computed: [{ kind: 'share', of: 0, label: 's' }],
    summary: { aggregate: 'max', measure: 0, label: 'm' },
  } as const;

  it.each<[AnalysisPlan, readonly string[]]>([
    [
      listing({
        columns: ['region', 'revenue'],
        filters: [{ kind: 'null', column: 'revenue', negated: true }],
        ...second,
      }),
      ['figure columns: region and revenue', 'order order: the second lowest by revenue'],
    ],
    [listing({ limit: 5 }), ['figure columns: rows', 'order limit: the first 5']],
    [listing({ order: [{ by: 'at', direction: 'desc' }] }), ['figure columns: rows', 'order order: at, highest first']],
    [{ ...plain, order: [{ by: 'month', direction: 'asc' }] }, [figure, ...groups]],
    [
      { ...plain, order: [{ by: 'month', direction: 'desc' }] },
      [figure, ...groups, 'order order: month, latest first'],
    ],
    [
      statistic({ method: 'anova', columns: ['revenue'], by: 'region' }),
      ['figure columns: analysis of variance of revenue', 'group by: by region'],
    ],
    [{ ...plain, measures: [] }, ['figure measures: different values', ...groups]],
    [
      { ...plain, dimensions: [], ...more },
      [figure, 'figure computed.0: share of total revenue', 'figure summary: highest total revenue'],
    ],
  ])('knows every kind of plan', (plan, parts) => {
    expect(partsOf(plan)).toEqual(parts);
  });
});

describe('a plan that is given', () => {
  const profile = (...names: readonly string[]): Parameters<typeof assertColumns>[1]['profile'] => ({
    rowCount: 1,
    timeField: 'at',
    metaField: 'region',
    values: [],
    timeRange: null,
    columns: names.map((name) => aColumn(name)),
  });

  it('comes back as it went out, and is a question in words', () => {
    expect(planFrom(JSON.parse(JSON.stringify(PLAN)))).toEqual(PLAN);
    expect(questionOf(PLAN)).toMatch(/^Total revenue by month and region, where channel is online/);
  });

  it('is refused for columns that the table lacks, each by its field', () => {
    const details = [
      { field: 'plan.filters.0.column', problem: 'there is no column "channel"' },
      { field: 'plan.dimensions.1.column', problem: 'there is no column "region"' },
    ];
    const message = 'plan.filters.0.column: there is no column "channel"';
    expect(() => {
      assertColumns(PLAN, { profile: profile('at', 'REVENUE') });
    }).toThrow(expect.objectContaining({ message, details }));
    assertColumns(PLAN, { profile: profile('at', 'revenue', 'channel', 'region') });
  });
});
