import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AggregatePlan, AnalysisPlan, RowsPlan, StatisticPlan } from '../../src/ports/analysis-plan.js';
import type { QueryResult, TableRef } from '../../src/ports/table.js';
import { openDuckDb } from './duckdb-store.fixture.js';
import { aFolder, aSource, aTable, at, HEADER, QUIET, type RowStore } from './row-engine.fixture.js';

const LIMITS = { maxRows: 100, timeoutMs: 20_000 };

/** Value and count of devices a and b, at noon of the first days of 2024. */
const ROWS: readonly (readonly [string, string, string])[] = [
  ['a', '1.5', '3'],
  ['a', '2.5', '1'],
  ['a', '', '4'],
  ['b', '10', '1'],
  ['b', '4', '5'],
  ['b', '400', '9'],
];

function fileOf(rows: typeof ROWS): string {
  const lines = rows.map(
    ([device, value, count], day) => `2024-01-0${day + 1} 12:00:00,${device},${value},${count},true,x`,
  );
  return `${HEADER}${lines.join('\n')}\n`;
}

function aggregate(part: Partial<AggregatePlan>): AggregatePlan {
  return {
    ...{ kind: 'aggregate', measures: [], dimensions: [], filters: [], having: [], order: [], limit: null },
    ...part,
  };
}

function rows(part: Partial<RowsPlan>): RowsPlan {
  return { kind: 'rows', columns: ['value'], filters: [], order: [], limit: null, ...part };
}

function statistic(part: Partial<StatisticPlan>): StatisticPlan {
  return { kind: 'statistic', method: 'pearson', columns: ['value', 'count'], by: null, filters: [], ...part };
}

/** What plans answer is tested beside their compiler; here are the limits of the process and the rows of a whole table. */
describe('plans asked of the row store', () => {
  let store: RowStore;
  let folder: Awaited<ReturnType<typeof aFolder>>;
  let table: TableRef;

  beforeAll(async () => {
    [store, folder] = [await openDuckDb(), await aFolder()];
    table = await loaded(ROWS);
  });
  afterAll(async () => {
    await store[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const loaded = async (given: typeof ROWS): Promise<TableRef> => {
    const made = aTable();
    await store.engine.load(made, await aSource(folder.path, [{ text: fileOf(given) }]), QUIET);
    return made;
  };

  /** Sure that the query which is shown gives the same to whoever sends it. */
  const answer = async (plan: AnalysisPlan, of = table): Promise<QueryResult> => {
    const answered = await store.reader.analyze(of, plan, LIMITS);
    if (plan.kind !== 'statistic') {
      expect((await store.reader.query(of, answered.dbquery, LIMITS)).rows).toEqual(answered.rows);
    } else {
      await expect(store.reader.query(of, answered.dbquery, LIMITS)).resolves.toBeDefined();
    }
    return answered;
  };

  const total = {
    name: 'total',
    expression: {
      kind: 'arithmetic',
      operator: '*',
      left: { kind: 'column', column: 'value' },
      right: { kind: 'column', column: 'count' },
    },
  } as const;

  it('cut a statistic that has more rows than were asked for, and say so', async () => {
    const plan = statistic({ method: 'describe' });
    const cut = await store.reader.analyze(table, plan, { ...LIMITS, maxRows: 1 });
    expect(cut).toMatchObject({ truncated: true, rowsScanned: 6 });
    expect(cut.rows).toHaveLength(1);
    expect((await answer(plan)).truncated).toBe(false);
  });

  it('give nothing rather than fail where numbers are too large', async () => {
    const huge = await loaded([
      ['a', '1e308', '9223372036854775807'],
      ['b', '-1e308', '9223372036854775807'],
    ]);
    const measures = (['stddev', 'skewness', 'product'] as const).map((one) => ({
      ...{ aggregate: one, column: 'value', label: one },
    }));
    expect((await answer(aggregate({ measures }), huge)).rows).toEqual([[null, null, null]]);
    const doubled = {
      ...total,
      expression: { ...total.expression, operator: '+', left: total.expression.right },
    } as const;
    const sums = await answer(rows({ columns: ['total'], derived: [doubled] }), huge);
    expect(sums.rows).toEqual([[2 ** 64], [2 ** 64]]);
  });

  it('see what was inserted later, and nothing that has outlived the lifespan', async () => {
    const grown = await loaded(ROWS);
    await store.engine.append(grown, [{ time: at('2024-02-01T00:00:00Z'), device: 'b', value: 7, count: 2 }]);
    const young = { ...grown, visibleFrom: at('2024-01-06T00:00:00Z') };
    const above = { kind: 'against', column: 'value', operator: '<=', aggregate: 'max', reach: 'all' } as const;
    expect((await answer(rows({ filters: [above], derived: [total], columns: ['total'] }), young)).rows).toEqual([
      [3600],
      [14],
    ]);
  });
});
