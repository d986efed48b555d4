import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TableRef } from '../../src/ports/table.js';
import { MongoRowEngine } from '../../src/adapters/mongo/rows/mongo-row-engine.js';
import { MongoTables } from '../../src/adapters/mongo/rows/mongo-tables.js';
import { RowDatabase } from '../../src/adapters/mongo/rows/row-database.js';
import { childEntry } from '../../src/adapters/processes/child-entry.js';
import { eventually } from '../support/eventually.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import type { OwnerOrder } from './mongo-rows-owner.process.js';
import { aSource, aTable, at, minutes, QUIET } from './row-engine.fixture.js';

const MINUTE = 60_000;
const ROUNDS = 4;
const TOGETHER = 3000;
/** Processes are started, and the machine may be busy. */
const PATIENCE_MS = 180_000;

describe.skipIf(mongodbServer === undefined)('rows in MongoDB whose process is killed', () => {
  let store: MongoStore;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    store = await openMongoRows();
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await store[Symbol.asyncDispose]();
  });

  const started = (order: Pick<OwnerOrder, 'table' | 'source'>): ChildProcess => {
    const { path, execArgv } = childEntry(import.meta.url, './mongo-rows-owner.process');
    const child = fork(path, [], { execArgv: [...execArgv] });
    children.push(child);
    child.send({ uri: store.database.uri, folder: store.folder, together: TOGETHER, ...order } satisfies OwnerOrder);
    return child;
  };
  const killed = async (child: ChildProcess): Promise<void> => {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  const collectionsOf = async ({ datasourceId }: TableRef): Promise<readonly string[]> => {
    const name = new RegExp(`^rows\\.${datasourceId}\\.`);
    const found = await store.database.db.listCollections({ name }, { nameOnly: true }).toArray();
    return found.map((one) => one.name);
  };
  const rowsIn = async (collection: string | undefined): Promise<number> =>
    collection === undefined ? 0 : store.database.rows(collection).estimatedDocumentCount();

  it(
    'in the middle of an import are not there, go in time, and the next import makes them',
    async () => {
      const table = aTable();
      const text = minutes(40_000);
      const source = await aSource(store.folder, [{ text }]);
      const child = started({ table, source: { ...source, importedAt: source.importedAt.toISOString() } });
      const half = await eventually(
        async () => (await collectionsOf(table))[0],
        (name) => name !== undefined,
      );
      await eventually(
        () => rowsIn(half),
        (rows) => rows > 0,
      );
      await killed(child);
      await expect(store.engine.count(table)).rejects.toMatchObject({ kind: 'not_found' });

      await store.engine.load(table, source, QUIET);
      expect(await store.engine.count(table)).toBe(80_000);
      expect(await collectionsOf(table)).toContain(half);
      store.clock.advance(11 * MINUTE);
      await store.engine.remove(table.companyId, table.datasourceId, table.generation);
      expect(await collectionsOf(table)).toEqual([(await store.tables.describe(table)).collection]);
      expect(await store.engine.count(table)).toBe(80_000);
    },
    PATIENCE_MS,
  );

  it(
    'in the middle of inserting are whole batches: all that were acknowledged, none twice, none in part',
    async () => {
      const table = aTable();
      await store.engine.load(table, await aSource(store.folder, [{ text: minutes(2) }]), QUIET);
      let acknowledged = 0;
      for (let round = 1; round <= ROUNDS; round += 1) {
        const child = started({ table, source: null });
        let told = 0;
        child.on('message', (batch: number) => (told = batch));
        // Batches that it stored before have their keys: it goes through them again without storing them twice.
        await eventually(
          () => told,
          (batch) => batch > acknowledged,
        );
        await eventually(
          async () => (await store.tables.describe(table)).pending.filter(({ over }) => !over).length,
          (atWork) => atWork > 0,
        );
        await killed(child);
        acknowledged = Math.max(acknowledged, told);

        const { collection, visible } = await store.tables.open(table);
        const groups = await collection
          .aggregate([...visible, { $match: { c5: /^batch/ } }, { $group: { _id: '$c5', rows: { $sum: 1 } } }])
          .toArray();
        expect(new Set(groups.map((group) => Number(group['rows'])))).toEqual(new Set([TOGETHER]));
        expect(groups.length).toBeGreaterThanOrEqual(acknowledged);
        expect(groups.length).toBeLessThanOrEqual(acknowledged + 1);
        expect(await store.engine.count(table)).toBe(4 + groups.length * TOGETHER);
        acknowledged = groups.length;
        // What it left half done would keep the next one, which sends the same key, waiting.
        store.clock.advance(6 * MINUTE);
        await store.engine.append(table, [], { key: 'none', note: '', at: at('2024-06-01T00:00:00Z') });
      }
    },
    PATIENCE_MS,
  );

  it(
    'on the other side of a network that breaks are stored once by who sends them again',
    async () => {
      await using way = await TcpProxy.open(store.database.uri);
      const far = new RowDatabase(way.url);
      await far.open();
      const engine = new MongoRowEngine(
        far,
        new MongoTables(far),
        { files: store.files, importMemoryMb: 512 },
        store.clock,
      );
      const table = aTable();
      await store.engine.load(table, await aSource(store.folder, [{ text: minutes(2) }]), QUIET);
      const rows = Array.from({ length: 2000 }, (_, row) => ({
        ...{ time: new Date(Date.UTC(2024, 1, 1) + row * 1000), device: `d${row % 7}`, note: 'far' },
      }));
      const batch = { key: 'far', note: 'stored', at: store.clock.now() };
      const sending = engine.append(table, rows, batch).catch((error: unknown) => error);
      await eventually(
        async () => (await store.tables.describe(table)).next,
        (next) => next > 1,
      );
      way.cut();
      const outcome = await sending;
      if (outcome instanceof Error) expect(outcome).toMatchObject({ kind: 'unavailable', retryAfter: 5 });
      way.mend();
      await far.close();

      expect([4, 2004]).toContain(await store.engine.count(table));
      store.clock.advance(6 * MINUTE);
      await store.engine.append(table, rows, batch);
      expect(await store.engine.append(table, rows, batch)).toMatchObject({ earlierNote: 'stored' });
      expect(await store.engine.count(table)).toBe(2004);
    },
    PATIENCE_MS,
  );
});
