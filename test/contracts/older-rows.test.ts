import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { assertTakenOver, takeOverOlderRows } from '../../src/rows/older-rows.js';
import { linkOrCopy } from '../../src/rows/row-files.js';
import { RowObjects } from '../../src/rows/row-objects.js';
import { RowTables } from '../../src/rows/row-tables.js';
import { SystemClock } from '../../src/adapters/system/system-clock.js';
import type { TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { type DuckDbStore, openDuckDb } from './duckdb-store.fixture.js';
import { aSource, aTable, at, minutes, QUIET } from './row-engine.fixture.js';

const IMPORT = '0b0b0b0b-1111-4222-8333-444444444444';

/** Runs statements on a database, which stays behind as a service leaves it that is killed: what was inserted last is in its log. */
async function inDatabase(path: string, statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('PRAGMA disable_checkpoint_on_shutdown');
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** Writes a generation as earlier versions did: a base with five minutes of two devices. */
async function anOlderBase(store: DuckDbStore, table: TableRef, name: string): Promise<string> {
  const made = aTable();
  await store.engine.load(made, await aSource(store.folder, [{ text: minutes(5) }]), QUIET);
  const folder = join(store.folder, 'rows', table.companyId, table.datasourceId);
  await mkdir(folder, { recursive: true });
  for await (const { key } of store.objects.list('rows')) {
    if (!key.name.startsWith(`${made.datasourceId}.`)) continue;
    await linkOrCopy(store.objects.placeOf(key) ?? '', join(folder, 'copied'));
  }
  // A copy of its own: the one that is linked is the other table's.
  const bytes = await readFile(join(folder, 'copied'));
  await writeFile(join(folder, name), bytes);
  await inDatabase(join(folder, name), [`INSERT INTO facts VALUES ('id', '${IMPORT}')`, 'CHECKPOINT']);
  return folder;
}

async function aDelta(path: string, base: string, types: string, rows: readonly string[]): Promise<void> {
  await inDatabase(path, [
    `CREATE TABLE data (${types})`,
    'CREATE TABLE batches (key VARCHAR, note VARCHAR, sent TIMESTAMP)',
    `CREATE TABLE facts AS SELECT 'base' AS key, '${base}' AS value`,
    'CHECKPOINT',
    ...rows.map((row) => `INSERT INTO data VALUES (${row})`),
  ]);
}

async function takeOver(store: DuckDbStore): Promise<void> {
  const clock = new SystemClock();
  await takeOverOlderRows({
    process: store.process,
    tables: new RowTables(store.documents, clock),
    files: store.files,
    objects: new RowObjects(store.objects, { folder: store.files.cache, mostBytes: 1e9 }),
    store: store.objects,
    log: {
      info: () => undefined,
      warn: () => undefined,
      error: (...said) => {
        expect(said).toBeNull();
      },
    },
    memoryMb: 512,
  });
}

const TYPES = 'c0 TIMESTAMP, c1 VARCHAR, c2 DOUBLE, c3 BIGINT, c4 BOOLEAN, c5 VARCHAR';
const WIDER = TYPES.replace('c3 BIGINT', 'c3 DOUBLE');

it('rows that an earlier version stored are taken over, with what was inserted later and the lines that were left out', async () => {
  await using store = await openDuckDb();
  const table = aTable({ datasourceId: asId('d'.repeat(24)), generation: 3 });
  const folder = await anOlderBase(store, table, 'base.3.1.duckdb');
  await writeFile(join(folder, 'base.3.0.duckdb'), 'replaced by the other');
  await aDelta(join(folder, 'delta.3.1.duckdb'), IMPORT, TYPES, ["'2024-01-02', 'old', 0, 0, true, ''"]);
  await aDelta(join(folder, 'delta.3.2.duckdb'), IMPORT, TYPES, ["'2024-01-02', 'c', 1, 2, true, 'x'"]);
  await aDelta(join(folder, 'delta.3.3.duckdb'), IMPORT, WIDER, ["'2024-01-03', 'c', 2, 2.5, true, 'y'"]);
  await aDelta(join(folder, 'delta.3.4.duckdb'), 'another import', TYPES, ["'2024-01-03', 'no', 2, 2, true, 'y'"]);
  const line = { file: 'a.csv', line: 7, reason: 'why', text: 'a,b' };
  await writeFile(join(folder, 'rejects.3.ndjson'), `${JSON.stringify(line)}\n`);

  await takeOver(store);

  expect(await store.engine.count(table)).toBe(12);
  expect((await store.reader.distinctMetadata(table, { search: '', skip: 0, limit: 10 })).values).toEqual([
    'a',
    'b',
    'c',
  ]);
  const query = { asset: 'c', from: null, to: null, column: 'count', points: 10 };
  expect((await store.reader.plot(table, query)).points.map(({ value }) => value)).toEqual([2, 2.5]);
  const lines = [];
  for await (const rejected of await store.downloads.rejectedLines(table)) lines.push(rejected);
  expect(lines).toEqual([line]);
  expect(await readdir(join(store.folder, 'rows'))).not.toContain(table.companyId);
  await store.engine.append(table, [{ time: at('2024-01-04T00:00:00Z'), device: 'c', value: 1 }]);
  expect(await store.engine.count(table)).toBe(13);
});

it('rows of the first versions have older names, and are taken over once', async () => {
  await using store = await openDuckDb();
  const table = aTable({ datasourceId: asId('e'.repeat(24)) });
  const folder = await anOlderBase(store, table, 'base.1.duckdb');
  await aDelta(join(folder, 'delta.1.duckdb'), IMPORT, TYPES, ["'2024-01-02', 'c', 1, 2, true, 'x'"]);

  await expect(assertTakenOver(store.files)).rejects.toThrow('start the service on its data folder once');
  await takeOver(store);
  await takeOver(store);
  await assertTakenOver(store.files);

  expect(await store.engine.count(table)).toBe(11);
});
