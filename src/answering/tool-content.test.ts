import { describe, expect, it } from 'vitest';
import type { QueryResult } from '../ports/table.js';
import { MAX_CONTENT, problemContent, resultContent } from './toolbox.js';

function aResult(parts: Partial<QueryResult>): QueryResult {
  return { columns: [], rows: [], truncated: false, dbquery: 'SELECT 1', rowsScanned: 10, ...parts };
}

describe('resultContent', () => {
  it('gives a small result whole', () => {
    const result = aResult({ columns: [{ name: 'n', type: 'integer' }], rows: [[5], [null]] });

    expect(JSON.parse(resultContent('r1', result))).toEqual({
      result: 'r1',
      columns: [{ name: 'n', type: 'integer' }],
      row_count: 2,
      rows: [[5], [null]],
    });
  });

  it.each([
    [
      'many rows',
      aResult({ columns: [{ name: 'n', type: 'integer' }], rows: Array.from({ length: 1000 }, (_, n) => [n]) }),
    ],
    ['long cells', aResult({ columns: [{ name: 'n', type: 'text' }], rows: [['"\n'.repeat(90_000)], ['b']] })],
    [
      'many columns',
      aResult({
        columns: Array.from({ length: 900 }, (_, n) => ({ name: `column ${n}`, type: 'text' as const })),
        rows: Array.from({ length: 50 }, () => Array.from({ length: 900 }, () => 'x'.repeat(100))),
      }),
    ],
  ])('cuts %s to the length, stays JSON and says so', (_what, result) => {
    const content = resultContent('r1', result);

    expect(content.length).toBeLessThanOrEqual(MAX_CONTENT);
    expect(content).toMatch(/only|…/);
    expect(JSON.parse(content)).toMatchObject({ row_count: result.rows.length });
  });

  it('writes numbers as people do', () => {
    const result = aResult({ columns: [{ name: 'n', type: 'number' }], rows: [[12.299999999999999], [0.1 + 0.2]] });

    expect(resultContent('r1', result)).toContain('[[12.3],[0.3]]');
  });

  it('says when the query itself was cut', () => {
    expect(resultContent('r1', aResult({ truncated: true }))).toContain('more rows than are kept');
  });
});

describe('problemContent', () => {
  it('is short JSON', () => {
    expect(JSON.parse(problemContent(`no "x"${'!'.repeat(5000)}`))).toEqual({ error: `no "x"${'!'.repeat(994)}` });
  });
});
