import { describe, expect, it } from 'vitest';
import { PIPELINES } from '../ports/query-language.js';
import { DATA_TOOLS, dataTools, readToolUse } from './tools.js';

const PLAN = {
  kind: 'aggregate',
  measures: [{ aggregate: 'sum', column: 'revenue', label: 'revenue' }],
  dimensions: [{ kind: 'column', column: 'region', label: 'region' }],
};

function analyze(plan: object) {
  return () => readToolUse('analyze', JSON.stringify({ plan, purpose: 'why' }));
}

describe('readToolUse', () => {
  it('reads a query', () => {
    expect(readToolUse('run_query', '{"sql":" select 1 ","purpose":"one"}')).toEqual({
      tool: 'run_query',
      statement: 'select 1',
      purpose: 'one',
    });
  });

  it.each([
    ['stages', [{ $count: 'n' }]],
    ['the text of stages', '[{"$count":"n"}]'],
  ])('reads a pipeline that is written as %s', (_what, pipeline) => {
    expect(readToolUse('run_query', JSON.stringify({ pipeline, purpose: 'one' }), PIPELINES)).toEqual({
      tool: 'run_query',
      statement: '[{"$count":"n"}]',
      purpose: 'one',
    });
  });

  it.each([
    ['SQL', '{"sql":"select 1","purpose":"x"}'],
    ['no list', '{"pipeline":{"$count":"n"},"purpose":"x"}'],
    ['lists without end', `{"pipeline":${'['.repeat(50_000)}${']'.repeat(50_000)},"purpose":"x"}`],
  ])('refuses %s where pipelines are written', (_what, json) => {
    expect(() => readToolUse('run_query', json, PIPELINES)).toThrow(expect.objectContaining({ kind: 'invalid_input' }));
  });

  it('reads a plan and fills in what may be left out', () => {
    expect(readToolUse('analyze', JSON.stringify({ plan: PLAN, purpose: 'why' }))).toEqual({
      tool: 'analyze',
      purpose: 'why',
      plan: { ...PLAN, filters: [], having: [], order: [], limit: null },
    });
  });

  it('reads a chart, with nothing for what is empty', () => {
    const json = JSON.stringify({ kind: 'bar', x: 'region', y: 'revenue', series: '', title: 'By <b>region</b>' });

    expect(readToolUse('make_chart', json)).toEqual({
      tool: 'make_chart',
      chart: { kind: 'bar', x: 'region', y: 'revenue', series: null, title: 'By region', xTitle: null, yTitle: null },
      result: null,
    });
  });

  it.each([
    ['arguments that were cut', 'run_query', '{"sql":"select 1'],
    ['something unknown beside them', 'run_query', '{"sql":"select 1","purpose":"x","table":"other"}'],
    ['something missing', 'run_query', '{"sql":"select 1"}'],
    ['an unknown kind of chart', 'make_chart', '{"kind":"pony","x":"a","title":"t"}'],
    ['an unknown tool', 'drop_table', '{}'],
    ['the name of a built-in property', 'constructor', '{}'],
  ])('refuses %s', (_what, name, json) => {
    expect(() => readToolUse(name, json)).toThrow(expect.objectContaining({ kind: 'invalid_input' }));
  });

  it.each([
    [
      'labels that are the same',
      { ...PLAN, dimensions: [{ kind: 'column', column: 'a', label: 'revenue' }] },
      'labels',
    ],
    [
      'a label that is too long',
      { ...PLAN, dimensions: [{ kind: 'column', column: 'a', label: 'x'.repeat(81) }] },
      '80',
    ],
    ['a sum of nothing', { ...PLAN, measures: [{ aggregate: 'sum', column: null, label: 'x' }] }, 'only count'],
    [
      'a condition on a figure that is not there',
      { ...PLAN, having: [{ measure: 1, operator: '>', value: 1 }] },
      'having',
    ],
    ['an order by something else', { ...PLAN, order: [{ by: 'x', direction: 'asc' }] }, 'order'],
    ['nothing to work out', { kind: 'aggregate', measures: [], dimensions: [] }, 'measure or a dimension'],
    ['too many values', { ...PLAN, filters: [inFilter(600), inFilter(600)] }, '1000 values'],
    ['a time that is none', { ...PLAN, filters: [{ kind: 'time', column: 't', from: 'yesterday', to: null }] }, 'from'],
    ['an unknown key inside', { ...PLAN, filters: [{ kind: 'null', column: 'a', negated: false, sql: '1' }] }, 'sql'],
  ])('refuses a plan with %s', (_what, plan, told) => {
    expect(analyze(plan)).toThrow(told);
  });
});

function inFilter(count: number) {
  return { kind: 'in', column: 'a', values: Array.from({ length: count }, (_, index) => index), negated: false };
}

describe('DATA_TOOLS', () => {
  it('tells a model of each tool by a JSON Schema that allows nothing unknown', () => {
    expect(DATA_TOOLS.map(({ name }) => name)).toEqual(['analyze', 'run_query', 'make_chart']);
    for (const { parameters } of DATA_TOOLS) {
      expect(parameters).toMatchObject({ type: 'object', additionalProperties: false });
      expect(parameters).not.toHaveProperty('$schema');
    }
  });

  it('tells a model to write pipelines where the rows are asked by them', () => {
    const tools = dataTools(PIPELINES);
    expect(tools.map(({ name }) => name)).toEqual(['analyze', 'run_query', 'make_chart']);
    expect(JSON.stringify(tools)).not.toContain('SQL');
    expect(tools[1]).toMatchObject({ parameters: { properties: { pipeline: { type: 'array' } } } });
  });
});
