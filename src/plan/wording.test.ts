import { describe, expect, it } from 'vitest';
import type { Filter } from '../ports/analysis-plan.js';
import { figures, listing } from '../ports/plans.fixture.js';
import { conditionsOf, figureConditionsOf } from './wording.js';

function time(from: string | null, to: string | null): Filter {
  return { kind: 'time', column: 'time', from, to };
}

describe('the conditions of a plan in words', () => {
  it.each<[Filter, string]>([
    [{ kind: 'in', column: 'location', values: ['Seattle'], negated: false }, 'location is Seattle'],
    [{ kind: 'in', column: 'location', values: ['A', 'B'], negated: true }, 'location is not A or B'],
    [
      { kind: 'in', column: 'n', values: Array.from({ length: 14 }, (_, index) => index), negated: false },
      'n is 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 2 more',
    ],
    [{ kind: 'compare', column: 'price', operator: '>=', value: 5 }, 'price is at least 5'],
    [{ kind: 'between', column: 'price', low: 1, high: 2 }, 'price is between 1 and 2'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: true }, 'name does not contain “pro”'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: false, at: 'start' }, 'name starts with “pro”'],
    [{ kind: 'null', column: 'name', negated: false }, 'name is missing'],
    [{ kind: 'columns', left: 'a', operator: '>', right: 'b' }, 'a is above b'],
    [{ kind: 'against', column: 'a', operator: '=', aggregate: 'max', reach: 'all' }, 'a is the highest of all rows'],
    [
      { kind: 'against', column: 'a', operator: '>', aggregate: 'avg', factor: 2, reach: 'matching' },
      'a is above 2 times the average a',
    ],
    [
      {
        kind: 'against',
        column: 'a',
        operator: '>',
        aggregate: 'avg',
        among: { column: 'name', value: 'Ann' },
        reach: 'all',
      },
      'a is above the average a where name is Ann',
    ],
    [
      {
        kind: 'against',
        column: 'a',
        operator: '<',
        aggregate: 'min',
        among: { column: 'name', value: 'Ann' },
        reach: 'all',
      },
      'a is below the lowest a where name is Ann',
    ],
    [
      { kind: 'outlier', column: 'a', method: 'zscore', threshold: 3, population: false, negated: false },
      'a is an outlier (further than 3 standard deviations from the mean)',
    ],
    [
      {
        kind: 'any',
        of: [[{ kind: 'null', column: 'a', negated: false }], [{ kind: 'null', column: 'b', negated: true }]],
      },
      'either a is missing or b is present',
    ],
    [
      {
        kind: 'any',
        of: ['2023', '2024'].map((year) => [
          { kind: 'time', column: 'time', from: `${year}-01-01`, to: `${Number(year) + 1}-01-01` },
        ]),
      },
      'time is in 2023 or in 2024',
    ],
    [time('2024-05-01', '2024-06-01'), 'time is in May 2024'],
    [time('2024-01-01', '2025-01-01'), 'time is in 2024'],
    [time('2024-05-20', '2024-05-21'), 'time is on 2024-05-20'],
    [time('2024-05-20', '2024-05-27'), 'time is from 2024-05-20 to 2024-05-26'],
    [time(null, '2024-05-27'), 'time is before 2024-05-27'],
    [time('2024-05-27', null), 'time is 2024-05-27 or later'],
  ])('%j', (filter, words) => {
    expect(conditionsOf(listing({ filters: [filter] }))).toEqual([words]);
  });

  it('leave out that what rows are ranked by is there', () => {
    const filters: readonly Filter[] = [{ kind: 'null', column: 'price', negated: true }];
    const order = [{ by: 'price', direction: 'desc' }] as const;

    expect(conditionsOf(listing({ filters, order, limit: 1 }))).toEqual([]);
  });

  it('name the figure that groups are chosen by', () => {
    const plan = figures({
      measures: [{ aggregate: 'avg', column: 'm', label: 'x' }],
      having: [{ measure: 0, operator: '>', value: 4 }],
    });

    expect(figureConditionsOf(plan)).toEqual(['average m is above 4']);
  });
});
