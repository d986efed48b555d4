import { describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../ports/analysis-plan.js';
import { aColumn } from '../ports/plans.fixture.js';
import type { TableProfile } from '../ports/table.js';
import { DATA_TOOLS, readToolUse } from './tools.js';

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }],
  dimensions: [{ kind: 'column', column: 'region', label: 'region' }],
};

const PROFILE: TableProfile = {
  ...{ rowCount: 10, timeRange: null, timeField: 'time', metaField: 'region', values: ['revenue'] },
  columns: [aColumn('time', 'time'), aColumn('region', 'text'), aColumn('revenue', 'number')],
};

function used(name: string, given: unknown): ReturnType<typeof readToolUse> {
  return readToolUse(name, JSON.stringify(given), PROFILE);
}

function planOf(given: object): AnalysisPlan {
  const use = used('analyze', given);
  if (use.tool !== 'analyze') throw new Error('no plan');
  return use.plan;
}

describe('readToolUse', () => {
  it('reads a query, and a plan in which it fills in what may be left out', () => {
    const query = { tool: 'run_query', sql: 'select 1', purpose: 'one', chart: null };
    expect(used('run_query', { sql: ' select 1 ', purpose: 'one' })).toEqual(query);
    const plan = { ...PLAN, filters: [], having: [], order: [], limit: null };
    const analysis = { tool: 'analyze', purpose: 'why', chart: null, plan };
    expect(used('analyze', { plan: PLAN, purpose: 'why' })).toEqual(analysis);
  });

  it.each([
    ['without a purpose', { plan: PLAN }],
    ['with its plan as a text', { plan: JSON.stringify(PLAN), purpose: 'why' }],
    ['with parts of it as texts', { measures: JSON.stringify(PLAN.measures), group_by: '["region"]' }],
    ['with all empty that it needs not', { plan: { ...PLAN, each: [], skip: null }, columns: [], statistic: '' }],
  ])('reads a plan %s', (_how, given) => {
    for (const json of [given, JSON.stringify(given)])
      expect(used('analyze', json)).toMatchObject({ tool: 'analyze', plan: PLAN });
  });

  it('reads a chart that is asked for along with its figures', () => {
    const chart = { kind: 'bar', x: 'region', y: 'revenue', title: 'Revenue' };
    for (const drawn of [chart, JSON.stringify(chart)]) {
      expect(used('analyze', { plan: PLAN, chart: drawn })).toMatchObject({ chart });
      expect(used('run_query', { sql: 'SELECT 1', chart: drawn })).toMatchObject({ chart });
    }
  });

  it('reads a chart, with nothing for what is empty', () => {
    const axes = { kind: 'bar', x: 'region', y: 'revenue' };
    const chart = { ...axes, series: null, title: 'By region', xTitle: null, yTitle: null };
    const given = { ...axes, series: '', title: 'By <b>region</b>' };
    expect(used('make_chart', given)).toEqual({ tool: 'make_chart', chart, result: null });
  });

  it('refuses a plan that is nested without end', () => {
    const deep = (levels: number): object => (levels === 0 ? {} : { function: 'abs', of: deep(levels - 1) });
    const derived = [{ name: 'x', expression: deep(2000) }];
    for (const given of [{ derived }, { plan: { derived } }, { derived: JSON.stringify(derived) }])
      expect(() => used('analyze', given)).toThrow(/nested|derived/);
  });

  it.each([
    ['something missing', 'run_query', '{"purpose":"x"}'],
    ['an unknown kind of chart', 'make_chart', '{"kind":"pony","x":"a","title":"t"}'],
    ['the name of a built-in property', 'constructor', '{}'],
    ['a plan that contradicts itself', 'analyze', '{"plan":{"kind":"aggregate","measures":[],"dimensions":[]}}'],
  ])('refuses %s', (_what, name, json) => {
    expect(() => readToolUse(name, json)).toThrow(expect.objectContaining({ kind: 'invalid_input' }));
  });

  it.each<[string, object, ...string[]]>([
    [
      ...(['an aggregate that is none', { measures: [{ aggregate: 'average', column: 'revenue' }] }] as const),
      ...['measures[0].aggregate', '"avg"', 'Right: "measures":[{"aggregate":"sum"'],
    ],
    [
      ...(['a piece of time that is none', { group_by: [{ column: 'time', by: 'decade' }] }] as const),
      ...['group_by[0].by: there is no "decade"', 'month_of_year'],
    ],
    [
      ...(['an operator that is none', { filters: [{ column: 'region', operator: 'like', value: 'N%' }] }] as const),
      ...['filters[0].operator: there is no "like"', 'contains'],
    ],
    [
      ...(['a kind that is none', { filters: [{ kind: 'equals' }] }] as const),
      ...['filters[0].kind: must be one of in, compare', 'Right: '],
    ],
    [
      'a label that is none',
      { measures: [{ aggregate: 'count', label: 'n' }], computed: [{ kind: 'share', of: 'rows' }] },
      'computed[0].of: there is no figure "rows"; there are "n"',
    ],
    ['an order by no label', { ...PLAN, order: ['sales'] }, 'order must name a label: revenue, region'],
    ['an unknown key', { ...PLAN, where: [], whence: 'x' }, 'Unrecognized key: "whence"'],
    ['a time that is none', { filters: [{ column: 'time', operator: '>=', value: 'yesterday' }] }, 'ISO 8601'],
  ])('names what is wrong with a call, with what is allowed: %s', (_what, given, ...told) => {
    for (const part of told) expect(() => used('analyze', given)).toThrow(part);
  });
});

describe('a plan in the words that are told', () => {
  it('says figures by groups, with labels for those that have none', () => {
    const given = {
      measures: [
        { aggregate: 'sum', column: 'revenue' },
        { aggregate: 'count', column: '*', label: 'n' },
      ],
      group_by: ['region', { column: 'time', by: 'month' }, { column: 'time', by: 'hour_of_day', label: 'hour' }],
      computed: [
        { kind: 'share', of: 'sum of revenue' },
        { kind: 'ratio', of: 'sum of revenue', with: 'n', label: 'each' },
      ],
      having: [{ of: 'each', operator: '>', value: 3 }],
      order: [{ by: 'share' }],
      summary: { aggregate: 'avg', of: 'n' },
    };

    expect(planOf(given)).toMatchObject({
      kind: 'aggregate',
      measures: [
        { aggregate: 'sum', column: 'revenue', label: 'sum of revenue' },
        { aggregate: 'count', column: null, label: 'n' },
      ],
      dimensions: [
        { kind: 'column', column: 'region', label: 'region' },
        { kind: 'bucket', column: 'time', bucket: 'month', label: 'month of time' },
        { kind: 'part', column: 'time', part: 'hour', label: 'hour' },
      ],
      computed: [
        { kind: 'share', of: 0, label: 'share' },
        { kind: 'ratio', left: 0, right: 1, label: 'each' },
      ],
      having: [{ measure: 3, operator: '>', value: 3 }],
      order: [{ by: 'share', direction: 'desc' }],
      summary: { aggregate: 'avg', measure: 1, label: 'summary' },
    });
  });

  it.each<[string, object, object]>([
    ['region', { operator: '=', value: 'North' }, { kind: 'in', values: ['North'], negated: false }],
    ['region', { operator: 'not in', values: ['a', 'b'] }, { kind: 'in', values: ['a', 'b'], negated: true }],
    ['region', { operator: 'contains', value: 'or' }, { kind: 'contains', text: 'or', negated: false, at: 'anywhere' }],
    ['region', { operator: 'starts with', value: 'N' }, { kind: 'contains', text: 'N', negated: false, at: 'start' }],
    ['region', { operator: 'is null' }, { kind: 'null', negated: false }],
    ['region', { operator: '!=', value: null }, { kind: 'null', negated: true }],
    ['revenue', { operator: '>', value: '5' }, { kind: 'compare', operator: '>', value: 5 }],
    ['revenue', { operator: 'between', values: [1, '2'] }, { kind: 'between', low: 1, high: 2 }],
    ['revenue', { operator: 'no outlier' }, { kind: 'outlier', method: 'iqr', threshold: 1.5, negated: true }],
    ['revenue', { operator: '>', aggregate: 'avg' }, { kind: 'against', aggregate: 'avg', reach: 'matching' }],
    ['time', { operator: '=', value: '2024' }, { kind: 'time', from: '2024-01-01', to: '2025-01-01' }],
    ['time', { operator: '<=', value: '2024-12' }, { kind: 'time', from: null, to: '2025-01-01' }],
    ['time', { operator: '>', value: '2024-02-28' }, { kind: 'time', from: '2024-02-29', to: null }],
    ['time', { operator: 'between', values: ['2024-01', '2024-03-31'] }, { from: '2024-01-01', to: '2024-04-01' }],
    ['time', { operator: '>=', value: 'now-7d/d' }, { from: null, to: null, moving: { from: 'now-7d/d', to: null } }],
    ['time', { operator: '=', value: 'now-1M/M' }, { moving: { from: 'now-1M/M', to: 'now-1M/M+1M' } }],
    ['time', { operator: '<=', value: '2024-01-01 08:00' }, { from: null, to: '2024-01-01T08:00:00.001Z' }],
  ])('says the condition on %s: %j', (column, told, filter) => {
    const wanted = expect.objectContaining({ column, ...filter }) as unknown;
    expect(planOf({ filters: [{ column, ...told }] }).filters).toEqual([wanted]);
  });

  it('says one or the other, columns that are worked out, and statistics', () => {
    const north = { column: 'region', operator: '=', value: 'North' };
    const filters = [{ any: [north, [north, { column: 'revenue', operator: '>', value: 1 }]] }];
    const derived = [{ name: 'twice', expression: { operator: '*', left: 'revenue', right: 2 } }];
    const product = { kind: 'arithmetic', left: { column: 'revenue' }, right: { kind: 'number', value: 2 } };
    expect(planOf({ columns: ['region', 'twice'], filters, derived })).toMatchObject({
      kind: 'rows',
      filters: [{ kind: 'any', of: [[{ kind: 'in' }], [{ kind: 'in' }, { kind: 'compare' }]] }],
      derived: [{ expression: product }],
    });
    const anova = { kind: 'statistic', method: 'anova', columns: ['revenue'], by: 'region' };
    expect(planOf({ statistic: 'anova', columns: ['revenue'], group_by: ['region'] })).toMatchObject(anova);
  });
});

it('a model is told of each tool by a flat JSON Schema, in which nothing refers, that allows nothing unknown', () => {
  expect(DATA_TOOLS.map(({ name }) => name)).toEqual(['analyze', 'run_query', 'make_chart']);
  for (const { parameters } of DATA_TOOLS) {
    expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
    expect(parameters).not.toHaveProperty('$schema');
  }
  expect(JSON.stringify(DATA_TOOLS)).not.toMatch(/\$ref|"(?:oneOf|anyOf|allOf|type":\[)/);
});
