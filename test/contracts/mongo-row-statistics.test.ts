import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTable } from '../../src/adapters/mongo/rows/reader-run.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { StatisticMethod } from '../../src/ports/plan-statistics.js';
import type { Cell, TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { openDuckDb, type DuckDbStore } from './duckdb-store.fixture.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { aSource, aTable, at, HEADER, QUIET } from './row-engine.fixture.js';

const ROWS = 60_000;
const LIMITS = { maxRows: 1000, timeoutMs: 60_000 };
const PATIENCE_MS = 180_000;

/** Equal values, missing ones, and numbers that are close together and far from zero. */
function text(): string {
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const time = new Date(Date.UTC(2024, 0, 1) + row * 20_000).toISOString().slice(0, 19).replace('T', ' ');
    const [wave, other] = [Math.sin(row * 12.9898), Math.sin(row * 78.233)];
    const value = row % 17 === 0 ? '' : (1e5 + wave).toFixed(6);
    const count = row % 23 === 0 ? '' : Math.round((wave + other) * 40);
    return `${time},d${row % 50},${value},${count},true,n\n`;
  });
  return HEADER + lines.join('');
}

describe.skipIf(mongodbServer === undefined)('statistics of many rows in MongoDB', () => {
  let far: MongoStore;
  let near: DuckDbStore;
  let table: TableRef;

  beforeAll(async () => {
    [far, near, table] = [await openMongoRows(), await openDuckDb(), aTable()];
    for (const store of [far, near])
      await store.engine.load(table, await aSource(store.folder, [{ text: text() }]), QUIET);
  }, PATIENCE_MS);
  afterAll(async () => {
    await far[Symbol.asyncDispose]();
    await near[Symbol.asyncDispose]();
  });

  const expectTheSame = async (plan: AnalysisPlan, digits: number): Promise<void> => {
    const [expected, found] = [
      await near.reader.analyze(table, plan, LIMITS),
      await far.reader.analyze(table, plan, LIMITS),
    ];
    expect(found.columns).toEqual(expected.columns);
    expect(found.rows.length).toBe(expected.rows.length);
    for (const [index, row] of expected.rows.entries()) expectAlike(found.rows[index] ?? [], row, digits);
  };
  const statistic = (method: StatisticMethod): AnalysisPlan => ({
    ...{ kind: 'statistic', method, columns: ['value', 'count'], by: null, filters: [] },
  });

  it.each(['pearson', 'spearman', 'correlation_matrix', 'regression', 'describe', 'paired_t_test'] as const)(
    '%s is that of the files',
    async (method) => {
      await expectTheSame(statistic(method), 6);
    },
    PATIENCE_MS,
  );

  it.each(['correlation', 'covariance', 'slope', 'intercept', 'r_squared', 'median', 'iqr'] as const)(
    '%s of each device is that of the files',
    async (aggregate) => {
      const measures = [{ aggregate, column: 'value', second: 'count', label: 'figure' }];
      const dimensions = [{ kind: 'column', column: 'device', label: 'device' }] as const;
      const plain = { filters: [], having: [], order: [], limit: null };
      await expectTheSame({ ...plain, kind: 'aggregate', measures, dimensions }, 5);
    },
    PATIENCE_MS,
  );

  it(
    'ranks only rows that the plan is about',
    async () => {
      const filters = [{ kind: 'compare', column: 'count', operator: '>', value: 10 }] as const;
      await expectTheSame({ ...statistic('spearman'), filters }, 9);
    },
    PATIENCE_MS,
  );

  it.each([10, 100, 997, 10_000])(
    'plots all devices in %i points as the files do',
    async (points) => {
      for (const range of [
        { from: null, to: null },
        { from: at('2024-01-02T00:00:07Z'), to: at('2024-01-11T11:11:11Z') },
      ]) {
        const query = { asset: null, column: 'count', points, ...range };
        const [expected, found] = [await near.reader.plot(table, query), await far.reader.plot(table, query)];
        expect({ ...found, points: found.points.length }).toEqual({ ...expected, points: expected.points.length });
        for (const [index, point] of expected.points.entries())
          expect(found.points[index]).toEqual({ ...point, value: expect.closeTo(point.value, 9) as number });
      }
    },
    PATIENCE_MS,
  );

  it('are asked anew when rows came meanwhile, so that what is seen is of one moment', async () => {
    const own = aTable();
    await far.engine.load(
      own,
      await aSource(far.folder, [{ text: `${HEADER}2024-01-01 00:00:00,a,1,1,true,x\n` }]),
      QUIET,
    );
    const counts: unknown[] = [];
    const opened = await far.tables.open(own);
    const seen = await readTable(opened, 10_000, async (reads) => {
      const before = await reads.one([{ $count: 'n' }]);
      if (counts.length === 0) await far.engine.append(own, [{ time: at('2024-05-01T00:00:00Z'), device: 'b' }]);
      const after = await reads.one([{ $count: 'n' }]);
      counts.push([before['n'], after['n']]);
      return after['n'];
    });
    expect(counts).toEqual([
      [1, 2],
      [1, 1],
    ]);
    expect(seen).toBe(1);
    // Who comes soon after does not try it that way.
    expect((await far.tables.open(own)).quiet).toBeNull();
    expect(await far.engine.count(own)).toBe(2);
    const times = { first: at('2024-01-01T00:00:00Z'), last: at('2024-05-01T00:00:00Z') };
    expect((await far.tables.open(own)).times).toEqual(times);
  });
});

function expectAlike(found: readonly Cell[], expected: readonly Cell[], digits: number): void {
  for (const [index, cell] of expected.entries()) {
    const other = found[index] ?? null;
    if (typeof cell !== 'number' || typeof other !== 'number') expect(other).toBe(cell);
    else expect(Math.abs(other - cell)).toBeLessThanOrEqual(10 ** -digits * Math.max(Math.abs(cell), 1e-9));
  }
}
