import { describe, expect, it } from 'vitest';
import type { ChartRequest } from '../../ports/chart-renderer.js';
import type { QueryResult } from '../../ports/table.js';
import { isAppError } from '../../shared/app-error.js';
import { assertFits } from './chart-specification.js';
import { aRequest, aResult, PAIRS } from './charts.fixture.js';

function refusal(request: Partial<ChartRequest>, result: QueryResult): string {
  try {
    assertFits(aRequest(request), result);
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return error.message;
    throw error;
  }
  return 'drawn';
}

const noon = '2012-01-01T12:00:00.000Z';

describe('a chart request that does not fit its result', () => {
  const typed = aResult({ k: 'text', n: 'integer', t: 'time' }, [['a', 1, noon]]);

  it.each<[string, Partial<ChartRequest>, QueryResult, string]>([
    ['an unknown x', { x: 'no' }, PAIRS, 'x is "no", which is no column of the result; its columns are "k", "n"'],
    ['an unknown y', { y: 'no' }, PAIRS, 'y is "no"'],
    ['an unknown series', { series: 'no' }, PAIRS, 'series is "no"'],
    ['no y', { y: null }, PAIRS, 'a bar chart needs a numeric column as y, but it is missing'],
    ['text as y', { x: 'n', y: 'k' }, PAIRS, 'a bar chart needs a numeric column as y, but "k" is text'],
    ['a histogram of text', { kind: 'histogram' }, PAIRS, 'a histogram needs a numeric column as x, but "k" is text'],
    ['a scatter over text', { kind: 'scatter' }, PAIRS, 'needs a numeric column or a time as x, but "k" is text'],
    ['stacks without a series', { kind: 'stacked_bar' }, PAIRS, 'a stacked bar chart needs a series'],
    ['groups without a series', { kind: 'grouped_bar' }, PAIRS, 'a grouped bar chart needs a series'],
    ['a heatmap without rows', { kind: 'heatmap' }, PAIRS, 'a heatmap needs a series'],
    ['a pie with a series', { kind: 'pie', series: 't' }, typed, 'a pie chart has no series'],
    ['no rows', {}, aResult({ k: 'text', n: 'integer' }, []), 'the result has no rows'],
    ['no values', {}, aResult({ k: 'text', n: 'integer' }, [['a', null]]), 'no row has a value in both "k" and "n"'],
    [
      'several rows in one place',
      { kind: 'line' },
      aResult(
        { k: 'text', n: 'integer' },
        [1, 2].map((value) => ['a', value]),
      ),
      'several rows have the same "k"; aggregate them in the query (group by "k"), or name a series',
    ],
    ['negative parts', { kind: 'pie' }, aResult({ k: 'text', n: 'number' }, [['a', -1]]), 'no negative value'],
    ['nothing but zeros', { kind: 'pie' }, aResult({ k: 'text', n: 'number' }, [['a', 0]]), 'every value is zero'],
    ['a long title', { title: 'x'.repeat(121) }, PAIRS, 'the title has more than 120 characters'],
  ])('is refused with a sentence: %s', (_, request, result, sentence) => {
    expect(refusal(request, result)).toContain(sentence);
  });
});
