import { beforeAll, describe, expect, it } from 'vitest';
import type { DerivedColumn, Expression, Filter } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';
import { aggregate, COUNT, grouped, listing, PlanTable } from './plan-compiler.fixture.js';

let table: PlanTable;
beforeAll(async () => {
  table = await PlanTable.of(
    Object.entries({
      ...({ id: 'integer', price: 'number', units: 'integer', word: 'text' } as const),
      ...({ begin: 'time', end: 'time', paid: 'boolean' } as const),
    }),
    `VALUES
      (1, 10, 3, 'red apple', TIMESTAMP '2024-01-01 08:30:00', TIMESTAMP '2024-01-01 10:00:00', true),
      (2, 20, 0, 'Pear', TIMESTAMP '2024-02-29 23:59:00', TIMESTAMP '2024-03-01 23:59:00', false),
      (3, 40, 2, '  big  red  plum ', TIMESTAMP '2021-01-01 00:00:00', TIMESTAMP '2020-12-31 00:00:00', true),
      (4, NULL, 5, NULL, NULL, TIMESTAMP '2024-01-01', NULL),
      (5, -8, NULL, '', TIMESTAMP '2024-06-10 12:05:59', NULL, true)`,
  );
});

const column = (name: string): Expression => ({ kind: 'column', column: name });
const number = (value: number): Expression => ({ kind: 'number', value });
const arithmetic = (left: Expression, operator: '+' | '-' | '*' | '/', right: Expression): Expression => ({
  ...{ kind: 'arithmetic', operator, left, right },
});

const scaled = (of: Expression): Expression => ({ kind: 'scaled', method: 'minmax', of, population: false });

/** The values of an expression by the rows' id. */
async function valuesOf(expression: Expression, filters: readonly Filter[] = []): Promise<readonly Cell[]> {
  const order = [{ by: 'id', direction: 'asc' }] as const;
  const rows = await table.rows(listing({ columns: ['x'], derived: [{ name: 'x', expression }], filters, order }));
  return rows.map(([cell]) => cell ?? null);
}

const of = (name: 'log' | 'sqrt' | 'log10' | 'exp' | 'log1p' | 'round' | 'square', what: Expression): Expression => ({
  ...{ kind: 'function', function: name, of: what },
});
const part = (name: 'year' | 'quarter' | 'week' | 'day' | 'weekday' | 'minute'): Expression => ({
  ...{ kind: 'part', column: 'begin', part: name },
});
const duration = (unit: 'hours' | 'days'): Expression => ({ kind: 'duration', from: 'begin', to: 'end', unit });
const length = (unit: 'characters' | 'words'): Expression => ({ kind: 'length', column: 'word', unit });
const filled = (name: string, by: 'mean' | 'median' | 'mode' | number): Expression => ({
  ...{ kind: 'filled', column: name, with: by },
});
const bins = { kind: 'bins', of: column('price'), edges: [10, 20], labels: null, closed: 'left' } as const;
/** -8 to 40 in steps of 16: 8 and 24 are the limits. */
const numbered = { kind: 'equal_bins', of: column('price'), count: 3, equal: 'width' } as const;
const high: Filter = { kind: 'compare', column: 'price', operator: '>=', value: 20 };
const highAndUnsold: readonly Filter[] = [high, { kind: 'null', column: 'units', negated: false }];
const NEVER_HIGH_LOW: Expression = {
  kind: 'case',
  cases: [
    { filters: highAndUnsold, value: 'never' },
    { filters: [high], value: 'high' },
  ],
  otherwise: 'low',
};
const NOTHING = Array<null>(5).fill(null);

describe('an expression', () => {
  it.each<[string, Expression, readonly Cell[]]>([
    ['does not cut what is divided', arithmetic(column('units'), '/', number(2)), [1.5, 0, 1, 2.5, null]],
    ['gives nothing by zero', arithmetic(column('price'), '/', column('units')), [10 / 3, null, 20, null, null]],
    [
      'keeps its order',
      arithmetic(number(50), '-', arithmetic(column('price'), '-', number(1))),
      [41, 31, 11, null, 59],
    ],
    ['goes below zero', arithmetic(column('units'), '-', number(-5)), [8, 5, 7, 10, null]],
    ['counts what is true as one', arithmetic(column('paid'), '+', column('units')), [4, 0, 3, null, null]],
    ['has no logarithm of zero', of('log10', number(0)), NOTHING],
    ['has no power beyond all numbers', of('exp', number(1000)), NOTHING],
    ['is squared', of('square', column('price')), [100, 400, 1600, null, 64]],
    ['is rounded', of('round', number(2.5)), [3, 3, 3, 3, 3]],
    ['counts characters', length('characters'), [9, 4, 17, null, 0]],
    ['counts words', length('words'), [2, 1, 3, null, 0]],
    ['is a year', part('year'), [2024, 2024, 2021, null, 2024]],
    ['is a quarter', part('quarter'), [1, 1, 1, null, 2]],
    ['is a week', part('week'), [1, 9, 53, null, 24]],
    ['is a day', part('day'), [1, 29, 1, null, 10]],
    ['is a weekday', part('weekday'), [1, 4, 5, null, 1]],
    ['is a minute', part('minute'), [30, 59, 0, null, 5]],
    ['is a duration, also backwards', duration('hours'), [1.5, 24, -24, null, null]],
    ['is a duration with fractions', duration('days'), [0.0625, 1, -1, null, null]],
    ['is filled by the mean', filled('units', 'mean'), [3, 0, 2, 5, 2.5]],
    ['is filled by the median', filled('units', 'median'), [3, 0, 2, 5, 2.5]],
    ['is filled by a number', filled('price', 7), [10, 20, 40, 7, -8]],
    ['is filled by what is most frequent', filled('word', 'mode'), ['red apple', 'Pear', '  big  red  plum ', '', '']],
    ['is an interval', bins, ['10 to 20', '20 and above', '20 and above', null, 'below 10']],
    [
      'is an interval closed on the right',
      { ...bins, closed: 'right' },
      ['up to 10', '10 to 20', 'above 20', null, 'up to 10'],
    ],
    ['takes labels for all intervals', { ...bins, labels: ['c', 'b', 'a'] }, ['b', 'a', 'a', null, 'c']],
    ['takes labels for those inside of the limits', { ...bins, labels: ['in'] }, ['in', null, null, null, null]],
    ['numbers intervals of equal width', numbered, [2, 2, 3, null, 1]],
    ['numbers intervals of as many rows', { ...numbered, equal: 'rows', count: 2 }, [1, 2, 2, null, 1]],
    ['has one interval of what is all the same', { ...numbered, of: number(1) }, [1, 1, 1, 1, 1]],
    ['has one of as many rows, too', { ...numbered, of: number(1), equal: 'rows' }, [1, 1, 1, 1, 1]],
    ['is the first case that holds', NEVER_HIGH_LOW, ['low', 'high', 'high', 'low', 'low']],
    [
      'is nothing where no case holds',
      { kind: 'case', cases: [{ filters: [high], value: 1 }], otherwise: null },
      [null, 1, 1, null, null],
    ],
  ])('%s', async (_, expression, expected) => {
    expect(await valuesOf(expression)).toEqual(expected);
  });

  it('of whole numbers is whole', async () => {
    const derived: DerivedColumn[] = [
      { name: 'a', expression: arithmetic(column('units'), '+', number(1)) },
      { name: 'b', expression: arithmetic(column('units'), '/', number(1)) },
    ];
    const { columns } = await table.answer(listing({ columns: ['a', 'b'], derived }));
    expect(columns.map(({ type }) => type)).toEqual(['integer', 'number']);
  });

  it('that overflows is asked again, and does not fail', async () => {
    const huge = arithmetic(number(2 ** 53 - 1), '*', arithmetic(number(2 ** 53 - 1), '*', column('units')));
    const plan = listing({ columns: ['x'], derived: [{ name: 'x', expression: huge }], limit: 1 });
    expect((await table.careful(plan)).rows).toEqual([[(2 ** 53 - 1) * (2 ** 53 - 1) * 3]]);
  });

  it('gives what mathematics says, and nothing where it says nothing', async () => {
    const [ten, twenty, , none, negative] = await valuesOf(of('log', column('price')));
    expect([ten, twenty]).toEqual([expect.closeTo(Math.log(10), 12), expect.closeTo(Math.log(20), 12)]);
    expect([none, negative]).toEqual([null, null]);
    for (const name of ['sqrt', 'log1p'] as const)
      expect((await valuesOf(of(name, column('price')))).slice(3)).toEqual([null, null]);
    expect((await valuesOf(of('log1p', column('price'))))[0]).toBeCloseTo(Math.log1p(10), 12);
  });

  it('has as many labels as intervals, whose limits ascend', async () => {
    await expect(valuesOf({ ...bins, labels: ['a', 'b'] })).rejects.toThrow(/2 limits need 3, or 1/);
    await expect(valuesOf({ ...bins, edges: [2, 2] })).rejects.toThrow(/must ascend/);
  });

  it('of intervals comes in their own order, not in that of the alphabet', async () => {
    const derived: DerivedColumn[] = [{ name: 'size', expression: { ...bins, edges: [5, 15, 100] } }];
    const rows = await table.rows(aggregate({ derived, dimensions: [grouped('size')] }));
    expect(rows).toEqual([...Object.entries({ 'below 5': 1, '5 to 15': 1, '15 to 100': 2 }), [null, 1]]);
  });
});

describe('what is scaled', () => {
  const some: Filter = { kind: 'compare', column: 'price', operator: '>', value: 0 };

  it('is scaled over the rows that fit conditions on the table', async () => {
    const zscore = { kind: 'scaled', method: 'zscore', of: column('price'), population: false } as const;
    // Of 10, 20 and 40: mean 70 / 3, variance of the sample 700 / 3.
    const expected = [10, 20, 40].map((value) => (value - 70 / 3) / Math.sqrt(700 / 3));
    for (const [index, value] of (await valuesOf(zscore, [some])).entries())
      expect(value).toBeCloseTo(expected[index] ?? Number.NaN, 12);
    const [first] = await valuesOf({ ...zscore, population: true }, [some]);
    expect(first).toBeCloseTo((10 - 70 / 3) / Math.sqrt(700 / 3 / 1.5), 12);
    expect(await valuesOf({ ...zscore, method: 'minmax' }, [some])).toEqual([0, 1 / 3, 1]);
  });

  it('is not scaled again by conditions on itself', async () => {
    const derived = [{ name: 'z', expression: scaled(column('price')) }];
    const filters: Filter[] = [some, { kind: 'compare', column: 'z', operator: '>', value: 0.1 }];
    expect(await table.rows(listing({ columns: ['price', 'z'], derived, filters }))).toEqual([
      [20, 1 / 3],
      [40, 1],
    ]);
  });

  it('is nothing where all values are the same', async () => {
    const same = { kind: 'scaled', method: 'zscore', of: number(5), population: false } as const;
    expect(await valuesOf(same)).toEqual(Array(5).fill(null));
  });
});

describe('cases', () => {
  it('can be compared with one row by a column that is scaled over all', async () => {
    const derived = [{ name: 'share', expression: scaled(column('price')) }];
    const among = { column: 'share', value: 0 };
    const average = { kind: 'against', column: 'price', operator: '>', aggregate: 'avg' } as const;
    const filters: Filter[] = [{ ...average, among, reach: 'all' }];
    // The share of the lowest price, -8, is 0.
    expect(await table.rows(listing({ columns: ['price'], derived, filters }))).toEqual([[10], [20], [40]]);
  });

  it('can look at other rows', async () => {
    const above: Filter = { kind: 'against', column: 'price', operator: '>', aggregate: 'avg', reach: 'matching' };
    const expression = { kind: 'case', cases: [{ filters: [above], value: true }], otherwise: false } as const;
    // The average of 10, 20, 40 and -8 is 15.5.
    expect(await valuesOf(expression)).toEqual([false, true, true, false, false]);
  });
});

describe('derived columns', () => {
  it('can be made of others, whatever other rows they look at', async () => {
    const derived: DerivedColumn[] = [
      { name: 'total', expression: arithmetic(column('price'), '*', column('units')) },
      { name: 'share', expression: scaled(column('total')) },
      { name: 'percent', expression: arithmetic(column('share'), '*', number(100)) },
    ];
    const filters: Filter[] = [{ kind: 'null', column: 'percent', negated: true }];
    expect(await table.rows(listing({ columns: ['total', 'percent'], derived, filters }))).toEqual([
      [30, 37.5],
      [0, 0],
      [80, 100],
    ]);
  });

  it.each<[string, readonly DerivedColumn[], RegExp]>([
    ['has the name of one of the table', [{ name: 'PRICE', expression: number(1) }], /column "PRICE" already/],
    ['has the name of another', ['a', 'A'].map((name) => ({ name, expression: number(1) })), /"A" already/],
    ['speaks of a later one', ['b', 'a'].map((of, at) => ({ name: 'ab'.charAt(at), expression: column(of) })), /"b"/],
    ['speaks of itself', [{ name: 'a', expression: column('a') }], /no column "a"/],
    ['has no name', [{ name: ' ', expression: number(1) }], /no name/],
    ['adds up texts', [{ name: 'a', expression: arithmetic(column('word'), '+', number(1)) }], /column of numbers/],
  ])('are refused when one %s', async (_, derived, sentence) => {
    await expect(table.rows(listing({ columns: ['id'], derived }))).rejects.toThrow(sentence);
  });

  it('are refused when they are nested without end', async () => {
    const deep = Array.from({ length: 5000 }).reduce<Expression>(
      (of) => ({ kind: 'function', function: 'abs', of }),
      number(1),
    );
    await expect(valuesOf(deep)).rejects.toThrow(/nested too deeply/);
  });

  it('are aggregated in one pass over the table', async () => {
    const derived: DerivedColumn[] = [{ name: 'total', expression: arithmetic(column('price'), '*', column('units')) }];
    const plan = aggregate({ derived, measures: [COUNT, { aggregate: 'sum', column: 'total', label: 'sum' }] });
    expect(await table.rows(plan)).toEqual([[5, 110]]);
    const explained = await table.select(`EXPLAIN ${table.dbquery(plan)}`);
    expect(String(explained[0]?.[1]).match(/SEQ_SCAN|TABLE_SCAN/g)).toHaveLength(1);
  });
});
