import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineProcess } from '../../src/rows/engine-client.js';
import { RowFiles } from '../../src/rows/row-files.js';
import { childEntry } from '../../src/adapters/processes/child-entry.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { eventually } from '../support/eventually.js';
import { type DuckDbStore, openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { rowEngineContract } from './row-engine.contract.js';
import { aFolder, aSource, aTable, at, HEADER, minutes, QUIET } from './row-engine.fixture.js';
import { rowInsertsContract } from './row-inserts.contract.js';

rowEngineContract('DuckDB', openDuckDb);
rowInsertsContract('DuckDB', openDuckDb);

/** A process that has ended and waits to be collected is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

/** The processes that this one started from an entry file; Linux tells. */
async function childrenFrom(entry: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while it is looked at.
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const parent = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ')[1]?.split(' ')[1];
      return command.includes(entry) && parent === String(process.pid) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

const ROW = { time: at('2024-01-02T00:00:00Z'), device: 'a', value: 1 };

describe('DuckDB files', () => {
  let store: DuckDbStore;

  beforeAll(async () => {
    store = await openDuckDb();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const filesOf = async (table: TableRef): Promise<readonly string[]> =>
    (await readdir(join(store.folder, 'rows', table.companyId, table.datasourceId)).catch(() => [])).sort();

  const loaded = async (text = minutes(2)): Promise<TableRef> => {
    const table = aTable();
    await store.engine.load(table, await aSource(store.folder, [{ text }]), QUIET);
    return table;
  };

  it('are one for the import and one for later rows, and nothing is left of either when they are removed', async () => {
    const table = await loaded();
    expect(await filesOf(table)).toEqual(['base.1.0.duckdb']);
    await store.engine.append(table, [ROW]);
    expect((await filesOf(table)).filter((name) => !/[.](wal|rows)$/.test(name))).toEqual([
      'base.1.0.duckdb',
      'delta.1.1.duckdb',
    ]);
    await store.reader.query(table, 'SELECT count(*) FROM data', { maxRows: 1, timeoutMs: 10_000 });
    await store.engine.remove(table.companyId, table.datasourceId);
    expect(await filesOf(table)).toEqual([]);
  });

  it('show a sandboxed statement the later rows too, each time all of them', async () => {
    const table = await loaded();
    const count = async (): Promise<unknown> =>
      (await store.reader.query(table, 'SELECT count(*) FROM data', { maxRows: 1, timeoutMs: 10_000 })).rows;
    expect(await count()).toEqual([[4]]);
    for (const rows of [5, 6, 7]) {
      await store.engine.append(table, [ROW]);
      expect(await count()).toEqual([[rows]]);
    }
    expect((await filesOf(table)).filter((name) => name.endsWith('.parquet'))).toEqual([
      'delta.1.0.2.parquet',
      'delta.1.0.3.parquet',
    ]);
  });

  it('keep whole numbers that became numbers when the engine is killed and comes back', async () => {
    const table = await loaded();
    await store.engine.append(table, [{ ...ROW, count: 1 }]);
    await store.engine.append(table, [{ ...ROW, count: 2.5 }]);
    const killed = store.process.pid ?? 0;
    process.kill(killed, 'SIGKILL');
    await eventually(
      () => store.engine.count(table).catch(() => null),
      (count) => count === 6 && store.process.pid !== killed,
    );
    await store.engine.append(table, [{ ...ROW, count: 3.5 }]);
    const { columns, rows } = await store.reader.query(
      table,
      `SELECT max("count") AS most FROM data WHERE "time" >= TIMESTAMP '2024-01-02'`,
      { maxRows: 1, timeoutMs: 10_000 },
    );
    expect({ columns, rows }).toEqual({ columns: [{ name: 'most', type: 'number' }], rows: [[3.5]] });
    expect((await store.reader.profile(table)).columns[3]).toMatchObject({ name: 'count', type: 'number' });
  });

  it('are not there when an import fails, and neither is its folder', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: `${HEADER}nonsense,a,1,1,true,x\n` }]);
    await expect(store.engine.load(table, source, QUIET)).rejects.toMatchObject({ kind: 'invalid_input' });
    expect(await filesOf(table)).toEqual([]);
  });

  it('are not there when an import is aborted at work, and its process is gone', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: minutes(400_000, ['a']) }]);
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
    expect(await filesOf(table)).toEqual([]);
    expect(await childrenFrom('import.process')).toEqual([]);
  });

  it('are not there when the import process is killed, and the next import makes them', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: minutes(100_000) }]);
    const loading = store.engine.load(table, source, QUIET);
    const refused = expect(loading).rejects.toMatchObject({ kind: 'unavailable', message: 'the import process died' });
    const [pid] = await eventually(
      () => childrenFrom('import.process'),
      (found) => found.length > 0,
    );
    process.kill(pid ?? 0, 'SIGKILL');
    await refused;
    expect(await filesOf(table)).toEqual([]);
    expect(await store.engine.load(table, source, QUIET)).toMatchObject({ rows: 200_000 });
  });

  it('keep what was acknowledged when the engine is killed, and what waits for it hears of it', async () => {
    const table = await loaded();
    await store.engine.append(table, [ROW, ROW]);
    const waiting = Array.from({ length: 20 }, () => store.engine.append(table, [ROW]));
    process.kill(store.process.pid ?? 0, 'SIGKILL');
    const ends = await Promise.allSettled(waiting);
    const kept = ends.filter(({ status }) => status === 'fulfilled').length;
    for (const end of ends) if (end.status === 'rejected') expect(end.reason).toMatchObject({ kind: 'unavailable' });
    const count = await eventually(
      () => store.engine.count(table).catch(() => null),
      (rows) => rows !== null,
    );
    // A row may be there whose writer was told that nobody knows; never the other way round.
    expect(count).toBeGreaterThanOrEqual(6 + kept);
    await store.engine.append(table, [ROW]);
    expect(await store.engine.count(table)).toBe((count ?? 0) + 1);
  });

  it('survive being killed again and again', async () => {
    const table = await loaded();
    let acknowledged = 4;
    for (let round = 0; round < 3; round++) {
      await eventually(
        () =>
          store.engine.check().then(
            () => true,
            () => false,
          ),
        Boolean,
      );
      await store.engine.append(table, [ROW]);
      acknowledged++;
      process.kill(store.process.pid ?? 0, 'SIGKILL');
    }
    const count = await eventually(
      () => store.engine.count(table).catch(() => null),
      (rows) => rows !== null,
    );
    expect(count).toBe(acknowledged);
  });

  it('that are damaged make an answer, not a crash', async () => {
    const table = aTable();
    const folder = join(store.folder, 'rows', table.companyId, table.datasourceId);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'base.1.0.duckdb'), 'not a database');
    await expect(store.engine.count(table)).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(store.engine.check()).resolves.toBeUndefined();
  });
});

describe('a data folder', () => {
  it('belongs to one service at a time', async () => {
    await using first = await openDuckDb();
    const second = new EngineProcess(storageIn(first.folder));
    await expect(second.start()).rejects.toMatchObject({
      kind: 'unavailable',
      message: `another instance of the service is using the data folder ${first.folder}: stop it or choose another DATA_DIR`,
    });
    await expect(first.engine.check()).resolves.toBeUndefined();
  });

  it('is cleaned of what a killed service left, by the next one and not by one that may not start', async () => {
    await using first = await openDuckDb();
    const left = join(first.folder, 'rows', 'a'.repeat(24), 'b'.repeat(24), `job.${'0'.repeat(16)}`);
    await mkdir(left, { recursive: true });
    await writeFile(join(left, 'base.importing'), 'half');
    await expect(new EngineProcess(storageIn(first.folder)).start()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await readdir(left)).toEqual(['base.importing']);
    await first.process.stop();
    const next = new EngineProcess(storageIn(first.folder));
    await next.start();
    expect(await readdir(join(left, '..'))).toEqual([]);
    await next.stop();
  });

  it('is free again when a service is killed, and the engine goes with it', async () => {
    await using folder = await aFolder();
    const { path, execArgv } = childEntry(import.meta.url, './engine-owner.process');
    const owner = fork(path, [folder.path], { execArgv: [...execArgv] });
    const [pid] = (await once(owner, 'message')) as [number];
    expect(await isAlive(pid)).toBe(true);
    owner.kill('SIGKILL');
    const heir = new EngineProcess(storageIn(folder.path));
    await heir.start();
    expect(await isAlive(pid)).toBe(false);
    await heir.stop();
  });

  it('is not entered by an id that is none', () => {
    const files = new RowFiles('/nowhere');
    const table = aTable({ datasourceId: asId('../../other') });
    expect(() => files.base(table)).toThrow('datasource not found');
  });
});

describe('an engine that was stopped', () => {
  it('answers nothing and leaves no process', async () => {
    await using store = await openDuckDb();
    const { pid } = store.process;
    await store.process.stop();
    await expect(store.engine.check()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(await isAlive(pid ?? 0)).toBe(false);
  });
});
