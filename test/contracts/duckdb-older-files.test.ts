import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { DuckDbRowEngine } from '../../src/rows/duckdb-row-engine.js';
import { EngineProcess } from '../../src/rows/engine-client.js';
import { openDuckDb, storageIn } from './duckdb-store.fixture.js';
import { aSource, aTable, at, minutes, QUIET } from './row-engine.fixture.js';

/** Makes of a file of later inserts what an older version wrote. */
async function withoutBatches(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run('DROP TABLE batches');
  connection.closeSync();
  instance.closeSync();
}

it('rows that an older version stored are read, and more are added', async () => {
  await using store = await openDuckDb();
  const table = aTable();
  const row = { time: at('2024-01-02T00:00:00Z'), device: 'a', value: 1 };
  await store.engine.load(table, await aSource(store.folder, [{ text: minutes(5) }]), QUIET);
  await store.engine.append(table, [row, row]);
  await store.process.stop();
  const folder = store.files.folder(table.companyId, table.datasourceId);
  await withoutBatches(join(folder, 'delta.1.1.duckdb'));
  await rename(join(folder, 'base.1.0.duckdb'), join(folder, 'base.1.duckdb'));
  await rename(join(folder, 'delta.1.1.duckdb'), join(folder, 'delta.1.duckdb'));

  const process = new EngineProcess(storageIn(store.folder));
  await process.start();
  const engine = new DuckDbRowEngine(process, store.files, storageIn(store.folder));
  const batch = { key: 'k', note: 'n', at: new Date('2024-01-02T00:00:00Z') };
  expect(await engine.count(table)).toBe(12);
  expect(await engine.append(table, [row], batch)).toMatchObject({ earlierNote: null });
  expect(await engine.append(table, [row], batch)).toMatchObject({ earlierNote: 'n' });
  expect(await engine.count(table)).toBe(13);
  await process.stop();
});
