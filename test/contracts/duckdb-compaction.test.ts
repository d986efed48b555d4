import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wireTable } from '../../src/rows/duckdb-row-engine.js';
import { EngineProcess } from '../../src/rows/engine-client.js';
import type { TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { eventually } from '../support/eventually.js';
import { type DuckDbStore, openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { rowBatchesContract } from './row-batches.contract.js';
import { rowCompactionContract } from './row-compaction.contract.js';
import { aSource, aTable, at, minutes, QUIET } from './row-engine.fixture.js';

rowCompactionContract('DuckDB', openDuckDb);
rowBatchesContract('DuckDB', openDuckDb);

const never = new AbortController().signal;
const LIMITS = { maxRows: 10, timeoutMs: 10_000 };

const later = (rows: number): TypedRow[] =>
  Array.from({ length: rows }, (_, value) => ({ time: at('2024-01-02T00:00:00Z'), device: 'a', value }));

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

describe('DuckDB files of later rows', () => {
  let store: DuckDbStore;

  beforeAll(async () => {
    store = await openDuckDb({ keepMs: 60_000 });
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const folderOf = ({ companyId, datasourceId }: TableRef): string => store.files.folder(companyId, datasourceId);
  const filesOf = async (table: TableRef): Promise<readonly string[]> =>
    (await readdir(folderOf(table)).catch(() => [])).filter((name) => !/[.](wal|rows)$/.test(name)).sort();

  const loaded = async (rows = 0): Promise<TableRef> => {
    const table = aTable();
    await store.engine.load(table, await aSource(store.folder, [{ text: minutes(2) }]), QUIET);
    await store.engine.append(table, later(rows));
    return table;
  };
  const engineIsBack = (table: TableRef): Promise<number | null> =>
    eventually(
      () => store.engine.count(table).catch(() => null),
      (count) => count !== null,
    );

  it('are gone with a compaction; the base that it replaces stays for who was just told of it', async () => {
    const table = await loaded(20);
    const told = await store.process.request('snapshot', { table: wireTable(store.files, table) }, 10_000);
    await store.engine.compact(table, never);
    await store.engine.append(table, later(1));
    const files = await eventually(
      () => filesOf(table),
      (names) => !names.includes('delta.1.1.duckdb'),
    );
    expect(files).toEqual(['base.1.0.duckdb', 'base.1.1.duckdb', 'delta.1.0.20.parquet', 'delta.1.2.duckdb']);
    for (const path of [told.base, told.later ?? '']) expect((await stat(path)).size).toBeGreaterThan(0);
    expect(await store.process.request('snapshot', { table: wireTable(store.files, table) }, 10_000)).toEqual({
      base: join(folderOf(table), 'base.1.1.duckdb'),
      later: join(folderOf(table), 'delta.1.1.1.parquet'),
    });
  });

  it('that are opened again are those of the newest base', async () => {
    const table = await loaded(20);
    await store.engine.compact(table, never);
    await store.engine.append(table, later(5));
    process.kill(store.process.pid ?? 0, 'SIGKILL');
    expect(await engineIsBack(table)).toBe(29);
    expect(await filesOf(table)).toEqual(['base.1.1.duckdb', 'delta.1.2.duckdb']);
    await store.engine.append(table, later(10));
    expect(await store.engine.compact(table, never)).toBe(true);
    expect(await store.engine.count(table)).toBe(39);
  });

  it('keep what was inserted while they were compacted by a process that is killed, and are compacted the next time', async () => {
    const table = await loaded(20);
    const compacting = store.engine.compact(table, never);
    const refused = expect(compacting).rejects.toMatchObject({ message: 'the compaction process died' });
    const [pid] = await eventually(
      () => childrenFrom('compact.process'),
      (found) => found.length > 0,
    );
    await store.engine.append(table, later(3));
    process.kill(pid ?? 0, 'SIGKILL');
    await refused;
    expect(await filesOf(table)).toEqual(['base.1.0.duckdb', 'delta.1.1.duckdb', 'delta.1.2.duckdb']);
    await store.engine.append(table, later(1));
    expect(await store.engine.compact(table, never)).toBe(true);
    expect(await store.engine.count(table)).toBe(28);
    expect((await store.reader.query(table, 'SELECT count(*) FROM data', LIMITS)).rows).toEqual([[28]]);
  });

  it('are not replaced when the engine was killed since they were sealed: something may have been added to them', async () => {
    const table = await loaded(20);
    const compacting = store.engine.compact(table, never);
    const refused = expect(compacting).rejects.toMatchObject({ kind: 'unavailable' });
    await eventually(
      () => childrenFrom('compact.process'),
      (found) => found.length > 0,
    );
    process.kill(store.process.pid ?? 0, 'SIGKILL');
    await engineIsBack(table);
    await store.engine.append(table, later(3));
    await refused;
    expect(await store.engine.count(table)).toBe(27);
    expect(await filesOf(table)).toEqual(['base.1.0.duckdb', 'delta.1.1.duckdb']);
  });

  it('leave no folder behind when they are removed during a compaction', async () => {
    const table = await loaded(20);
    const compacting = store.engine.compact(table, never).catch((error: unknown) => error);
    await eventually(
      () => childrenFrom('compact.process'),
      (found) => found.length > 0,
    );
    await store.engine.remove(table.companyId, table.datasourceId);
    expect(await compacting).toMatchObject({ kind: 'not_found' });
    await expect(stat(folderOf(table))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('answer who read them before a compaction as well as who comes after it', async () => {
    const table = await loaded(20);
    const totals: number[] = [];
    let done = false;
    const compacting = store.engine.compact(table, never).finally(() => (done = true));
    const readers = Array.from({ length: 4 }, async () => {
      while (!done) {
        const { rows } = await store.reader.query(table, 'SELECT count(*) FROM data', LIMITS);
        const { total } = await store.reader.plot(table, {
          ...{ asset: null, from: null, to: null, column: 'value', points: 10 },
        });
        totals.push(Number(rows[0]?.[0]), total);
      }
    });
    expect(await compacting).toBe(true);
    await Promise.all(readers);
    expect(new Set(totals)).toEqual(new Set([24]));
  });
});

describe('a data folder whose service was killed', () => {
  it('is rid of what newer files have taken the place of, and reads what was acknowledged', async () => {
    await using store = await openDuckDb({ keepMs: 60_000 });
    const table = aTable();
    await store.engine.load(table, await aSource(store.folder, [{ text: minutes(2) }]), QUIET);
    await store.engine.append(table, later(20), { key: 'kept', note: 'first', at: at('2024-06-01T00:00:00Z') });
    await store.reader.query(table, 'SELECT count(*) FROM data', LIMITS);
    await store.engine.compact(table, never);
    await store.process.stop();
    const names = (): Promise<string[]> => readdir(store.files.folder(table.companyId, table.datasourceId));
    expect(await names()).toContain('base.1.0.duckdb');

    const next = new EngineProcess(storageIn(store.folder), { afterRows: 10, keepMs: 0 });
    await next.start();
    expect(await names()).toEqual(['base.1.1.duckdb']);
    const wire = wireTable(store.files, table);
    expect(await next.request('count', { table: wire }, 10_000)).toBe(24);
    const batch = { key: 'kept', note: 'second', at: '2024-06-01T01:00:00Z' };
    expect(await next.request('append', { table: wire, rows: { names: [], cells: [] }, batch }, 10_000)).toMatchObject({
      earlierNote: 'first',
    });
    await next.stop();
  });
});
