import { expect, it } from 'vitest';
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

it('what was understood is the parts of the plan in words, with their places, and the chart', () => {
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
  expect(drawn).toMatchObject({ plan: PLAN, chart: 'bar' });
  expect(drawn?.parts.at(-1)).toEqual({ kind: 'chart', words: 'bar chart', at: 'chart' });
  expect(understoodOf(null, EMPTY_ANSWER)).toBeNull();
});

const FIGURE = 'figure measures.0: total revenue';
const GROUPS = ['group dimensions.0: by month', 'group dimensions.1: by region'];
const PLAIN = figures({ measures: PLAN.measures, dimensions: PLAN.dimensions });
const by = (label: string, direction: 'asc' | 'desc') => ({ order: [{ by: label, direction }] });
const REVENUE = {
  columns: ['region', 'revenue'],
  filters: [{ kind: 'null', column: 'revenue', negated: true }],
} as const;
const WORKED_OUT = {
  computed: [{ kind: 'share', of: 0, label: 's' }],
  summary: { aggregate: 'max', measure: 0, label: 'm' },
} as const;

it.each<[AnalysisPlan, readonly string[]]>([
  [
    listing({ ...REVENUE, ...by('revenue', 'asc'), limit: 1, skip: 1 }),
    ['figure columns: region and revenue', 'order order: the second lowest by revenue'],
  ],
  [listing({ limit: 5 }), ['figure columns: rows', 'order limit: the first 5']],
  [listing(by('at', 'desc')), ['figure columns: rows', 'order order: at, highest first']],
  [{ ...PLAIN, ...by('month', 'asc') }, [FIGURE, ...GROUPS]],
  [{ ...PLAIN, ...by('month', 'desc') }, [FIGURE, ...GROUPS, 'order order: month, latest first']],
  [
    statistic({ method: 'anova', columns: ['revenue'], by: 'region' }),
    ['figure columns: analysis of variance of revenue', 'group by: by region'],
  ],
  [{ ...PLAIN, measures: [] }, ['figure measures: different values', ...GROUPS]],
  [
    { ...PLAIN, dimensions: [], ...WORKED_OUT },
    [FIGURE, 'figure computed.0: share of total revenue', 'figure summary: highest total revenue'],
  ],
])('every kind of plan has its parts', (plan, parts) => {
  expect(partsOf(plan)).toEqual(parts);
});

it('a plan that is given comes back as it went out, and is a question in words', () => {
  expect(planFrom(JSON.parse(JSON.stringify(PLAN)))).toEqual(PLAN);
  expect(questionOf(PLAN)).toMatch(/^Total revenue by month and region, where channel is online/);
});

it('a plan that is given is refused for columns that the table lacks, each by its field', () => {
  const given =
    (...names: readonly string[]) =>
    () => {
      const fields = { rowCount: 1, timeField: 'at', metaField: 'region', values: [], timeRange: null };
      assertColumns(PLAN, { profile: { ...fields, columns: names.map((name) => aColumn(name)) } });
    };
  const details = [
    { field: 'plan.filters.0.column', problem: 'there is no column "channel"' },
    { field: 'plan.dimensions.1.column', problem: 'there is no column "region"' },
  ];
  const message = 'plan.filters.0.column: there is no column "channel"';
  expect(given('at', 'REVENUE')).toThrow(expect.objectContaining({ message, details }));
  expect(given('at', 'revenue', 'channel', 'region')).not.toThrow();
});
