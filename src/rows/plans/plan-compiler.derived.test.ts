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

describe('arithmetic', () => {
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
});

describe('functions', () => {
  const of = (name: 'log' | 'sqrt' | 'log10' | 'exp' | 'log1p' | 'round' | 'square'): Expression => ({
    ...{ kind: 'function', function: name, of: column('price') },
  });

  it('give nothing where they are not defined', async () => {
    for (const name of ['log', 'sqrt', 'log1p'] as const)
      expect((await valuesOf(of(name))).slice(3)).toEqual([null, null]);
    for (const [name, value] of [['log10', 0] as const, ['exp', 1000] as const])
      expect(await valuesOf({ kind: 'function', function: name, of: number(value) })).toEqual(Array(5).fill(null));
  });

  it('give what mathematics says elsewhere', async () => {
    expect((await valuesOf(of('log')))[1]).toBeCloseTo(Math.log(20), 12);
    expect((await valuesOf(of('log1p')))[0]).toBeCloseTo(Math.log1p(10), 12);
    expect(await valuesOf(of('square'))).toEqual([100, 400, 1600, null, 64]);
    expect((await valuesOf({ kind: 'function', function: 'round', of: number(2.5) }))[0]).toBe(3);
  });
});

describe('texts and times', () => {
  it('have lengths', async () => {
    expect(await valuesOf({ kind: 'length', column: 'word', unit: 'characters' })).toEqual([9, 4, 17, null, 0]);
    expect(await valuesOf({ kind: 'length', column: 'word', unit: 'words' })).toEqual([2, 1, 3, null, 0]);
  });

  it.each([
    ['year', [2024, 2024, 2021, null, 2024]],
    ['quarter', [1, 1, 1, null, 2]],
    ['week', [1, 9, 53, null, 24]],
    ['day', [1, 29, 1, null, 10]],
    ['weekday', [1, 4, 5, null, 1]],
    ['minute', [30, 59, 0, null, 5]],
  ] as const)('have a %s', async (part, expected) => {
    expect(await valuesOf({ kind: 'part', column: 'begin', part })).toEqual(expected);
  });

  it('have a duration with fractions, also backwards', async () => {
    const hours = { kind: 'duration', from: 'begin', to: 'end', unit: 'hours' } as const;
    expect(await valuesOf(hours)).toEqual([1.5, 24, -24, null, null]);
    expect((await valuesOf({ ...hours, unit: 'days' }))[0]).toBe(0.0625);
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

describe('what is filled', () => {
  it('has a figure or a number where there was no value', async () => {
    expect(await valuesOf({ kind: 'filled', column: 'units', with: 'mean' })).toEqual([3, 0, 2, 5, 2.5]);
    expect(await valuesOf({ kind: 'filled', column: 'units', with: 'median' })).toEqual([3, 0, 2, 5, 2.5]);
    expect(await valuesOf({ kind: 'filled', column: 'price', with: 7 })).toEqual([10, 20, 40, 7, -8]);
    expect((await valuesOf({ kind: 'filled', column: 'word', with: 'mode' }))[3]).toBe('');
  });
});

describe('intervals', () => {
  const bins = { kind: 'bins', of: column('price'), edges: [10, 20], labels: null, closed: 'left' } as const;

  it('are named by their limits', async () => {
    expect(await valuesOf(bins)).toEqual(['10 to 20', '20 and above', '20 and above', null, 'below 10']);
    const right = ['up to 10', '10 to 20', 'above 20', null, 'up to 10'];
    expect(await valuesOf({ ...bins, closed: 'right' })).toEqual(right);
  });

  it('take labels for all, or for those inside of the limits', async () => {
    expect(await valuesOf({ ...bins, labels: ['c', 'b', 'a'] })).toEqual(['b', 'a', 'a', null, 'c']);
    expect(await valuesOf({ ...bins, labels: ['in'] })).toEqual(['in', null, null, null, null]);
    await expect(valuesOf({ ...bins, labels: ['a', 'b'] })).rejects.toThrow(/2 limits need 3, or 1/);
    await expect(valuesOf({ ...bins, edges: [2, 2] })).rejects.toThrow(/must ascend/);
  });

  it('come in their own order, not in that of the alphabet', async () => {
    const derived: DerivedColumn[] = [{ name: 'size', expression: { ...bins, edges: [5, 15, 100] } }];
    const rows = await table.rows(aggregate({ derived, dimensions: [grouped('size')] }));
    expect(rows).toEqual([...Object.entries({ 'below 5': 1, '5 to 15': 1, '15 to 100': 2 }), [null, 1]]);
  });

  it('of equal width or rows are numbered', async () => {
    const numbered = { kind: 'equal_bins', of: column('price'), count: 3, equal: 'width' } as const;
    // -8 to 40 in steps of 16: 8 and 24 are the limits.
    expect(await valuesOf(numbered)).toEqual([2, 2, 3, null, 1]);
    expect(await valuesOf({ ...numbered, equal: 'rows', count: 2 })).toEqual([1, 2, 2, null, 1]);
    expect(await valuesOf({ ...numbered, of: number(1) })).toEqual([1, 1, 1, 1, 1]);
    expect(await valuesOf({ ...numbered, of: number(1), equal: 'rows' })).toEqual([1, 1, 1, 1, 1]);
  });
});

describe('cases', () => {
  const high: Filter = { kind: 'compare', column: 'price', operator: '>=', value: 20 };

  it('give the value of the first that holds', async () => {
    const cases = [
      { filters: [high, { kind: 'null', column: 'units', negated: false } as const], value: 'never' },
      { filters: [high], value: 'high' },
    ];
    expect(await valuesOf({ kind: 'case', cases, otherwise: 'low' })).toEqual(['low', 'high', 'high', 'low', 'low']);
    const numbers: Expression = { kind: 'case', cases: [{ filters: [high], value: 1 }], otherwise: null };
    expect(await valuesOf(numbers)).toEqual([null, 1, 1, null, null]);
  });

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
