import { describe, expect, it } from 'vitest';
import { type ChartKind, type ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import type { JsonValue } from '../../shared/json.js';
import { chartSpecification } from './chart-specification.js';
import { aRequest, aResult, at, valuesOf, PAIRS } from './charts.fixture.js';

describe('the texts of a chart', () => {
  it('are nowhere field names, expressions or addresses', () => {
    const hostile = `datum['x'] + "https://evil.example/?" + \${constructor}`;
    const columns = { [hostile]: 'text', [`${hostile} n`]: 'number', [`${hostile} s`]: 'text' } as const;
    const result = aResult(columns, [[hostile, 1, hostile]]);
    const isPlace = (key: string): boolean => /^(title|text|subtitle|values|domain|x|s)$/.test(key);
    const found: string[] = [];
    const search = (part: JsonValue, key: string): void => {
      if (typeof part === 'string' && part.includes('evil') && !isPlace(key)) found.push(key);
      if (Array.isArray(part)) for (const each of part) search(each as JsonValue, key);
      else if (typeof part === 'object' && part !== null)
        for (const [name, each] of Object.entries(part)) search(each, name);
    };
    for (const kind of ['bar', 'grouped_bar', 'stacked_bar', 'heatmap', 'line', 'area'] satisfies ChartKind[]) {
      const series = kind === 'bar' ? null : `${hostile} s`;
      search(chartSpecification(aRequest({ kind, x: hostile, y: `${hostile} n`, series, title: hostile }), result), '');
    }

    expect(found).toEqual([]);
  });

  const long = 'Cincinnati/Northern Kentucky International';
  it.each([
    ['lose control characters and marks that turn the direction of writing', ['a\u202eb\u0007c\u200f\ud800'], ['ab c']],
    [
      'are cut to 34 characters and stay different',
      [`${long} A`, `${long} B`],
      ['Cincinnati/Northern Kentucky Inte…', 'Cincinnati/Northern Kentucky… (2)'],
    ],
    ['name what has no name', [null, ''], ['(none)', '(empty)']],
  ])('%s', (_, texts, labels) => {
    const result = aResult(
      { k: 'text', n: 'integer' },
      texts.map((text, index) => [text, index + 1]),
    );
    expect(valuesOf(chartSpecification(aRequest({}), result)).map((row) => row['x'])).toEqual(labels);
  });
});

describe('the subtitle of a chart', () => {
  const subtitleOf = (request: Partial<ChartRequest>, result: QueryResult): JsonValue | undefined =>
    at(chartSpecification(aRequest(request), result), 'title', 'subtitle');

  it('says that only the first thirty bars are drawn', () => {
    const rows = Array.from({ length: 40 }, (_, index) => [`k${index}`, 40 - index]);
    expect(subtitleOf({}, aResult({ k: 'text', n: 'integer' }, rows))).toEqual(['the first 30 of 40']);
    expect(subtitleOf({}, PAIRS)).toBeUndefined();
  });

  it('says that points are left out of a long line', () => {
    const rows = Array.from({ length: 5000 }, (_, index) => [index, index % 7]);
    const result = aResult({ k: 'integer', n: 'integer' }, rows);
    const specification = chartSpecification(aRequest({ kind: 'line' }), result);
    expect(at(specification, 'title', 'subtitle')).toEqual(['2,000 of 5,000 points, evenly chosen']);
    expect(valuesOf(specification)).toHaveLength(2000);
    expect(valuesOf(specification).at(-1)).toEqual({ x: 4999, y: 1 });
  });

  it('says that only the nine largest of many series are drawn', () => {
    const rows = Array.from({ length: 12 }, (_, index) => ['a', index + 1, `s${index}`]);
    const result = aResult({ k: 'text', n: 'integer', s: 'text' }, rows);
    const specification = chartSpecification(aRequest({ kind: 'stacked_bar', series: 's' }), result);
    expect(at(specification, 'title', 'subtitle')).toEqual(['the 9 largest of 12 s']);
    expect(valuesOf(specification).map((row) => row['s'])).toEqual(rows.slice(3).map(([, , series]) => series));
  });

  it('says that rows without a value are left out, and that the result was cut', () => {
    const result = aResult({ k: 'text', n: 'integer' }, Object.entries({ a: 1, b: null }), true);
    expect(subtitleOf({}, result)).toEqual(['1 row without a value left out · only the first 2 rows of the result']);
  });
});

describe('a heatmap', () => {
  it('has numbers and weekdays in order, whatever order they came in', () => {
    const result = aResult({ hour: 'integer', day: 'text', n: 'number' }, [
      [2, 'Sunday', 1],
      [1, 'Monday', 2],
    ]);
    const specification = chartSpecification(aRequest({ kind: 'heatmap', x: 'hour', series: 'day' }), result);
    expect(at(specification, 'encoding', 'x', 'scale', 'domain')).toEqual(['1', '2']);
    expect(at(specification, 'encoding', 'y', 'scale', 'domain')).toEqual(['Monday', 'Sunday']);
  });

  it('is coloured to both sides of zero when its values are', () => {
    const result = aResult({ k: 'text', s: 'text', n: 'number' }, [
      ['a', 'b', -2],
      ['c', 'd', 4],
    ]);
    const specification = chartSpecification(aRequest({ kind: 'heatmap', series: 's' }), result);
    expect(at(specification, 'layer', 0, 'encoding', 'color', 'scale', 'domain')).toEqual([-4, 0, 4]);
  });
});

describe('a pie chart', () => {
  it('has its largest part first and puts small ones together', () => {
    const rows = Array.from({ length: 12 }, (_, index) => [`k${index}`, index + 1]);
    const values = valuesOf(chartSpecification(aRequest({ kind: 'pie' }), aResult({ k: 'text', n: 'integer' }, rows)));
    expect(values[0]).toMatchObject({ x: 'k11', y: 12, s: 'k11\u200215%' });
    expect(values.at(-1)).toMatchObject({ x: '3 others', y: 6, s: '3 others\u20027.7%', part: '7.7%' });
    expect(values).toHaveLength(10);
  });
});
