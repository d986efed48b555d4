import { beforeAll, describe, expect, it } from 'vitest';
import type { RowsPlan } from '../../src/ports/analysis-plan.js';
import type { RowEngine, TypedRow } from '../../src/ports/row-engine.js';
import type { MetadataValues, PlotSeries, RowReader } from '../../src/ports/row-reader.js';
import type { TableProfile, TableRef } from '../../src/ports/table.js';
import { at, loadedInto, minutes, type RowStore, tableOf } from './row-engine.fixture.js';

const LIMITS = { maxRows: 1000, timeoutMs: 10_000 };
/** More than the store takes for too few to merge. */
const MANY = 40;
/** Of compactions beside which rows come in. */
const ROUNDS = process.env['TEST_LONG'] === '1' ? 10 : 1;
const never = new AbortController().signal;

/** Everything that can be asked about a table's rows. */
interface Seen {
  readonly count: number;
  readonly profile: TableProfile;
  readonly plot: PlotSeries;
  readonly oneAsset: PlotSeries;
  readonly buckets: PlotSeries;
  readonly values: MetadataValues;
  /** Each as JSON, sorted. */
  readonly rows: readonly string[];
}

const ALL_ROWS: RowsPlan = {
  ...{ kind: 'rows', filters: [], order: [], limit: null },
  columns: ['time', 'device', 'value', 'count', 'on', 'note'],
};
const ALL_BY_SQL = 'SELECT "time", device, value, "count", "on", note FROM data ORDER BY ALL';

function row(number: number, changes: TypedRow = {}): TypedRow {
  return {
    time: new Date(at('2024-01-02T00:00:00Z').getTime() + number * 60_000),
    device: `d${number % 3}`,
    value: number / 4,
    count: number,
    on: number % 2 === 0,
    note: `later ${number}`,
    ...changes,
  };
}

function many(from = 0, rows = MANY): TypedRow[] {
  return Array.from({ length: rows }, (_, number) => row(from + number));
}

async function seenIn({ engine, reader }: RowStore, table: TableRef): Promise<Seen> {
  const series = { from: null, to: null, column: 'value', asset: null, points: 1000 };
  const { rows } = await reader.analyze(table, ALL_ROWS, LIMITS);
  return {
    count: await engine.count(table),
    profile: await reader.profile(table),
    plot: await reader.plot(table, series),
    oneAsset: await reader.plot(table, { ...series, asset: 'd1' }),
    buckets: await reader.plot(table, { ...series, points: 10 }),
    values: await reader.distinctMetadata(table, { search: '', skip: 0, limit: 100 }),
    rows: rows.map((values) => JSON.stringify(values)).sort(),
  };
}

/** What a row store promises that makes one of an import and later rows; it must think ten later rows worth it. */
export function rowCompactionContract(opened: () => RowStore): void {
  describe('a compaction of rows', () => {
    let store: RowStore;
    let engine: RowEngine;
    let reader: RowReader;

    beforeAll(() => {
      store = opened();
      ({ engine, reader } = store);
    });

    const loaded = (text = minutes(5)): Promise<TableRef> => tableOf(store, text);
    const seen = (table: TableRef): Promise<Seen> => seenIn(store, table);

    it('says when it is worth it, does nothing when it is not, and changes nothing that can be seen', async () => {
      const table = await loaded();
      expect(await engine.append(table, many(0, 3))).toEqual({ earlierNote: null, wantsCompaction: false });
      expect(await engine.compact(table, never)).toBe(false);
      const later = [...many(3, MANY - 3), row(7, { device: 'a', note: null, value: null }), row(8), row(8)];
      expect(await engine.append(table, later)).toEqual({ earlierNote: null, wantsCompaction: true });
      const before = await seen(table);
      const { rows } = await reader.query(table, ALL_BY_SQL, LIMITS);
      expect(await engine.compact(table, never)).toBe(true);
      expect(await seen(table)).toEqual(before);
      expect((await reader.query(table, ALL_BY_SQL, LIMITS)).rows).toEqual(rows);
      expect([before.count, before.rows.length, rows.length]).toEqual([10 + MANY + 3, 10 + MANY + 3, 10 + MANY + 3]);
      expect(await engine.append(table, many(50, 3))).toEqual({ earlierNote: null, wantsCompaction: false });
      expect(await engine.compact(table, never)).toBe(false);
    });

    it('keeps columns that have become wider, before it and after it', async () => {
      const table = await loaded();
      await engine.append(table, [...many(), row(1, { count: 2.5 })]);
      const before = await seen(table);
      await engine.compact(table, never);
      expect(await seen(table)).toEqual(before);
      expect(before.profile.columns[3]).toMatchObject({ type: 'number' });
      await engine.append(
        table,
        many(100).map((one) => ({ ...one, value: 0.5 })),
      );
      await engine.append(table, [row(2, { count: 1e30 })]);
      const widest = await seen(table);
      await engine.compact(table, never);
      expect(await seen(table)).toEqual(widest);
      expect(widest.profile.columns[3]).toMatchObject({ type: 'number', max: 1e30 });
    });

    it('lets rows that have outlived the lifespan go, and keeps the others', async () => {
      const table = await loaded();
      await engine.append(table, many());
      const young = { ...table, visibleFrom: at('2024-01-02T00:10:00Z') };
      const before = await seen(young);
      expect(await engine.compact(young, never)).toBe(true);
      expect(await seen(young)).toEqual(before);
      // Nobody could ask for them any more; that they are gone shows when somebody does.
      expect(await engine.count(table)).toBe(MANY - 10);
      expect(await reader.distinctMetadata(table, { search: 'a', skip: 0, limit: 10 })).toMatchObject({ total: 0 });
    });

    it('leaves a table without rows when all have outlived the lifespan, which takes rows again', async () => {
      const table = await loaded();
      await engine.append(table, [row(1)]);
      const late = { ...table, visibleFrom: at('2024-02-01T00:00:00Z') };
      expect(await engine.compact(late, never)).toBe(true);
      expect(await seen(late)).toMatchObject({
        count: 0,
        plot: { total: 0, points: [] },
        values: { values: [], total: 0 },
        profile: { rowCount: 0, timeRange: null },
        rows: [],
      });
      expect(await engine.compact(late, never)).toBe(false);
      await engine.append(late, [row(1, { time: at('2024-02-02T00:00:00Z') })]);
      expect(await engine.count(late)).toBe(1);
    });

    const series = { from: null, to: null, column: 'value', asset: null, points: 1000 };

    it('goes on while rows come in and questions are asked, and none of them is lost, doubled or missed', async () => {
      const table = await loaded(minutes(2000));
      const base = 4000;
      // More than a twentieth of the base in every round, so that it is worth it.
      const each = 1000;
      let sent = 0;
      const append = async (): Promise<void> => {
        await engine.append(table, [row(sent)]);
        sent += 1;
      };
      for (let round = 0; round < ROUNDS; round += 1) {
        await engine.append(table, many(10_000 * (round + 1), each));
        const before = base + sent + (round + 1) * each;
        const ended = new AbortController();
        const compacting = engine.compact(table, never).finally(() => {
          ended.abort();
        });
        const asked: number[] = [];
        while (!ended.signal.aborted) {
          await append();
          const { total } = await reader.plot(table, { ...series, points: 10 });
          asked.push(total - (base + sent + (round + 1) * each));
        }
        expect(await compacting).toBe(true);
        expect(new Set(asked)).toEqual(new Set([0]));
        expect(await engine.count(table)).toBeGreaterThan(before);
      }
      expect(await engine.count(table)).toBe(base + sent + ROUNDS * each);
    });

    it('gives up when it is aborted, and nothing has changed; of two that are asked for at once one is made', async () => {
      const table = await loaded();
      await engine.append(table, many());
      const aborter = new AbortController();
      const compacting = engine.compact(table, aborter.signal);
      aborter.abort(new Error('enough'));
      await expect(compacting).rejects.toThrow('enough');
      expect(await engine.count(table)).toBe(10 + MANY);
      await engine.append(table, [row(1)]);
      const outcomes = await Promise.all([engine.compact(table, never), engine.compact(table, never)]);
      expect(outcomes).toEqual([true, false]);
      expect(await engine.count(table)).toBe(11 + MANY);
    });

    it('does not bring back rows that an import has replaced meanwhile', async () => {
      const table = await loaded();
      await engine.append(table, many());
      const compacting = engine.compact(table, never).catch((error: unknown) => error);
      await loadedInto(engine, table, minutes(2));
      await compacting;
      expect(await engine.count(table)).toBe(4);
      await engine.append(table, many(0, 2));
      expect(await engine.count(table)).toBe(6);
    });
  });
}
