import { beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisPlan, Filter, Measure, RowsPlan } from '../../ports/analysis-plan.js';
import type { Cell } from '../../ports/table.js';
import { isAppError } from '../../shared/app-error.js';
import { aggregate, COUNT, listing, PlanTable } from './plan-compiler.fixture.js';
import type { TableColumn } from '../../plan/plan-columns.js';
import { compilePlan } from './plan-compiler.js';

const COLUMNS: readonly TableColumn[] = [
  { physical: 'c0', name: 'Sold at', type: 'time' },
  { physical: 'c1', name: 'region', type: 'text' },
  { physical: 'c2', name: 'say "hi"', type: 'text' },
  { physical: 'c3', name: 'units', type: 'integer' },
  { physical: 'c4', name: 'revenue', type: 'number' },
  { physical: 'c5', name: 'paid', type: 'boolean' },
];

/** Mondays are 2024-01-01 and 2024-01-08. */
const ROWS = `VALUES
  (TIMESTAMP '2024-01-01 09:00:00', 'North', 'a%b', 1::BIGINT, 10.5::DOUBLE, true),
  (TIMESTAMP '2024-01-07 23:59:59', 'north', 'a_b', 2, 20.0, false),
  (TIMESTAMP '2024-01-08 00:00:00', 'South', 'it''s', 3, NULL, true),
  (TIMESTAMP '2024-02-10 12:00:00', 'South', 'axb', 4, 40.0, NULL),
  (TIMESTAMP '2025-02-10 12:00:00', NULL, NULL, 9007199254740993, -5.25, true)`;

let table: PlanTable;
beforeAll(async () => {
  table = await PlanTable.of(
    COLUMNS.map(({ name, type }) => [name, type]),
    ROWS,
  );
});

function rows(part: Partial<RowsPlan>): RowsPlan {
  return listing({ columns: ['units'], ...part });
}

const answer = (plan: AnalysisPlan): Promise<readonly (readonly Cell[])[]> => table.rows(plan);

function unitsWhere(...filters: readonly Filter[]): Promise<readonly Cell[]> {
  return answer(rows({ filters })).then((found) => found.map(([units]) => units ?? null));
}

describe('measures', () => {
  it.each<[Measure['aggregate'], string | null, Cell]>([
    ['count', null, 5],
    ['count', 'revenue', 4],
    ['count_distinct', 'region', 3],
    ['sum', 'revenue', 65.25],
    ['avg', 'revenue', 16.3125],
    ['min', 'revenue', -5.25],
    ['max', 'units', 9007199254740992],
    ['median', 'revenue', 15.25],
    ['min', 'Sold at', '2024-01-01T09:00:00.000Z'],
    ['max', 'region', 'north'],
  ])('%s of %s is %s, in one row', async (name, column, expected) => {
    const measures = [{ aggregate: name, column, label: 'figure' }];
    expect(await answer(aggregate({ measures }))).toEqual([[expected]]);
  });
});

describe('dimensions', () => {
  it('group by a column, keep rows without a value, which come last', async () => {
    const plan = aggregate({ dimensions: [{ kind: 'column', column: 'region', label: 'region' }] });
    expect(await answer(plan)).toEqual([...Object.entries({ North: 1, South: 2, north: 1 }), [null, 1]]);
  });

  it.each([
    ['hour', ['2024-01-01T09:00', '2024-01-07T23:00', '2024-01-08T00:00', '2024-02-10T12:00', '2025-02-10T12:00']],
    ['week', ['2024-01-01T00:00', '2024-01-08T00:00', '2024-02-05T00:00', '2025-02-10T00:00']],
    ['month', ['2024-01-01T00:00', '2024-02-01T00:00', '2025-02-01T00:00']],
    ['quarter', ['2024-01-01T00:00', '2025-01-01T00:00']],
  ] as const)('give the start of each %s', async (bucket, starts) => {
    const plan = aggregate({ dimensions: [{ kind: 'bucket', column: 'Sold at', bucket, label: 'when' }] });
    expect((await answer(plan)).map(([start]) => start)).toEqual(starts.map((start) => `${start}:00.000Z`));
  });

  it.each([
    ['hour', [0, 9, 12, 23]],
    ['weekday', [1, 6, 7]],
    ['month', [1, 2]],
  ] as const)('give the %s as a number', async (part, numbers) => {
    const plan = aggregate({ dimensions: [{ kind: 'part', column: 'Sold at', part, label: 'when' }] });
    expect((await answer(plan)).map(([number]) => number)).toEqual(numbers);
  });

  it('alone list their distinct values', async () => {
    const plan = aggregate({ measures: [], dimensions: [{ kind: 'column', column: 'paid', label: 'paid' }] });
    expect(await answer(plan)).toEqual([[false], [true], [null]]);
  });
});

describe('filters', () => {
  it('compare texts in any case', async () => {
    expect(await unitsWhere({ kind: 'in', column: 'region', values: ['NORTH'], negated: false })).toEqual([1, 2]);
    expect(await unitsWhere({ kind: 'in', column: 'region', values: ['NORTH'], negated: true })).toEqual([3, 4]);
  });

  it('take values of every type', async () => {
    expect(await unitsWhere({ kind: 'in', column: 'units', values: [1, '3'], negated: false })).toEqual([1, 3]);
    expect(await unitsWhere({ kind: 'in', column: 'paid', values: ['False'], negated: false })).toEqual([2]);
    const values = ['2024-01-08T01:00:00+01:00'];
    expect(await unitsWhere({ kind: 'in', column: 'Sold at', values, negated: false })).toEqual([3]);
  });

  it.each([
    ['<', 2, [1]],
    ['<=', 2, [1, 2]],
    ['>', 3, [4, 9007199254740992]],
    ['>=', 3.5, [4, 9007199254740992]],
    ['=', 3, [3]],
    ['!=', 3, [1, 2, 4, 9007199254740992]],
  ] as const)('compare numbers: units %s %s', async (operator, value, expected) => {
    expect(await unitsWhere({ kind: 'compare', column: 'units', operator, value })).toEqual(expected);
  });

  it('take both ends of a range of numbers', async () => {
    expect(await unitsWhere({ kind: 'between', column: 'revenue', low: 10.5, high: 20 })).toEqual([1, 2]);
  });

  it('take the begin of a range of time, and not its end', async () => {
    const range = { kind: 'time', column: 'Sold at' } as const;
    const week = { ...range, from: '2024-01-01', to: '2024-01-08' };
    expect(await unitsWhere(week)).toEqual([1, 2]);
    expect(await unitsWhere({ ...range, from: '2024-01-08T00:00:00Z', to: null })).toEqual([3, 4, 9007199254740992]);
    expect(await unitsWhere({ ...range, from: null, to: '2024-01-08 00:00:00.001' })).toEqual([1, 2, 3]);
  });

  it('find parts of texts, in which % and _ are ordinary', async () => {
    const part = { kind: 'contains', column: 'say "hi"', negated: false } as const;
    expect(await unitsWhere({ ...part, text: '%' })).toEqual([1]);
    expect(await unitsWhere({ ...part, text: 'A_B' })).toEqual([2]);
    expect(await unitsWhere({ ...part, text: "T'S" })).toEqual([3]);
    expect(await unitsWhere({ ...part, text: 'a', negated: true })).toEqual([3]);
  });

  it('find rows without a value, and must all hold', async () => {
    expect(await unitsWhere({ kind: 'null', column: 'revenue', negated: false })).toEqual([3]);
    expect(await unitsWhere({ kind: 'null', column: 'region', negated: true })).toEqual([1, 2, 3, 4]);
    const south: Filter = { kind: 'in', column: 'region', values: ['South'], negated: false };
    expect(await unitsWhere(south, { kind: 'null', column: 'revenue', negated: true })).toEqual([4]);
  });
});

describe('order, limit and conditions on figures', () => {
  const byRegion = { dimensions: [{ kind: 'column', column: 'region', label: 'where' }] } as const;

  it('break ties by the dimensions', async () => {
    const plan = aggregate({ ...byRegion, order: [{ by: 'n', direction: 'desc' }] });
    expect(await answer(plan)).toEqual([...Object.entries({ South: 2, North: 1, north: 1 }), [null, 1]]);
  });

  it('put what has no value last, in both directions', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const found = await answer(rows({ columns: ['revenue'], order: [{ by: 'revenue', direction }] }));
      expect(found.at(-1)).toEqual([null]);
    }
  });

  it('take a label that is also the name of another column', async () => {
    const measures: Measure[] = [{ aggregate: 'sum', column: 'units', label: 'revenue' }];
    const filters: Filter[] = [{ kind: 'compare', column: 'units', operator: '<', value: 10 }];
    const plan = aggregate({ ...byRegion, measures, filters, order: [{ by: 'revenue', direction: 'desc' }] });
    expect(await answer(plan)).toEqual(Object.entries({ South: 7, north: 2, North: 1 }));
  });

  it('compare figures after grouping', async () => {
    const plan = aggregate({ ...byRegion, having: [{ measure: 0, operator: '>', value: 1 }] });
    expect(await answer(plan)).toEqual([['South', 2]]);
  });

  it('pass over the first ones', async () => {
    const order = [{ by: 'units', direction: 'desc' }] as const;
    const all = await answer(rows({ order }));
    expect(await answer(rows({ order, limit: 1, skip: 1 }))).toEqual(all.slice(1, 2));
    expect(await answer(rows({ order, limit: 2, skip: 2 }))).toEqual(all.slice(2, 4));
    const groups = { ...byRegion, order: [{ by: 'n', direction: 'desc' }] } as const;
    const ranked = await answer(aggregate(groups));
    expect(await answer(aggregate({ ...groups, limit: 1, skip: 1 }))).toEqual(ranked.slice(1, 2));
  });

  it('pass over the first ones of each group', async () => {
    const order = [{ by: 'units', direction: 'desc' }] as const;
    const plan = rows({ columns: ['region', 'units'], order, each: ['region'], limit: 2 });
    const [both, second] = [await answer(plan), await answer({ ...plan, limit: 1, skip: 1 })];
    const isSecond = (_: unknown, place: number): boolean => both[place - 1]?.[0] === both[place]?.[0] && place > 0;
    expect(second).toEqual(both.filter(isSecond));
    expect(second.length).toBeGreaterThan(0);
  });

  it('give one row more than the most, so that the caller sees the cut', () => {
    expect(compilePlan(rows({}), COLUMNS, { maxRows: 10 }).sql).toMatch(/LIMIT 11$/);
    expect(compilePlan(rows({ limit: 500 }), COLUMNS, { maxRows: 10 }).sql).toMatch(/LIMIT 11$/);
    expect(compilePlan(rows({ limit: 10 }), COLUMNS, { maxRows: 10 }).sql).toMatch(/LIMIT 10$/);
  });

  it('list all columns when none is named, and order rows by one that is not listed', async () => {
    const { columns } = compilePlan(rows({ columns: [] }), COLUMNS, { maxRows: 10 }).finish([]);
    expect(columns).toEqual(COLUMNS.map(({ name, type }) => ({ name, type })));
    const plan = rows({ columns: ['region'], order: [{ by: 'units', direction: 'desc' }], limit: 2 });
    expect(await answer(plan)).toEqual([[null], ['South']]);
  });
});

it('shows the query as a person writes it', () => {
  const plan = aggregate({
    measures: [{ aggregate: 'sum', column: 'revenue', label: 'total' }],
    dimensions: [{ kind: 'bucket', column: 'Sold at', bucket: 'month', label: 'month' }],
    filters: [
      { kind: 'in', column: 'region', values: ['North', "O'Neill"], negated: false },
      { kind: 'time', column: 'Sold at', from: '2024-01-01', to: null },
    ],
    having: [{ measure: 0, operator: '>', value: 0.5 }],
    order: [{ by: 'total', direction: 'desc' }],
    limit: 3,
  });
  expect(compilePlan(plan, COLUMNS, { maxRows: 100 }).dbquery).toBe(`SELECT
  date_trunc('month', "Sold at") AS "month",
  sum("revenue") AS "total"
FROM data
WHERE lower("region") IN (lower('North'), lower('O''Neill'))
  AND "Sold at" >= TIMESTAMP '2024-01-01'
GROUP BY 1
HAVING sum("revenue") > 0.5::DOUBLE
ORDER BY "total" DESC NULLS LAST, "month" NULLS LAST
LIMIT 3`);
});

const DAY = { kind: 'bucket', column: 'Sold at', bucket: 'day', label: 'd' } as const;
const where = (filter: Filter): AnalysisPlan => listing({ filters: [filter] });

function problemOf(plan: AnalysisPlan): string {
  try {
    compilePlan(plan, COLUMNS, { maxRows: 100 });
  } catch (error) {
    if (isAppError(error, 'invalid_input')) return error.message;
    throw error;
  }
  return 'none';
}

describe('a plan that does not fit', () => {
  const dimension = { kind: 'column', column: 'region', label: 'n' } as const;

  it.each<[string, AnalysisPlan, RegExp]>([
    ['an unknown column', listing({ columns: ['nope'] }), /no column "nope"/],
    ['a sum of texts', aggregate({ measures: [{ aggregate: 'sum', column: 'region', label: 's' }] }), /sum needs/],
    ['a mean of times', aggregate({ measures: [{ aggregate: 'avg', column: 'Sold at', label: 's' }] }), /avg needs/],
    ['a sum of nothing', aggregate({ measures: [{ aggregate: 'sum', column: null, label: 's' }] }), /lacks a column/],
    ['a label twice', aggregate({ dimensions: [dimension] }), /"n" is used twice/],
    ['an empty label', aggregate({ measures: [{ ...COUNT, label: ' ' }] }), /no label/],
    ['nothing to show', aggregate({ measures: [] }), /neither measures nor dimensions/],
    ['an order by no label', aggregate({ order: [{ by: 'x', direction: 'asc' }] }), /no label of it/],
    ['a condition on no measure', aggregate({ having: [{ measure: 3, operator: '>', value: 1 }] }), /measure 3/],
    ['a bucket of a text', aggregate({ dimensions: [{ ...DAY, column: 'region' }] }), /time column/],
    ['a range of texts', where({ kind: 'between', column: 'region', low: 1, high: 2 }), /column of numbers/],
    ['a search in numbers', where({ kind: 'contains', column: 'units', text: '1', negated: false }), /text column/],
    ['no values', where({ kind: 'in', column: 'region', values: [], negated: false }), /no values/],
    ['a word as a number', where({ kind: 'in', column: 'units', values: ['x'], negated: false }), /can't be "x"/],
    ['no day', where({ kind: 'time', column: 'Sold at', from: '2024-02-30', to: null }), /no ISO 8601 time/],
    ['infinity', where({ kind: 'compare', column: 'units', operator: '>', value: Infinity }), /not finite/],
    ['a limit of nothing', listing({ limit: 0 }), /limit/],
    ['half a limit', listing({ limit: 1.5 }), /limit/],
    ...[-1, 0.5, Number.NaN].map((skip): [string, AnalysisPlan, RegExp] => [
      `${skip} to skip`,
      listing({ skip }),
      /skips/,
    ]),
  ])('is refused with a sentence: %s', (_, plan, sentence) => {
    expect(problemOf(plan)).toMatch(sentence);
  });

  it.each<[string, unknown]>([
    ['an aggregate', aggregate({ measures: [{ aggregate: 'sleep' as 'sum', column: 'units', label: 's' }] })],
    ['a bucket', aggregate({ dimensions: [{ ...DAY, bucket: "day', now())--" as 'day' }] })],
    ['an operator', where({ kind: 'compare', column: 'units', operator: '; DROP' as '=', value: 1 })],
  ])('is refused when a model made up %s', (_, plan) => {
    expect(problemOf(plan as AnalysisPlan)).not.toBe('none');
  });
});
