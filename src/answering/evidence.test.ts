import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter } from '../ports/analysis-plan.js';
import type { TableProfile } from '../ports/table.js';
import { evidenceOf } from './evidence.js';
import { filterWords } from './filter-words.js';
import { QueryLog } from './query-log.js';

const PROFILE: TableProfile = {
  rowCount: 100,
  timeRange: { from: '2024-01-01T00:00:00.000Z', to: '2024-12-31T00:00:00.000Z' },
  columns: [],
  timeField: 'time',
  metaField: 'sensor',
  values: [],
};
const RESULT = { columns: [], rows: [[1], [2]], truncated: false, dbquery: 'SELECT 1', rowsScanned: 100 };

function planWith(...filters: readonly Filter[]): AnalysisPlan {
  return { kind: 'rows', columns: [], filters, order: [], limit: null };
}

function evidenceFor(plan: AnalysisPlan | null) {
  const queries = new QueryLog();
  queries.add({ purpose: 'before', plan: null, result: RESULT });
  queries.add({ purpose: 'why', plan, result: RESULT });
  return evidenceOf(queries, PROFILE);
}

function time(from: string | null, to: string | null): Filter {
  return { kind: 'time', column: 'time', from, to };
}

describe('evidenceOf', () => {
  it('is empty where no query ran', () => {
    expect(evidenceOf(new QueryLog(), PROFILE)).toEqual({
      rowsScanned: 0,
      rowsReturned: 0,
      timeRange: null,
      filters: [],
      queries: 0,
    });
  });

  it("has the table's time where a query was written", () => {
    expect(evidenceFor(null)).toEqual({
      rowsScanned: 100,
      rowsReturned: 2,
      timeRange: PROFILE.timeRange,
      filters: [],
      queries: 2,
    });
  });

  it('has the time that plan and table share', () => {
    expect(evidenceFor(planWith(time('2023-06-01', '2024-02-01T00:00:00'))).timeRange).toEqual({
      from: '2024-01-01T00:00:00.000Z',
      to: '2024-02-01T00:00:00',
    });
  });

  it('has no time where they share none', () => {
    expect(evidenceFor(planWith(time('2030-01-01', null))).timeRange).toBeNull();
  });
});

describe('filterWords', () => {
  it.each<[Filter, string]>([
    [{ kind: 'in', column: 'location', values: ['Seattle'], negated: false }, 'location is Seattle'],
    [{ kind: 'in', column: 'location', values: ['A', 'B'], negated: true }, 'location is not A or B'],
    [{ kind: 'in', column: 'n', values: [1, 2, 3, 4, 5, 6, 7], negated: false }, 'n is 1, 2, 3, 4, 5 or one of 2 more'],
    [{ kind: 'compare', column: 'price', operator: '>=', value: 5 }, 'price >= 5'],
    [{ kind: 'between', column: 'price', low: 1, high: 2 }, 'price is between 1 and 2'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: true }, 'name does not contain pro'],
    [{ kind: 'null', column: 'name', negated: false }, 'name has no value'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: false, at: 'start' }, 'name starts with pro'],
    [{ kind: 'columns', left: 'a', operator: '>', right: 'b' }, 'a > b'],
    [
      { kind: 'against', column: 'a', operator: '=', aggregate: 'max', reach: 'all' },
      'a is the highest of a of all rows',
    ],
    [
      { kind: 'against', column: 'a', operator: '>', aggregate: 'avg', factor: 2, reach: 'matching' },
      'a > 2 times the average of a',
    ],
    [
      { kind: 'outlier', column: 'a', method: 'zscore', threshold: 3, population: false, negated: false },
      'a is an outlier (3 standard deviations)',
    ],
    [
      {
        kind: 'any',
        of: [[{ kind: 'null', column: 'a', negated: false }], [{ kind: 'null', column: 'b', negated: true }]],
      },
      'a has no value or b has a value',
    ],
    [time('2024-01-01', '2024-02-01'), 'time is from 2024-01-01 to before 2024-02-01'],
    [time(null, '2024-02-01'), 'time is before 2024-02-01'],
  ])('says %j in words', (filter, words) => {
    expect(filterWords(planWith(filter))).toEqual([words]);
  });

  it('says conditions on figures by their label', () => {
    const plan: AnalysisPlan = {
      kind: 'aggregate',
      measures: [{ aggregate: 'avg', column: 'm', label: 'average m' }],
      dimensions: [],
      filters: [],
      having: [{ measure: 0, operator: '>', value: 4 }],
      order: [],
      limit: null,
    };

    expect(filterWords(plan)).toEqual(['average m > 4']);
  });
});
