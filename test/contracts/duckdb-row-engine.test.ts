import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import type { TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { batchRows } from '../../src/rows/batch-rows.js';
import { EngineProcess } from '../../src/rows/engine/engine-client.js';
import type { TableSnapshot } from '../../src/rows/engine/engine-protocol.js';
import { RowObjects } from '../../src/rows/row-objects.js';
import { ROW_BATCHES, ROW_TABLES } from '../../src/rows/row-table.schema.js';
import { RowTables } from '../../src/rows/row-tables.js';
import { TableRequests } from '../../src/rows/table-requests.js';
import { childProcesses } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import { type DuckDbStore, objectsOf, openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { aSource, at, aTable, minutes, QUIET, tableOf } from './row-engine.fixture.js';

/** A process that has ended and waits to be collected is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** The ids of child processes that do this work. */
async function processesOf(work: 'import' | 'compact'): Promise<readonly number[]> {
  return (await childProcesses()).filter(({ command }) => command.includes(`${work}.process`)).map(({ pid }) => pid);
}

async function oneAtWork(work: 'import' | 'compact'): Promise<number> {
  const [pid = 0] = await eventually(
    () => processesOf(work),
    (found) => found.length > 0,
  );
  return pid;
}

const ROW = { time: at('2024-01-02T00:00:00Z'), device: 'a', value: 1 };
const LIMITS = { maxRows: 10, timeoutMs: 10_000 };

describe('the rows of a datasource', () => {
  let store: DuckDbStore;

  beforeAll(async () => {
    store = await openDuckDb();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const loaded = (): Promise<TableRef> => tableOf(store, minutes(2));
  /** As a statement sees them, which the engine has to know them for. */
  const counted = async (table: TableRef): Promise<unknown> =>
    (await store.reader.query(table, 'SELECT count(*) FROM data', LIMITS)).rows[0]?.[0];
  const killEngine = async (): Promise<void> => {
    const killed = store.process.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => store.process.pid).not.toBe(killed);
  };
  const expectNothingOf = async (table: TableRef): Promise<void> => {
    expect(await objectsOf(store, table)).toEqual([]);
    expect(await readdir(join(store.folder, 'rows', 'work'))).toEqual([]);
  };

  it('are one object and a document for each insertion, and nothing is left of them when they are removed', async () => {
    const table = aTable();
    const text = `${minutes(2)}x,a,1,1,true,rejected\n`;
    await store.engine.load(table, await aSource(store.folder, [{ text }]), QUIET);
    for (let round = 0; round < 3; round += 1) await store.engine.append(table, [ROW, ROW]);
    expect(await counted(table)).toBe(10);
    const tables = store.documents.tenantCollection(ROW_TABLES).of(table.companyId);
    const batches = store.documents.tenantCollection(ROW_BATCHES).of(table.companyId);
    const [{ load } = { load: '' }] = await tables.find({ datasourceId: table.datasourceId });
    expect((await objectsOf(store, table)).map((name) => name.endsWith('.rejects')).sort()).toEqual([false, true]);
    expect(await batches.count({ load })).toBe(3);
    await store.engine.remove(table.companyId, table.datasourceId);
    await expectNothingOf(table);
    expect([await tables.count({ datasourceId: table.datasourceId }), await batches.count({ load })]).toEqual([0, 0]);
    await expect.poll(() => readdir(join(store.folder, 'rows', 'later'))).toHaveLength(0);
  });

  it('are read once for all who ask alike, and again when rows have come', async () => {
    const table = await loaded();
    const engine = vi.spyOn(store.process, 'request');
    const plan = {
      kind: 'aggregate',
      measures: [{ aggregate: 'count', column: null, label: 'n' }],
      dimensions: [],
      filters: [],
      having: [],
      order: [],
      limit: null,
    } as const;
    const asked = async (): Promise<unknown> => (await store.reader.analyze(table, plan, LIMITS)).rows[0]?.[0];
    const reads = (): number => engine.mock.calls.filter(([operation]) => operation === 'select').length;
    expect([...(await Promise.all([asked(), asked()])), await asked(), reads()]).toEqual([4, 4, 4, 1]);
    await store.engine.append(table, [ROW]);
    expect([await asked(), reads()]).toEqual([5, 2]);
  });

  it('are all seen again, wider columns included, when the engine was killed again and again', async () => {
    const table = await loaded();
    await store.engine.append(table, [{ ...ROW, count: 1 }]);
    await store.engine.append(table, [{ ...ROW, count: 2.5 }]);
    for (let round = 1; round <= 2; round += 1) {
      expect(await counted(table)).toBe(5 + round);
      await killEngine();
      await store.engine.append(table, [{ ...ROW, count: round + 0.5 }]);
    }
    const sql = `SELECT max("count") AS most FROM data WHERE "time" >= TIMESTAMP '2024-01-02'`;
    const { columns, rows } = await store.reader.query(table, sql, LIMITS);
    expect({ columns, rows }).toEqual({ columns: [{ name: 'most', type: 'number' }], rows: [[2.5]] });
    expect((await store.reader.profile(table)).columns[3]).toMatchObject({ name: 'count', type: 'number' });
  });

  it('come in while the engine is away, and who waits for it hears of it', async () => {
    const table = await loaded();
    await store.engine.check();
    const waiting = Array.from({ length: 20 }, () => store.reader.profile(table));
    process.kill(store.process.pid ?? 0, 'SIGKILL');
    const ends = Promise.allSettled(waiting);
    await Promise.all(Array.from({ length: 20 }, () => store.engine.append(table, [ROW])));
    for (const end of await ends)
      if (end.status === 'rejected') expect(end.reason).toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => counted(table).catch(() => null)).toBe(24);
  });

  it('are not there when an import is aborted at work, and its process is gone', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: minutes(100_000, ['a']) }]);
    const aborter = new AbortController();
    const seen: (number | null)[] = [];
    const loading = store.engine.load(table, source, {
      signal: aborter.signal,
      onProgress: ({ percent }) => {
        seen.push(percent);
        aborter.abort(new Error('enough'));
      },
    });
    await expect(loading).rejects.toThrow('enough');
    expect(seen.length).toBeGreaterThan(0);
    await expectNothingOf(table);
    expect(await processesOf('import')).toEqual([]);
  });

  it('are not there when the import process is killed, and the next import makes them', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: minutes(10_000) }]);
    const loading = store.engine.load(table, source, QUIET);
    const refused = expect(loading).rejects.toMatchObject({ kind: 'unavailable', message: 'the import process died' });
    process.kill(await oneAtWork('import'), 'SIGKILL');
    await refused;
    await expectNothingOf(table);
    expect(await store.engine.load(table, source, QUIET)).toMatchObject({ rows: 20_000 });
  });
});

describe('a data folder', () => {
  it('belongs to one service at a time, and is cleaned of what a killed one left, by the next and not by one that may not start', async () => {
    await using first = await openDuckDb();
    const left = join(first.folder, 'rows', 'work', `job.${'0'.repeat(16)}`);
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'base.importing'), 'half');
    await expect(new EngineProcess(storageIn(first.folder)).start()).rejects.toMatchObject({
      kind: 'unavailable',
      message: `another instance of the service is using the data folder ${first.folder}: stop it or choose another DATA_DIR`,
    });
    await expect(first.engine.check()).resolves.toBeUndefined();
    expect(await readdir(left)).toEqual(['base.importing']);
    const { pid } = first.process;
    expect(await isAlive(pid ?? 0)).toBe(true);
    await first.process.stop();
    await expect(first.engine.check()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await isAlive(pid ?? 0)).toBe(false);
    const next = new EngineProcess(storageIn(first.folder));
    await next.start();
    expect(await readdir(join(left, '..'))).toEqual([]);
    await next.stop();
  });

  it('whose lock is damaged is refused with what to do', async () => {
    await using store = await openDuckDb();
    await store.process.stop();
    await writeFile(join(store.folder, 'rows', 'engine.lock.duckdb'), Buffer.alloc(12_288, 'x'));
    const message = expect.stringMatching(/engine\.lock\.duckdb is damaged: delete it/) as string;
    await expect(new EngineProcess(storageIn(store.folder)).start()).rejects.toMatchObject({ message });
  });
});

const never = new AbortController().signal;
const SERIES = { asset: null, from: null, to: null, column: 'value', points: 10 };

const later = (rows: number, changes: TypedRow = {}): TypedRow[] =>
  Array.from({ length: rows }, (_, value) => ({ time: at('2024-01-02T00:00:00Z'), device: 'a', value, ...changes }));

async function loaded(store: DuckDbStore, rows = 0, text = minutes(2)): Promise<TableRef> {
  const table = await tableOf(store, text);
  if (rows > 0) await store.engine.append(table, later(rows));
  return table;
}

/** By a statement, a plot and the record. */
async function counts({ engine, reader }: DuckDbStore, table: TableRef): Promise<readonly unknown[]> {
  const { rows } = await reader.query(table, 'SELECT count(*) FROM data', LIMITS);
  return [rows[0]?.[0], (await reader.plot(table, SERIES)).total, await engine.count(table)];
}

describe('a compaction', () => {
  let store: DuckDbStore;
  let requests: TableRequests;

  beforeAll(async () => {
    store = await openDuckDb({ keepMs: 60_000 });
    const objects = new RowObjects(store.objects, { folder: store.files.cache, mostBytes: 1e9 });
    requests = new TableRequests(store.process, new RowTables(store.documents, new SystemClock()), objects);
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const told = (table: TableRef): Promise<TableSnapshot> => requests.ask('snapshot', table, {}, 10_000);

  it('leaves the files that it replaces to who was just told of them, and tells others of new ones', async () => {
    const table = await loaded(store, 20);
    const before = await told(table);
    await store.engine.compact(table, never);
    await store.engine.append(table, later(1));
    const after = await told(table);
    expect(after).toMatchObject({ laterRows: 1, upTo: 2 });
    expect(after.base).not.toBe(before.base);
    for (const path of [before.base, before.later, after.base, after.later])
      expect((await stat(path ?? '')).size).toBeGreaterThan(0);
  });

  it('takes the replaced files away when nobody can be about to open them any more', async () => {
    await using own = await openDuckDb({ keepMs: 0 });
    const table = await loaded(own, 20);
    const [replaced] = await objectsOf(own, table);
    await counts(own, table);
    await own.engine.compact(table, never);
    await counts(own, table);
    const left = await eventually(
      () => objectsOf(own, table),
      (names) => names.length === 1,
    );
    expect(left).not.toEqual([replaced]);
    expect(await readdir(join(own.folder, 'rows', 'work'))).toEqual([]);
  });

  it('leaves nothing that is seen when its process is killed, keeps what came in meanwhile, and is made the next time', async () => {
    const table = await loaded(store, 20);
    const before = await objectsOf(store, table);
    const refused = expect(store.engine.compact(table, never)).rejects.toMatchObject({
      message: 'the compaction process died',
    });
    const pid = await oneAtWork('compact');
    await store.engine.append(table, later(3, { count: 0.5 }));
    process.kill(pid, 'SIGKILL');
    await refused;
    expect(await objectsOf(store, table)).toEqual(before);
    expect(await readdir(join(store.folder, 'rows', 'work'))).toEqual([]);
    expect(await store.engine.compact(table, never)).toBe(true);
    expect(await counts(store, table)).toEqual([27, 27, 27]);
  });

  it('goes on when the engine is killed, and keeps wider numbers that came in meanwhile', async () => {
    const table = await loaded(store, 20);
    const compacting = store.engine.compact(table, never);
    await oneAtWork('compact');
    process.kill(store.process.pid ?? 0, 'SIGKILL');
    await store.engine.append(table, later(3, { count: 1.5 }));
    expect(await compacting).toBe(true);
    await expect.poll(() => store.engine.check().catch((error: unknown) => error)).toBeUndefined();
    expect(await counts(store, table)).toEqual([27, 27, 27]);
    expect((await store.reader.profile(table)).columns[3]).toMatchObject({ type: 'number', max: 1.5 });
  });

  it('leaves no file behind when the rows are removed meanwhile', async () => {
    const table = await loaded(store, 20);
    const compacting = store.engine.compact(table, never).catch((error: unknown) => error);
    await oneAtWork('compact');
    await store.engine.remove(table.companyId, table.datasourceId);
    expect(await compacting).toMatchObject({ kind: 'not_found' });
    expect(await objectsOf(store, table)).toEqual([]);
  });

  it('ends what is told ahead of a table whose files it replaces', async () => {
    const table = await loaded(store);
    await requests.ask('count', table, {}, 10_000);
    const { now } = await requests.tables.append(table, undefined, ({ columns, table: { timeField, metaField } }) =>
      batchRows(columns, { timeField, metaField }, later(20)),
    );
    expect(await store.engine.compact(table, never)).toBe(true);

    requests.tellAhead(table, now);
    expect(now.isTelling).toBe(true);
    await expect.poll(() => now.isTelling).toBe(false);
  });

  it('does not have a question asked again that fails by itself', async () => {
    const table = await loaded(store);
    let asked = 0;
    const request = store.process.request.bind(store.process);
    store.process.request = async (...input) => {
      asked += 1;
      await requests.tables.change((await requests.tables.now(table)).table, {});
      return request(...input);
    };
    const order = { sql: 'SELECT nothing FROM visible', params: [], maxRows: 1 };
    await expect(requests.ask('select', table, { order }, 10_000)).rejects.toThrow('nothing');
    store.process.request = request;
    expect(asked).toBe(1);
  });

  it('of many batches beside a large base makes a part of them, time and again, until they are worth a new base', async () => {
    const table = await loaded(store, 0, minutes(100_001));
    const base = 200_002;
    const insertMany = async (from: number, changes: TypedRow = {}): Promise<void> => {
      for (let value = from; value < from + 200; value += 1)
        await store.engine.append(table, [{ ...later(1)[0], value, ...changes }]);
    };
    await insertMany(0);
    expect(await store.engine.compact(table, never)).toBe(true);
    expect(await counts(store, table)).toEqual([base + 200, base + 200, base + 200]);
    expect(await told(table)).toMatchObject({ laterRows: 200, upTo: 200 });

    await insertMany(200, { count: 0.5, device: 'part' });
    expect(await store.engine.compact(table, never)).toBe(true);
    await store.engine.append(table, later(1, { value: 400, device: 'part' }));
    expect(await counts(store, table)).toEqual([base + 401, base + 401, base + 401]);
    const { points } = await store.reader.plot(table, { ...SERIES, asset: 'part', points: 1000 });
    expect(points.map(({ value }) => value).sort((one, other) => one - other)).toEqual(
      Array.from({ length: 201 }, (_, index) => 200 + index),
    );
    const { columns, rowCount } = await store.reader.profile(table);
    expect({ rowCount, count: columns[3] }).toMatchObject({ rowCount: base + 401, count: { type: 'number' } });
    const { base: first } = await told(table);

    await store.engine.append(table, later(10_000));
    expect(await store.engine.compact(table, never)).toBe(true);
    expect(await told(table)).toMatchObject({ later: null });
    expect((await told(table)).base).not.toBe(first);
    expect(await counts(store, table)).toEqual([base + 10_401, base + 10_401, base + 10_401]);
  }, 120_000);
});
