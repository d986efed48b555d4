import { describe, expect, it } from 'vitest';
import type { AnalysisPlan, Computed, Expression, Filter, Measure, Summary } from '../ports/analysis-plan.js';
import { figures, listing, statistic } from '../ports/plans.fixture.js';
import {
  conditionsOf,
  few,
  figureConditionsOf,
  labelOfComputed,
  labelOfDimension,
  labelOfMeasure,
  measureWords,
  pictureWords,
  purposeOf,
  summaryWords,
} from './wording.js';

function time(from: string | null, to: string | null): Filter {
  return { kind: 'time', column: 'time', from, to };
}

type Against = Extract<Filter, { kind: 'against' }>;
const against = (parts: Partial<Against>): Filter => ({
  ...{ kind: 'against', column: 'a', operator: '=', aggregate: 'max', reach: 'matching' },
  ...parts,
});
const outlier = (parts: Partial<Extract<Filter, { kind: 'outlier' }>>): Filter => ({
  ...{ kind: 'outlier', column: 'a', method: 'zscore', threshold: 3, population: false, negated: false },
  ...parts,
});
const isIn = (column: string, values: readonly (string | number)[], negated = false): Filter => ({
  ...{ kind: 'in', column, values, negated },
});
const ANN = { column: 'name', value: 'Ann' };
const A_MISSING = { kind: 'null', column: 'a', negated: false } as const;
const B_PRESENT = { kind: 'null', column: 'b', negated: true } as const;
const B_LOW = { kind: 'compare', column: 'b', operator: '<', value: 1 } as const;
const A_OTHER = { kind: 'compare', column: 'a', operator: '!=', value: 2 } as const;
const inYear = (year: number) =>
  ({ kind: 'time', column: 'time', from: `${year}-01-01`, to: `${year + 1}-01-01` }) as const;

describe('the conditions of a plan in words', () => {
  it.each<[Filter, string]>([
    [isIn('location', ['Seattle']), 'location is Seattle'],
    [isIn('location', ['A', 'B'], true), 'location is not A or B'],
    [isIn('n', [...Array(14).keys()]), 'n is 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 2 more'],
    [isIn('name', ['', 'x']), 'name is empty or x'],
    [{ kind: 'compare', column: 'price', operator: '>=', value: 5 }, 'price is at least 5'],
    [{ kind: 'between', column: 'price', low: 1, high: 2 }, 'price is between 1 and 2'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: true }, 'name does not contain “pro”'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: false, at: 'start' }, 'name starts with “pro”'],
    [{ kind: 'contains', column: 'name', text: 'pro', negated: true, at: 'end' }, 'name does not end with “pro”'],
    [A_MISSING, 'a is missing'],
    [{ kind: 'columns', left: 'a', operator: '>', right: 'b' }, 'a is above b'],
    [against({ reach: 'all' }), 'a is the highest of all rows'],
    [against({ aggregate: 'min' }), 'a is the lowest'],
    [against({ factor: 2 }), 'a is equal to 2 times the highest a'],
    [against({ of: 'b' }), 'a is equal to the highest b'],
    [
      against({ operator: '>=', aggregate: 'percentile', parameter: 0.9, reach: 'all' }),
      'a is at least the 90th percentile of a of all rows',
    ],
    [against({ operator: '>', aggregate: 'avg', factor: 2 }), 'a is above 2 times the average a'],
    [
      against({ operator: '>', aggregate: 'avg', among: ANN, reach: 'all' }),
      'a is above the average a where name is Ann',
    ],
    [
      against({ operator: '<', aggregate: 'min', among: ANN, reach: 'all' }),
      'a is below the lowest a where name is Ann',
    ],
    [outlier({}), 'a is an outlier (further than 3 standard deviations from the mean)'],
    [
      outlier({ population: true, negated: true }),
      'a is no outlier (further than 3 population standard deviations from the mean)',
    ],
    [
      outlier({ method: 'iqr', threshold: 1.5 }),
      'a is an outlier (further than 1.5 times the interquartile range from the quartiles)',
    ],
    [
      { kind: 'any', of: [[A_MISSING, B_LOW], [A_OTHER]] },
      'either (a is missing and b is below 1) or a is other than 2',
    ],
    [{ kind: 'any', of: [[A_MISSING], [B_PRESENT]] }, 'either a is missing or b is present'],
    [{ kind: 'any', of: [[inYear(2023)], [inYear(2024)]] }, 'time is in 2023 or in 2024'],
    [time('2024-05-01', '2024-06-01'), 'time is in May 2024'],
    [time('2024-05-20', '2024-05-21'), 'time is on 2024-05-20'],
    [time('2024-05-27', null), 'time is 2024-05-27 or later'],
  ])('%j', (filter, words) => {
    expect(conditionsOf(listing({ filters: [filter] }))).toEqual([words]);
  });

  it.each([
    ['weekday', [1, 7], 'part is Monday or Sunday'],
    ['month', [3], 'part is March'],
    ['hour', [9, 17], 'part is 09:00 or 17:00'],
    ['day', [3], 'part is 3'],
  ] as const)('name a %s as people do', (part, values, words) => {
    const derived = [{ name: 'part', expression: { kind: 'part', column: 'time', part } }] as const;
    expect(conditionsOf(listing({ derived, filters: [isIn('part', values)] }))).toEqual([words]);
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

type Unlabelled<T> = T extends unknown ? Omit<T, 'label'> : never;

/** Cases named by the words that are expected. */
function byWords<T>(cases: readonly (readonly [T, string])[]): readonly { readonly of: T; readonly words: string }[] {
  return cases.map(([of, words]) => ({ of, words }));
}

const TOTAL: Measure = { aggregate: 'sum', column: 'fare', label: 'x' };
const COUNT: Measure = { aggregate: 'count', column: null, label: 'n' };
const BY_A = { measures: [TOTAL], dimensions: [{ kind: 'column', column: 'a', label: 'a' }] } as const;
const SHARE = { kind: 'share', of: 0, label: 's' } as const;
const ASCENDING = { by: 'x', direction: 'asc' } as const;
const a: Expression = { kind: 'column', column: 'a' };
const MORE: Expression = { kind: 'arithmetic', operator: '+', left: a, right: { kind: 'number', value: 2 } };

describe('a plan in words', () => {
  it.each(
    byWords<AnalysisPlan>([
      [listing({}), 'rows'],
      [listing({ columns: ['a', 'b'], distinct: true }), 'different a and b'],
      [listing({ columns: ['a'], limit: 3, each: ['b'] }), 'a, the first 3 of each b'],
      [listing({ limit: 3 }), 'rows'],
      [listing({ order: [{ by: 'a', direction: 'asc' }] }), 'rows by a, lowest first'],
      [listing({ order: [{ by: 'a', direction: 'desc' }], limit: 1 }), 'the row with the highest a'],
      [
        listing({ columns: ['b'], order: [{ by: 'a', direction: 'desc' }], limit: 2, skip: 1, each: ['c', 'd'] }),
        'b of the 2 rows with the second highest a of each c and d',
      ],
      [figures({ dimensions: BY_A.dimensions }), 'different values of a'],
      [figures({ measures: [TOTAL, COUNT] }), 'total fare and number of rows'],
      [
        figures({ ...BY_A, having: [{ measure: 0, operator: '>', value: 5 }], order: [ASCENDING], limit: 3 }),
        'total fare by a, only with a total fare above 5, the 3 lowest',
      ],
      [
        figures({ ...BY_A, computed: [SHARE], order: [{ by: 's', direction: 'desc' }], limit: 1 }),
        'share of total fare by a, the highest',
      ],
      [
        statistic({ method: 'regression', columns: ['a', 'b', 'c'], at: [1, 2] }),
        'linear regression of a on b and c at 1 and 2',
      ],
      [statistic({ method: 'welch_t_test', columns: ['a'], by: 'b' }), 'Welch’s t-test of a by b'],
      [statistic({ method: 'one_sample_t_test', columns: ['a'], value: 5 }), 't-test of a against 5'],
      [
        listing({ derived: [{ name: 'm', expression: MORE }], filters: [{ ...B_LOW, column: 'm' }] }),
        'rows, where m is below 1, taking that m is a + 2',
      ],
      [listing({ derived: [{ name: 'A + 2', expression: MORE }] }), 'rows'],
    ]),
  )('$words', ({ of, words }) => {
    expect(purposeOf(of)).toBe(words);
  });

  it('say above a picture neither how columns came about nor at what a regression was asked', () => {
    const plan = statistic({ method: 'regression', columns: ['a', 'm'], at: [1] });

    expect(pictureWords({ ...plan, derived: [{ name: 'm', expression: MORE }] })).toBe('linear regression of a on m');
  });

  it('names a table that is joined', () => {
    expect(purposeOf({ ...listing({}), join: { table: 'shops', relation: 'r' } })).toBe('rows, joined with shops');
  });

  it('counts what is too much to name', () => {
    expect(few(['a', 'b', 'c', 'd', 'e', 'f', 'g'])).toBe('a, b, c, d, e, f and g');
    expect(few(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])).toBe('a, b, c, d, e, f and 2 more');
  });
});

describe('a derived column', () => {
  it.each(
    byWords<Expression>([
      [{ kind: 'arithmetic', operator: '*', left: MORE, right: a }, '(a + 2) * a'],
      [{ kind: 'function', function: 'log10', of: MORE }, 'logarithm to the base 10 of (a + 2)'],
      [{ kind: 'part', column: 'a', part: 'day' }, 'day of the month of a'],
      [{ kind: 'part', column: 'a', part: 'hour' }, 'hour of a'],
      [{ kind: 'length', column: 'a', unit: 'words' }, 'number of words of a'],
      [{ kind: 'duration', from: 'a', to: 'b', unit: 'days' }, 'days from a to b'],
      [{ kind: 'filled', column: 'a', with: 'mean' }, 'a with its mean where it is missing'],
      [{ kind: 'filled', column: 'a', with: 0 }, 'a with 0 where it is missing'],
      [{ kind: 'scaled', method: 'zscore', of: a, population: true }, 'population z-score of a'],
      [{ kind: 'scaled', method: 'zscore', of: a, population: false }, 'z-score of a'],
      [{ kind: 'scaled', method: 'minmax', of: a, population: false }, 'a scaled from 0 to 1'],
      [{ kind: 'bins', of: a, edges: [1, 2], labels: null, closed: 'left' }, 'a in ranges that end at 1 and 2'],
      [{ kind: 'equal_bins', of: a, count: 4, equal: 'width' }, 'a in 4 ranges of equal width'],
      [{ kind: 'equal_bins', of: a, count: 4, equal: 'rows' }, 'a in 4 ranges of equal size'],
      [
        { kind: 'case', cases: [{ filters: [A_OTHER, B_PRESENT], value: 'low' }], otherwise: 'high' },
        '“low” where a is other than 2 and b is present and else “high”',
      ],
      [{ kind: 'case', cases: [{ filters: [B_PRESENT], value: 1 }], otherwise: null }, '“1” where b is present'],
    ]),
  )('$words', ({ of, words }) => {
    expect(purposeOf(listing({ derived: [{ name: 'm', expression: of }] }))).toBe(`rows, taking that m is ${words}`);
  });
});

describe('a figure', () => {
  it.each(
    byWords<Omit<Measure, 'label'>>([
      [{ aggregate: 'count', column: 'a' }, 'number of a values'],
      [{ aggregate: 'count_distinct', column: 'a' }, 'number of different a values'],
      [{ aggregate: 'missing', column: 'a' }, 'number of missing a values'],
      [{ aggregate: 'percentile', column: 'a', parameter: 0.25 }, 'first quartile of a'],
      [{ aggregate: 'percentile', column: 'a', parameter: 0.75 }, 'third quartile of a'],
      [{ aggregate: 'percentile', column: 'a', parameter: 0.95 }, '95th percentile of a'],
      [{ aggregate: 'correlation', column: 'a', second: 'b' }, 'correlation of a and b'],
      [{ aggregate: 'slope', column: 'a', second: 'b' }, 'slope of a on b'],
      [{ aggregate: 'max', column: 'a', filters: [B_PRESENT] }, 'highest a where b is present'],
    ]),
  )('$words', ({ of, words }) => {
    expect(measureWords(of)).toBe(words);
    expect(labelOfMeasure(of)).toBe(words.replace('number of ', ''));
  });

  it.each(
    byWords<Unlabelled<Computed>>([
      [{ kind: 'cumulative', of: 0 }, 'running total of A'],
      [{ kind: 'cumulative_share', of: 0 }, 'running share of A'],
      [{ kind: 'change', of: 0 }, 'change of A'],
      [{ kind: 'growth', of: 0 }, 'growth of A'],
      [{ kind: 'moving_average', of: 0 }, 'moving average of A over 3'],
      [{ kind: 'moving_average', of: 0, window: 7 }, 'moving average of A over 7'],
      [{ kind: 'rank', of: 1 }, 'rank by B'],
      [{ kind: 'ratio', left: 0, right: 1 }, 'ratio of A to B'],
      [{ kind: 'percent', left: 0, right: 1 }, 'A as percent of B'],
      [{ kind: 'difference', left: 0, right: 1 }, 'A minus B'],
      [{ kind: 'sum', left: 0, right: 1 }, 'A plus B'],
      [{ kind: 'product', left: 0, right: 1 }, 'A times B'],
      [{ kind: 'percent_change', left: 0, right: 2 }, 'percent change of A against figure'],
    ]),
  )('that is worked out: $words', ({ of, words }) => {
    expect(labelOfComputed(of, ['A', 'B'])).toBe(words);
  });

  it.each(
    byWords<Omit<Summary, 'label'>>([
      [{ aggregate: 'avg', measure: 0 }, 'average of total fare'],
      [{ aggregate: 'max', measure: 1 }, 'highest share of total fare'],
      [{ aggregate: 'count', measure: null }, 'number of groups'],
      [{ aggregate: 'sum', measure: null }, 'number of groups'],
    ]),
  )('over groups: $words', ({ of, words }) => {
    const plan = figures({ measures: [TOTAL], computed: [SHARE] });
    expect(summaryWords({ ...of, label: 'y' }, plan)).toBe(words);
  });

  it('is grouped by columns, pieces and parts of time', () => {
    expect(labelOfDimension({ kind: 'bucket', column: 'time', bucket: 'month' })).toBe('month');
    expect(labelOfDimension({ kind: 'part', column: 'time', part: 'month' })).toBe('month of the year');
    expect(labelOfDimension({ kind: 'part', column: 'time', part: 'hour' })).toBe('hour of the day');
  });
});
