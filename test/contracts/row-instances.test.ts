import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { ObjectStore, StoredObject } from '../../src/ports/object-store.js';
import type { Batch, TypedRow } from '../../src/ports/row-engine.js';
import type { PlotSeries } from '../../src/ports/row-reader.js';
import type { TableRef } from '../../src/ports/table.js';
import type { WireBatch } from '../../src/rows/engine/engine-protocol.js';
import { RowObjects } from '../../src/rows/row-objects.js';
import { RowSweeper, RowTables } from '../../src/rows/row-tables.js';
import { ROW_BATCHES, ROW_TABLES, type RowTable } from '../../src/rows/row-table.schema.js';
import { ManualClock } from '../support/manual-clock.js';
import { mongodbServer } from '../support/mongodb.js';
import { type Distant, distant, type DuckDbStore, openBeside, openDuckDb } from './duckdb-store.fixture.js';
import { aTable, at, loadedInto, minutes, tableOf } from './row-engine.fixture.js';

const LIMITS = { maxRows: 10_000, timeoutMs: 20_000 };
/** Long enough for whoever is told of a file to open it. */
const RULES = { keepMs: 3000 };
const LONG = { timeout: 120_000 };
const isLong = process.env['TEST_LONG'] === '1';
const never = new AbortController().signal;
const series = { asset: null, from: null, to: null, column: 'value', points: 1000 };

interface Figures {
  readonly count: number;
  readonly sum: number;
}

function plan(device: string | null): AnalysisPlan {
  return {
    ...{ kind: 'aggregate', dimensions: [], having: [], order: [], limit: null },
    filters: device === null ? [] : [{ kind: 'in', column: 'device', values: [device], negated: false }],
    measures: [
      { aggregate: 'count', column: null, label: 'count' },
      { aggregate: 'sum', column: 'value', label: 'sum' },
    ],
  };
}

async function figuresOf({ reader }: DuckDbStore, table: TableRef, device: string | null = null): Promise<Figures> {
  const { rows } = await reader.analyze(table, plan(device), LIMITS);
  return { count: Number(rows[0]?.[0]), sum: Number(rows[0]?.[1]) };
}

function row(value: number, changes: TypedRow = {}): TypedRow {
  return { time: new Date(at('2024-01-02T00:00:00Z').getTime() + value * 1000), device: 'later', value, ...changes };
}

function many(from: number, rows: number): TypedRow[] {
  return Array.from({ length: rows }, (_, number) => row(from + number));
}

function sumOf(rows: readonly TypedRow[]): number {
  return rows.reduce((sum, { value }) => sum + Number(value), 0);
}

function batch(key: string, note = ''): Batch {
  return { key, note, at: new Date() };
}

/** By an import at this instance. */
async function loaded({ engine }: DuckDbStore, text = minutes(5), table = aTable()): Promise<TableRef> {
  await loadedInto(engine, table, text);
  return table;
}

async function recordOf({ documents }: DuckDbStore, table: TableRef): Promise<RowTable> {
  const tables = documents.tenantCollection(ROW_TABLES).of(table.companyId);
  const [record] = await tables.find({ datasourceId: table.datasourceId, generation: table.generation });
  if (record === undefined) throw new Error('the table has no record');
  return record;
}

async function numbersOf(store: DuckDbStore, table: TableRef): Promise<readonly number[]> {
  const { load } = await recordOf(store, table);
  const batches = store.documents.tenantCollection(ROW_BATCHES).of(table.companyId);
  return (await batches.find({ load }, { sort: [['number', 'asc']] })).map(({ number }) => number);
}

/** Everything that can be asked says that there are so many rows with a device of their own. */
async function expectSeen({ engine, reader, downloads }: DuckDbStore, table: TableRef, device: string): Promise<void> {
  const sql = await reader.query(table, `SELECT count(*) FROM data WHERE device = '${device}'`, LIMITS);
  const { columns, rowCount } = await reader.profile(table);
  const csv = await downloads.exportRows(
    table,
    { ...{ asset: device, from: null, to: null, columns: ['device'], timeFormats: [] } },
    'csv',
  );
  expect({
    plan: await reader.analyze(table, plan(device), LIMITS).then(({ rows }) => rows[0]?.[0]),
    sql: sql.rows[0]?.[0],
    plot: (await reader.plot(table, { ...series, asset: device })).total,
    csv: (await textOf(csv)).trim().split(/\r?\n/).slice(1),
    listed: (await reader.distinctMetadata(table, { search: device, skip: 0, limit: 10 })).values,
    profiled: columns[1]?.topValues.find(({ value }) => value === device)?.count,
    counted: await engine.count(table),
  }).toEqual({ plan: 1, sql: 1, plot: 1, csv: [device], listed: [device], profiled: 1, counted: rowCount });
}

/** Inserts at one instance after the other, and looks at the next whether its own rows are all there, each once. */
async function keepsBooks(
  stores: readonly DuckDbStore[],
  table: TableRef,
  device: string,
  ended: AbortSignal,
): Promise<Figures> {
  let sent: Figures = { count: 0, sum: 0 };
  for (let turn = 0; !ended.aborted; turn += 1) {
    const rows = [row(turn, { device }), row(turn + 0.5, { device })];
    await stores[turn % stores.length]!.engine.append(table, rows, batch(`${device} ${turn}`));
    sent = { count: sent.count + 2, sum: sent.sum + sumOf(rows) };
    const other = stores[(turn + 1) % stores.length]!;
    expect(await figuresOf(other, table, device)).toEqual(sent);
    expect(await other.engine.count(table)).toBeGreaterThanOrEqual(sent.count);
  }
  return sent;
}

// Instances share nothing but servers: what is embedded belongs to one of them.
describe.skipIf(mongodbServer === undefined)('two instances', LONG, () => {
  let shared: Distant;
  let one: DuckDbStore;
  let two: DuckDbStore;

  beforeAll(async () => {
    shared = await distant();
    [one, two] = [await openBeside(shared, RULES), await openBeside(shared, RULES)];
  });
  afterAll(async () => {
    for (const each of [two, one, shared]) await each[Symbol.asyncDispose]();
  });

  it('see at once what the other has acknowledged, in every answer, wider columns too, before and after a compaction', async () => {
    const table = await tableOf(one, minutes(5));
    const most = async (store: DuckDbStore): Promise<unknown> => [
      (await store.reader.plot(table, { ...series, column: 'count' })).points.at(-1)?.value,
      (await store.reader.profile(table)).columns[3]?.type,
    ];
    await two.engine.append(table, [row(1, { count: 2 })]);
    await one.engine.append(table, [row(2, { count: 7.5 }), row(0, { device: 'd-0' }), ...many(3, 20)]);
    await expectSeen(two, table, 'd-0');
    expect([await most(one), await most(two)]).toEqual([
      [7.5, 'number'],
      [7.5, 'number'],
    ]);
    await two.engine.append(table, [row(30, { count: 7.25 })]);
    expect(await one.engine.compact(table, never)).toBe(true);
    await expectSeen(two, table, 'd-0');
    const { rows } = await two.reader.query(table, 'SELECT max("count"), sum("count") FROM data', LIMITS);
    expect([await most(two), rows]).toEqual([[7.25, 'number'], [[7.5, 36.75]]]);
  });

  it('store once what both are sent at once under a key, and tell the note to the other', async () => {
    const table = await tableOf(one, minutes(5));
    for (let round = 1; round <= (isLong ? 10 : 2); round += 1) {
      const sent = [one, two, one, two].map((store, index) =>
        store.engine.append(table, [row(round)], batch(`key ${round}`, `note ${index}`)),
      );
      const notes = (await Promise.all(sent)).map(({ earlierNote }) => earlierNote);
      const first = notes.indexOf(null);
      expect(notes).toEqual(notes.map((_, index) => (index === first ? null : `note ${first}`)));
      expect(await figuresOf(two, table)).toEqual({ count: 10 + round, sum: 20 + (round * (round + 1)) / 2 });
    }
  });

  it('insert and read all the time while both compact', async () => {
    const table = await loaded(one, minutes(1000));
    const ended = new AbortController();
    const books = ['w1', 'w2'].map((device, index) =>
      keepsBooks(index === 0 ? [one, two] : [two, one], table, device, ended.signal),
    );
    const done = Promise.all(books);
    const compactions: boolean[] = [];
    const turns = isLong ? [[one], [two], [one, two], [one, two]] : [[one, two]];
    for (const at of turns) {
      await Promise.race([one.engine.append(table, many(0, 400)), done]);
      const outcomes = await Promise.allSettled(at.map(({ engine }) => engine.compact(table, never)));
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ kind: 'unavailable' });
        else compactions.push(outcome.value);
      }
    }
    ended.abort();
    const sent = await done;
    const all = {
      count: 2000 + turns.length * 400 + sent.reduce((sum, { count }) => sum + count, 0),
      sum: 999_000 + turns.length * sumOf(many(0, 400)) + sent.reduce((sum, figures) => sum + figures.sum, 0),
    };
    expect([await figuresOf(one, table), await figuresOf(two, table)]).toEqual([all, all]);
    expect(compactions.filter((isMade) => isMade).length).toBeGreaterThanOrEqual(turns.length);
    expect(sent.every(({ count }) => count > 0)).toBe(true);
  });

  it('see what an import of the other has put in the place of rows, and none that it has removed', async () => {
    const table = await tableOf(one, minutes(5));
    await two.engine.append(table, many(0, 3));
    expect(await figuresOf(two, table)).toMatchObject({ count: 13 });
    await loaded(one, minutes(9), table);
    expect(await figuresOf(two, table)).toEqual({ count: 18, sum: 72 });
    await two.engine.append(table, [row(5)]);
    expect(await figuresOf(one, table)).toEqual({ count: 19, sum: 77 });
    const next = await loaded(one, minutes(7), { ...table, generation: 2 });
    expect(await two.engine.count(next)).toBe(14);
    await one.engine.remove(table.companyId, table.datasourceId, 2);
    const gone = { kind: 'not_found' };
    await expect(two.engine.count(table)).rejects.toMatchObject(gone);
    await expect(figuresOf(two, table)).rejects.toMatchObject(gone);
    await expect(two.reader.query(table, 'SELECT 1 FROM data', LIMITS)).rejects.toMatchObject(gone);
    await expect(two.engine.append(table, many(0, 1))).rejects.toMatchObject(gone);
    await expect(two.engine.compact(table, never)).rejects.toMatchObject(gone);
    expect(await figuresOf(two, next)).toEqual({ count: 14, sum: 42 });
  });

  it('leave no rows behind when they insert while the other removes', async () => {
    const table = await tableOf(one, minutes(5));
    const { load } = await recordOf(one, table);
    const inserting = Promise.allSettled(
      [one, two].map(async ({ engine }) => {
        for (;;) await engine.append(table, many(0, 1));
      }),
    );
    await one.engine.remove(table.companyId, table.datasourceId);
    // Who comes last takes its own rows away again.
    const refused = { status: 'rejected', reason: { kind: 'not_found' } };
    expect(await inserting).toMatchObject([refused, refused]);
    const batches = one.documents.tenantCollection(ROW_BATCHES).of(table.companyId);
    expect(await batches.count({ load })).toBe(0);
  });

  it('never take a number again that is in the files, also when one has slept until the batches were gone', async () => {
    const table = await tableOf(one, minutes(5));
    await two.engine.append(table, many(0, 20));
    await figuresOf(two, table);
    for (let round = 1; round <= 2; round += 1) {
      await one.engine.append(table, many(round * 20, 20));
      expect(await one.engine.compact(table, never)).toBe(true);
    }
    const { load } = await recordOf(one, table);
    const batches = one.documents.tenantCollection(ROW_BATCHES).of(table.companyId);
    expect(await batches.remove({ load, data: null })).toBe(3);
    await two.engine.append(table, many(60, 2));
    expect(await numbersOf(two, table)).toEqual([4]);
    expect(await figuresOf(one, table)).toEqual({ count: 72, sum: 20 + sumOf(many(0, 62)) });
  });

  it('answer about two tables though the cache of one is too small for both', async () => {
    await using small = await openBeside(shared, { keepMs: 20, cacheBytes: 1 });
    const tables = [await tableOf(one, minutes(5)), await tableOf(one, minutes(6))];
    const copies = new Set<number>();
    for (let round = 1; round <= 2; round += 1) {
      for (const [index, table] of tables.entries()) {
        await one.engine.append(table, [row(round)]);
        const count = (index === 0 ? 10 : 12) + round;
        expect(await figuresOf(small, table)).toMatchObject({ count });
        expect(await small.reader.plot(table, series)).toMatchObject({ total: count });
        await new Promise((wake) => setTimeout(wake, 25));
        copies.add((await readdir(small.files.cache)).length);
      }
    }
    expect(Math.max(...copies)).toBeLessThanOrEqual(2);
    await small.reader.plot(tables[0]!, series);
    expect(await readdir(small.files.cache)).toHaveLength(1);
  });

  it('say 503 for what is not here while the bucket is away, and go on with the rest', async () => {
    await using cold = await openBeside(shared, RULES);
    const [here, distantOne] = [await loaded(one), await loaded(one)];
    await figuresOf(cold, here);
    await one.engine.append(distantOne, many(0, 30));
    shared.bucket.cut();
    try {
      const away = { kind: 'unavailable', message: 'the file storage is not available' };
      await expect(figuresOf(cold, distantOne)).rejects.toMatchObject(away);
      await expect(cold.reader.plot(distantOne, series)).rejects.toMatchObject(away);
      await expect(one.engine.compact(distantOne, never)).rejects.toMatchObject(away);
      await expect(loaded(one)).rejects.toMatchObject(away);
      await cold.engine.append(distantOne, many(30, 5));
      await cold.engine.append(here, many(0, 5));
      expect(await cold.engine.count(distantOne)).toBe(45);
      expect(await figuresOf(cold, here)).toEqual({ count: 15, sum: 30 });
      expect(await figuresOf(one, distantOne)).toEqual({ count: 45, sum: 20 + sumOf(many(0, 35)) });
    } finally {
      shared.bucket.mend();
    }
    const all = { count: 45, sum: 20 + sumOf(many(0, 35)) };
    expect(await figuresOf(cold, distantOne)).toEqual(all);
    expect(await one.engine.compact(distantOne, never)).toBe(true);
    expect([await figuresOf(one, distantOne), await figuresOf(cold, distantOne)]).toEqual([all, all]);
  });
});

describe('an instance by itself', () => {
  let store: DuckDbStore;
  beforeAll(async () => {
    store = await openDuckDb(RULES);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  it('an engine that can not add all batches adds none, and has each once when they come again', async () => {
    const table = await tableOf(store, minutes(5));
    const { base, load } = await recordOf(store, table);
    const path = store.objects.placeOf({ companyId: table.companyId, area: 'rows', name: base.name })!;
    const data = JSON.stringify([['2024-01-02 00:00:00', 'a', '1', '1', 'true', 'x']]);
    const of = (number: number, wider: readonly string[], text: string): WireBatch => ({
      ...{ number, rows: 1, wider, data: `j${text}` },
    });
    const known = { companyId: table.companyId, load, key: 'k', files: [path], through: 0, visibleFrom: null };
    const ask = (...batches: readonly WireBatch[]): Promise<PlotSeries> => {
      const asked = { ...known, upTo: batches.at(-1)?.number ?? 0, batches };
      return store.process.request('plot', { table: asked, query: { ...series, from: null, to: null } }, 10_000);
    };
    expect(await ask(of(1, [], data))).toMatchObject({ total: 11 });
    await expect(ask(of(2, [], data), of(3, ['c3'], '[["broken"'))).rejects.toThrow();
    expect(await ask(of(2, [], data), of(3, ['c3'], data))).toMatchObject({ total: 13 });
  });

  it('a sweep leaves what is stored and named while it looks, though its clock is a day ahead', async () => {
    await tableOf(store, minutes(5));
    let late: TableRef | null = null;
    const objects = new Proxy<ObjectStore>(store.objects, {
      get: (target, name) => {
        if (name !== 'list') return (Reflect.get(target, name) as (...given: unknown[]) => unknown).bind(target);
        return async function* (): AsyncGenerator<StoredObject> {
          yield* target.list('rows');
          late = await tableOf(store, minutes(5));
          for await (const found of target.list('rows'))
            if (found.key.name.startsWith(late.datasourceId)) yield { ...found, modifiedAt: new Date(0) };
        };
      },
    });
    const files = new RowObjects(objects, { folder: join(store.folder, 'sweeper'), mostBytes: 1 });
    await files.open();
    const ahead = new ManualClock(new Date(Date.now() + 25 * 3_600_000));
    const sweeper = new RowSweeper(new RowTables(store.documents, ahead), files, ahead);
    sweeper.start();
    await sweeper.stop();
    expect(await figuresOf(store, late!)).toEqual({ count: 10, sum: 20 });
  });
});
