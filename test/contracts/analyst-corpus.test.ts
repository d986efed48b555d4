import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  corpusQuestions,
  corpusTables,
  relationOf,
  SPLITS,
  TrueTable,
  type CorpusQuestion,
  type Split,
} from '../../bench/reader/corpus.js';
import { plainCell } from '../../bench/reader/cells.js';
import { gradeRows, type Rows, type RowsWanted } from '../../bench/reader/grade-rows.js';
import { by, figures, is, listing, of, rowCount } from '../../src/analyst/plans.fixture.js';
import type { AnalysisPlan, Dimension, Filter } from '../../src/ports/analysis-plan.js';

/** Read once for all tests. */
const tables = corpusTables();
const sets = new Map(SPLITS.map((split) => [split, corpusQuestions(split)]));
const setsOf = async (split: Split): Promise<Awaited<ReturnType<typeof corpusQuestions>>> =>
  (await sets.get(split)) ?? new Map();

/** Every question of a part of the corpus. */
async function questionsOf(split: Split): Promise<readonly CorpusQuestion[]> {
  return [...(await setsOf(split)).values()].flat();
}

// Of the test part nothing but totals is looked at: nobody reads its questions, not even when a test fails.
function wanted(rows: Rows, changes: Partial<RowsWanted> = {}): RowsWanted {
  return { ...rows, ordered: null, percent: false, ...changes };
}

describe('the corpus of the analyst', () => {
  it('has tables that can be opened, with rows', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const isLong = process.env['TEST_LONG'] === '1';
    for (const table of [...(await tables).values()].filter((_, index) => isLong || index % 24 === 0)) {
      // All cells are read: a count alone would pass over those that are of another type.
      const rows = await connection.runAndReadAll(`SELECT * FROM ${relationOf(table)}`);
      expect(rows.currentRowCount, table.name).toBeGreaterThan(0);
      expect(rows.columnCount, table.name).toBe(table.columns.length);
      expect(Number.isNaN(Date.parse(table.today)), table.name).toBe(false);
    }
    connection.closeSync();
  }, 60_000);

  it.each(['train', 'development'] as const)(
    'asks whole questions about known tables in its %s part, and goes on only with earlier ones of the same author',
    async (split) => {
      const known = await tables;
      const questions = await questionsOf(split);
      expect(questions.length).toBeGreaterThan(0);
      const idsWhere = (isWrong: (question: CorpusQuestion) => boolean): readonly string[] =>
        questions.filter(isWrong).map(({ id }) => id);
      const isText = (text: unknown): boolean => typeof text === 'string' && text !== '';
      expect(idsWhere(({ table }) => !known.has(table))).toEqual([]);
      expect(idsWhere(({ q, family }) => !isText(q) || !isText(family))).toEqual([]);
      // Each has an answer or a reason why there is none.
      expect(idsWhere(({ sql, none }) => (sql === undefined) === (none === undefined))).toEqual([]);
      for (const own of (await setsOf(split)).values()) {
        const earlier = new Map<string, string>();
        for (const { id, table, after } of own) {
          if (after !== undefined) expect(earlier.get(after), `the question before ${id}`).toBe(table);
          earlier.set(id, table);
        }
      }
    },
  );

  it('calls no two questions the same, and has each author in one part', async () => {
    const ids = (await Promise.all(SPLITS.map(questionsOf))).flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const authors = (await Promise.all(SPLITS.map(setsOf))).flatMap((set) => [...set.keys()]);
    expect(new Set(authors).size).toBe(authors.length);
  });

  it.each([
    ['development', 'train'],
    ['test', 'train'],
    ['test', 'development'],
  ] as const)('asks in its %s part about no table of its %s part', async (split, other) => {
    const known = new Set((await questionsOf(other)).map(({ table }) => table));
    // Two older sets of the test ask about tables of the training; the bench tells their questions apart.
    const own = [...(await setsOf(split))].filter(([author]) => !['oldheld1', 'oldheld2'].includes(author));
    const asked = new Set(own.flatMap(([, questions]) => questions.map(({ table }) => table)));
    expect([...asked].filter((table) => known.has(table)).length).toBe(0);
  });
});

const bucket = (column: string, size: 'month' | 'quarter'): Dimension => ({
  ...{ kind: 'bucket', column, bucket: size, label: size },
});
const among = { column: 'status', value: 'cancelled' };
const CONDITIONS: readonly Filter[] = [
  { kind: 'compare', column: 'total_gbp', operator: '>', value: 50 },
  {
    kind: 'any',
    of: [
      [{ kind: 'null', column: 'coupon', negated: true }],
      [{ kind: 'compare', column: 'qty', operator: '>', value: 2 }],
    ],
  },
  { kind: 'against', column: 'total_gbp', operator: '>', aggregate: 'avg', reach: 'all', factor: 2, among },
];
const [total, net] = [of('sum', 'total_gbp'), of('sum', 'Umsatz netto')];
const days = { kind: 'duration', from: 'ordered_at', to: 'shipped_on', unit: 'days' } as const;
const COMPUTED = ['change', 'growth', 'cumulative', 'cumulative_share', 'moving_average', 'rank'] as const;
const PAIRED = ['correlation', 'rank_correlation', 'covariance', 'slope', 'intercept', 'r_squared'] as const;
const second = { column: 'Umsatz netto', second: 'Menge (Kisten)' };

const SHOP: Readonly<Record<string, AnalysisPlan>> = {
  'figures of each kind': figures({
    measures: [
      ...[total, of('avg', 'qty'), of('min', 'ordered_at'), of('max', 'product'), of('count_distinct', 'customer')],
      ...[of('missing', 'coupon'), of('count', 'coupon')],
    ],
    dimensions: [bucket('ordered_at', 'month')],
    order: [{ by: 'month', direction: 'asc' }],
  }),
  'a rank that passes some over': figures({
    measures: [total],
    dimensions: [by('category')],
    order: [{ by: 'sum total_gbp', direction: 'asc' }],
    ...{ limit: 2, skip: 1 },
  }),
  'a measure with conditions of its own': figures({
    measures: [rowCount(), rowCount({ label: 'paid', filters: CONDITIONS.slice(0, 1) })],
    dimensions: [by('channel')],
    computed: [{ kind: 'percent', left: 1, right: 0, label: 'percent' }],
  }),
  'one or the other': figures({ measures: [rowCount()], filters: CONDITIONS.slice(1, 2) }),
  'more than twice the average of one value': figures({ measures: [rowCount()], filters: CONDITIONS.slice(2) }),
  'days between two columns': figures({
    derived: [{ name: 'days', expression: days }],
    measures: [of('avg', 'days'), of('max', 'days')],
    dimensions: [by('status')],
  }),
};

const DRINKS: Readonly<Record<string, AnalysisPlan>> = {
  'the second of each group': figures({
    measures: [net],
    dimensions: [by('WG'), by('Kunde')],
    order: [{ by: 'sum Umsatz netto', direction: 'desc' }],
    ...{ each: ['WG'], limit: 1, skip: 1 },
  }),
  'what is computed within groups': figures({
    measures: [net],
    dimensions: [by('WG'), bucket('Re-Datum', 'quarter')],
    computed: COMPUTED.map((kind) => ({ kind, of: 0, label: kind })),
  }),
  'figures of two columns': figures({
    measures: PAIRED.map((aggregate) => ({ aggregate, ...second, label: aggregate })),
    dimensions: [by('WG')],
  }),
};

describe.each([
  ['m1-webshop-orders', SHOP],
  ['m1-getraenke-grosshandel', DRINKS],
])('plans worked out in memory on %s', (name, plans) => {
  let table: TrueTable;
  beforeAll(async () => {
    table = await TrueTable.open((await tables).get(name)!);
  });

  it.each(Object.entries(plans))('give what the database gives: %s', async (_, plan) => {
    const [quick, whole] = [table.guess(plan), await table.run(plan)];
    expect(quick).not.toBeNull();
    expect(whole).not.toBeNull();
    expect(gradeRows([quick!], wanted(whole!))).toBe('exact');
    if (plan.kind !== 'statistic' && plan.order.length > 0) expect(inPlainCells(quick!)).toEqual(inPlainCells(whole!));
  });

  it('leave what they do not know to the database', () => {
    const { meta } = table.table;
    expect(table.guess(figures({ measures: [of('skewness', meta)] }))).toBeNull();
    expect(table.guess({ kind: 'statistic', method: 'describe', columns: [meta], by: null, filters: [] })).toBeNull();
  });
});

it('a list in place of a number tells it where it is of the same rows, and no other figure', async () => {
  const table = await TrueTable.open((await tables).get('h03-orders')!);
  const cancelled = listing({ filters: [is('status', 'cancelled')] });
  const count = figures({ measures: [rowCount()], filters: cancelled.filters });
  for (const [plan, figure, grade] of [
    [cancelled, 'count(*)', 'listed'],
    [listing({ filters: [is('status', 'paid')] }), 'count(*)', 'wrong'],
    [cancelled, 'sum("order_total_eur")', 'wrong'],
    [count, 'count(*)', 'exact'],
  ] as const) {
    const gold = await table.gold(`SELECT ${figure} FROM t WHERE "status" = 'cancelled'`);
    expect(await table.grade(plan, gold)).toBe(grade);
  }
});

/** Figures to nine digits, since sums differ in their last by the order of the rows. */
function inPlainCells({ rows }: Rows): readonly (readonly unknown[])[] {
  return rows.map((row) =>
    row.map((cell) => {
      const plain = plainCell(cell);
      return typeof plain === 'number' ? Number(plain.toPrecision(9)) : plain;
    }),
  );
}
