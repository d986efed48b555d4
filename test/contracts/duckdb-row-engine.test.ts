import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineProcess } from '../../src/rows/engine/engine-client.js';
import { ROW_BATCHES, ROW_TABLES } from '../../src/rows/row-table.schema.js';
import type { TableRef } from '../../src/ports/table.js';
import { childProcesses } from '../support/child-processes.js';
import { eventually } from '../support/eventually.js';
import { type DuckDbStore, objectsOf, openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { aSource, aTable, at, minutes, QUIET, tableOf } from './row-engine.fixture.js';

/** A process that has ended and waits to be collected is not alive. */
async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) [ZX] /.test(stat);
}

async function importProcesses(): Promise<readonly number[]> {
  return (await childProcesses()).filter(({ command }) => command.includes('import.process')).map(({ pid }) => pid);
}

const ROW = { time: at('2024-01-02T00:00:00Z'), device: 'a', value: 1 };
const LIMITS = { maxRows: 1, timeoutMs: 10_000 };

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
    await eventually(
      () => store.process.pid,
      (pid) => pid !== killed,
    );
  };
  const expectNothingOf = async (table: TableRef): Promise<void> => {
    expect(await objectsOf(store, table)).toEqual([]);
    expect(await readdir(join(store.folder, 'rows', 'work'))).toEqual([]);
  };

  /** How many there are of the table, and of its batches. */
  const documentsOf = async ({ companyId, datasourceId }: TableRef): Promise<() => Promise<readonly number[]>> => {
    const tables = store.documents.tenantCollection(ROW_TABLES).of(companyId);
    const batches = store.documents.tenantCollection(ROW_BATCHES).of(companyId);
    const [{ load } = { load: '' }] = await tables.find({ datasourceId });
    return async () => [await tables.count({ datasourceId }), await batches.count({ load })];
  };

  it('are one object and a document for each insertion, and nothing is left of them when they are removed', async () => {
    const table = aTable();
    const text = `${minutes(2)}x,a,1,1,true,rejected\n`;
    await store.engine.load(table, await aSource(store.folder, [{ text }]), QUIET);
    for (let round = 0; round < 3; round += 1) await store.engine.append(table, [ROW, ROW]);
    expect(await counted(table)).toBe(10);
    const documents = await documentsOf(table);
    expect((await objectsOf(store, table)).map((name) => name.endsWith('.rejects')).sort()).toEqual([false, true]);
    expect(await documents()).toEqual([1, 3]);
    await store.engine.remove(table.companyId, table.datasourceId);
    await expectNothingOf(table);
    expect(await documents()).toEqual([0, 0]);
    await eventually(
      () => readdir(join(store.folder, 'rows', 'later')),
      (names) => names.length === 0,
    );
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
    const { columns, rows } = await store.reader.query(
      table,
      `SELECT max("count") AS most FROM data WHERE "time" >= TIMESTAMP '2024-01-02'`,
      LIMITS,
    );
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
    expect(
      await eventually(
        () => counted(table).catch(() => null),
        (count) => count !== null,
      ),
    ).toBe(24);
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
    await expectNothingOf(table);
    expect(await importProcesses()).toEqual([]);
  });

  it('are not there when the import process is killed, and the next import makes them', async () => {
    const table = aTable();
    const source = await aSource(store.folder, [{ text: minutes(50_000) }]);
    const loading = store.engine.load(table, source, QUIET);
    const refused = expect(loading).rejects.toMatchObject({ kind: 'unavailable', message: 'the import process died' });
    const [pid] = await eventually(importProcesses, (found) => found.length > 0);
    process.kill(pid ?? 0, 'SIGKILL');
    await refused;
    await expectNothingOf(table);
    expect(await store.engine.load(table, source, QUIET)).toMatchObject({ rows: 100_000 });
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
});
