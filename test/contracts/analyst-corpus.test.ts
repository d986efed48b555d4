import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  corpusQuestions,
  corpusTables as readTables,
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
const tables = readTables();
const sets = new Map(SPLITS.map((split) => [split, corpusQuestions(split)]));

const corpusTables = (): ReturnType<typeof readTables> => tables;
const setsOf = async (split: Split): Promise<Awaited<ReturnType<typeof corpusQuestions>>> =>
  (await sets.get(split)) ?? new Map();

/** Every question of a part of the corpus. */
async function questionsOf(split: Split): Promise<readonly CorpusQuestion[]> {
  return [...(await setsOf(split)).values()].flat();
}

async function tablesOf(split: Split): Promise<ReadonlySet<string>> {
  return new Set((await questionsOf(split)).map(({ table }) => table));
}

// Of the test part nothing but totals is looked at: nobody reads its questions, not even when a test fails.
function wanted(rows: Rows, changes: Partial<RowsWanted> = {}): RowsWanted {
  return { ...rows, ordered: null, percent: false, ...changes };
}

describe('the corpus of the analyst', () => {
  it('has tables that can be opened, with rows', async () => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    const isLong = process.env['TEST_LONG'] === '1';
    for (const table of [...(await corpusTables()).values()].filter((_, index) => isLong || index % 8 === 0)) {
      // All cells are read: a count alone would pass over those that are of another type.
      const rows = await connection.runAndReadAll(`SELECT * FROM ${relationOf(table)}`);
      expect(rows.currentRowCount, table.name).toBeGreaterThan(0);
      expect(rows.columnCount, table.name).toBe(table.columns.length);
      expect(Number.isNaN(Date.parse(table.today)), table.name).toBe(false);
    }
    connection.closeSync();
  }, 60_000);

  it.each(['train', 'development'] as const)(
    'asks whole questions about known tables in its %s part',
    async (split) => {
      const known = await corpusTables();
      const questions = await questionsOf(split);
      expect(questions.length).toBeGreaterThan(0);
      const idsWhere = (isWrong: (question: CorpusQuestion) => boolean): readonly string[] =>
        questions.filter(isWrong).map(({ id }) => id);
      expect(idsWhere(({ table }) => !known.has(table))).toEqual([]);
      expect(idsWhere(({ q, family }) => [q, family].some((text) => typeof text !== 'string' || text === ''))).toEqual(
        [],
      );
      // Each has an answer or a reason why there is none.
      expect(idsWhere(({ sql, none }) => (sql === undefined) === (none === undefined))).toEqual([]);
    },
  );

  it('calls no two questions the same', async () => {
    for (const split of SPLITS) {
      const ids = (await questionsOf(split)).map(({ id }) => id);
      expect(new Set(ids).size, split).toBe(ids.length);
    }
    const all = (await Promise.all(SPLITS.map(questionsOf))).flat();
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(['train', 'development'] as const)(
    'goes on only with earlier questions of the same author about the same table in its %s part',
    async (split) => {
      for (const questions of (await setsOf(split)).values()) {
        const earlier = new Map<string, string>();
        for (const { id, table, after } of questions) {
          if (after !== undefined) expect(earlier.get(after), `the question before ${id}`).toBe(table);
          earlier.set(id, table);
        }
      }
    },
  );

  it('has each author in one part', async () => {
    const authors = (await Promise.all(SPLITS.map(setsOf))).flatMap((set) => [...set.keys()]);
    expect(new Set(authors).size).toBe(authors.length);
  });

  it.each([
    ['development', 'train'],
    ['test', 'train'],
    ['test', 'development'],
  ] as const)('asks in its %s part about no table of its %s part', async (split, other) => {
    const known = await tablesOf(other);
    // Two older sets of the test ask about tables of the training; the bench tells their questions apart.
    const own = [...(await setsOf(split))].filter(([author]) => !['oldheld1', 'oldheld2'].includes(author));
    const asked = new Set(own.flatMap(([, questions]) => questions.map(({ table }) => table)));
    expect([...asked].filter((table) => known.has(table)).length).toBe(0);
  });
});

const month: Dimension = { kind: 'bucket', column: 'ordered_at', bucket: 'month', label: 'month' };
type Plain<Kind extends Filter['kind']> = Extract<Filter, { kind: Kind }>;
const over = (column: string, value: number): Plain<'compare'> => ({ kind: 'compare', column, operator: '>', value });
const against = (more: Pick<Plain<'against'>, 'reach' | 'factor' | 'among'>): Plain<'against'> => ({
  ...{ kind: 'against', column: 'total_gbp', operator: '>', aggregate: 'avg' },
  ...more,
});
const missing = (column: string, negated = false): Plain<'null'> => ({ kind: 'null', column, negated });

const SHOP: readonly (readonly [string, AnalysisPlan])[] = [
  [
    'several figures',
    figures({ measures: [of('sum', 'total_gbp'), of('avg', 'qty'), of('min', 'ordered_at'), of('max', 'product')] }),
  ],
  [
    'different values and gaps',
    figures({ measures: [of('count_distinct', 'customer'), of('missing', 'coupon'), of('count', 'coupon')] }),
  ],
  [
    'months',
    figures({ measures: [of('sum', 'total_gbp')], dimensions: [month], order: [{ by: 'month', direction: 'asc' }] }),
  ],
  [
    'a rank that passes some over',
    figures({
      measures: [of('sum', 'total_gbp')],
      dimensions: [by('category')],
      order: [{ by: 'sum total_gbp', direction: 'asc' }],
      limit: 2,
      skip: 1,
    }),
  ],
  [
    'a measure with conditions of its own',
    figures({
      measures: [rowCount(), rowCount({ label: 'paid', filters: [over('total_gbp', 50)] })],
      dimensions: [by('channel')],
      computed: [{ kind: 'percent', left: 1, right: 0, label: 'percent' }],
    }),
  ],
  [
    'one or the other',
    figures({ measures: [rowCount()], filters: [{ kind: 'any', of: [[missing('coupon', true)], [over('qty', 2)]] }] }),
  ],
  [
    'more than twice the average of one value',
    figures({
      measures: [rowCount()],
      filters: [against({ reach: 'all', factor: 2, among: { column: 'status', value: 'cancelled' } })],
    }),
  ],
  [
    'days between two columns',
    figures({
      derived: [{ name: 'days', expression: { kind: 'duration', from: 'ordered_at', to: 'shipped_on', unit: 'days' } }],
      measures: [of('avg', 'days'), of('max', 'days')],
      dimensions: [by('status')],
    }),
  ],
];
const quarter: Dimension = { kind: 'bucket', column: 'Re-Datum', bucket: 'quarter', label: 'quarter' };

const DRINKS: readonly (readonly [string, AnalysisPlan])[] = [
  [
    'the second of each group',
    figures({
      measures: [of('sum', 'Umsatz netto')],
      dimensions: [by('WG'), by('Kunde')],
      order: [{ by: 'sum Umsatz netto', direction: 'desc' }],
      each: ['WG'],
      ...{ limit: 1, skip: 1 },
    }),
  ],
  ...(['change', 'growth', 'cumulative', 'cumulative_share', 'moving_average', 'rank'] as const).map(
    (kind) =>
      [
        `${kind} within groups`,
        figures({
          measures: [of('sum', 'Umsatz netto')],
          dimensions: [by('WG'), quarter],
          computed: [{ kind, of: 0, label: kind }],
        }),
      ] as const,
  ),
  ...(['correlation', 'rank_correlation', 'covariance', 'slope', 'intercept', 'r_squared'] as const).map(
    (aggregate) =>
      [
        `${aggregate} of groups`,
        figures({
          measures: [{ aggregate, column: 'Umsatz netto', second: 'Menge (Kisten)', label: aggregate }],
          dimensions: [by('WG')],
        }),
      ] as const,
  ),
];

describe.each([
  ['m1-webshop-orders', SHOP],
  ['m1-getraenke-grosshandel', DRINKS],
])('plans worked out in memory on %s', (name, plans) => {
  let table: TrueTable;
  beforeAll(async () => {
    table = await TrueTable.open((await corpusTables()).get(name)!);
  });

  it.each(plans)('give what the database gives: %s', async (_, plan) => {
    const [quick, whole] = [table.guess(plan), await table.run(plan)];
    expect(quick).not.toBeNull();
    expect(whole).not.toBeNull();
    expect(gradeRows([quick!], wanted(whole!))).toBe('exact');
    if (plan.kind !== 'statistic' && plan.order.length > 0) expect(inPlainCells(quick!)).toEqual(inPlainCells(whole!));
  });

  it('leave what they do not know to the database', () => {
    expect(table.guess(figures({ measures: [of('skewness', table.table.meta)] }))).toBeNull();
    expect(
      table.guess({ kind: 'statistic', method: 'describe', columns: [table.table.meta], by: null, filters: [] }),
    ).toBeNull();
  });
});

describe('a list in place of a number', () => {
  const cancelled = listing({ filters: [is('status', 'cancelled')] });
  let table: TrueTable;
  beforeAll(async () => {
    table = await TrueTable.open((await corpusTables()).get('h03-orders')!);
  });

  it.each([
    ['of its rows tells it', cancelled, 'count(*)', 'listed'],
    ['of other rows does not', listing({ filters: [is('status', 'paid')] }), 'count(*)', 'wrong'],
    ['tells no other figure', cancelled, 'sum("order_total_eur")', 'wrong'],
    [
      'is graded below the number itself',
      figures({ measures: [rowCount()], filters: cancelled.filters }),
      'count(*)',
      'exact',
    ],
  ] as const)('%s', async (_, plan, figure, grade) => {
    const gold = await table.gold(`SELECT ${figure} FROM t WHERE "status" = 'cancelled'`);
    expect(await table.grade(plan as AnalysisPlan, gold)).toBe(grade);
  });
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
