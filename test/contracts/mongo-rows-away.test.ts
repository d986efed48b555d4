import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MongoRowDownloads } from '../../src/adapters/mongo/rows/mongo-row-downloads.js';
import { MongoRowEngine } from '../../src/adapters/mongo/rows/mongo-row-engine.js';
import { MongoRowReader } from '../../src/adapters/mongo/rows/mongo-row-reader.js';
import { MongoTables } from '../../src/adapters/mongo/rows/mongo-tables.js';
import { RowDatabase } from '../../src/adapters/mongo/rows/row-database.js';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { TableRef } from '../../src/ports/table.js';
import { isAppError } from '../../src/shared/app-error.js';
import { eventually } from '../support/eventually.js';
import { mongodbServer } from '../support/mongodb.js';
import { TcpProxy } from '../support/tcp-proxy.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { PATIENT, textOf } from './row-export.fixture.js';
import { aSource, aTable, at, minutes, QUIET } from './row-engine.fixture.js';

const PATIENCE_MS = 120_000;
const LIMITS = { maxRows: 100, timeoutMs: 20_000 };
const PLAN: AnalysisPlan = {
  kind: 'aggregate',
  measures: [{ aggregate: 'count', column: null, label: 'n' }],
  ...{ dimensions: [], filters: [], having: [], order: [], limit: null },
};

describe.skipIf(mongodbServer === undefined)('rows in MongoDB whose server goes away', () => {
  let store: MongoStore;
  let way: TcpProxy;
  let far: RowDatabase;
  let engine: MongoRowEngine;
  let reader: MongoRowReader;
  let downloads: MongoRowDownloads;

  beforeAll(async () => {
    store = await openMongoRows();
    way = await TcpProxy.open(store.database.uri);
    far = new RowDatabase(way.url);
    await far.open();
    const tables = new MongoTables(far);
    engine = new MongoRowEngine(far, tables, { files: store.files, importMemoryMb: 512 }, store.clock);
    reader = new MongoRowReader(tables);
    downloads = new MongoRowDownloads(far, tables, PATIENT);
  });
  afterAll(async () => {
    await way.close();
    await far.close();
    await store[Symbol.asyncDispose]();
  });

  const row = { time: at('2024-02-01T00:00:00Z'), device: 'a', value: 1 };
  /** Everything that is asked of rows. */
  const questions = (table: TableRef): Readonly<Record<string, () => Promise<unknown>>> => ({
    plot: () => reader.plot(table, { asset: null, from: null, to: null, column: 'value', points: 10 }),
    profile: () => reader.profile(table),
    metadata: () => reader.distinctMetadata(table, { search: '', skip: 0, limit: 10 }),
    plan: () => reader.analyze(table, PLAN, LIMITS),
    pipeline: () => reader.query(table, '[{"$count": "n"}]', LIMITS),
    count: () => engine.count(table),
    insert: () => engine.append(table, [row]),
    export: async () =>
      textOf(
        await downloads.exportCsv(table, { asset: null, from: null, to: null, columns: ['value'], timeFormat: null }),
      ),
    check: () => engine.check(),
    remove: () => engine.remove(table.companyId, table.datasourceId, 1),
  });

  it(
    'are said not to be available, soon and in whatever way they are asked for, and are there when it is back',
    async () => {
      const table = aTable();
      await engine.load(table, await aSource(store.folder, [{ text: minutes(100) }]), QUIET);
      way.cut();
      const ends = await Promise.all(
        Object.entries(questions(table)).map(async ([name, ask]) => {
          const begin = performance.now();
          const end = await ask().then(
            () => 'answered',
            (error: unknown) => (isAppError(error, 'unavailable') ? 'unavailable' : String(error)),
          );
          return [name, end, performance.now() - begin < 30_000] as const;
        }),
      );
      expect(ends.filter(([, end, isSoon]) => end !== 'unavailable' || !isSoon)).toEqual([]);
      way.mend();
      await eventually(
        () =>
          engine.check().then(
            () => true,
            () => false,
          ),
        (isUp) => isUp,
      );
      for (const [name, ask] of Object.entries(questions(table))) await expect(ask(), name).resolves.not.toThrow();
      expect(await engine.count(table)).toBe(201);
    },
    PATIENCE_MS,
  );

  it(
    'are not there after an import that it went away in, and are when it is imported again',
    async () => {
      const table = aTable();
      const source = await aSource(store.folder, [{ text: minutes(40_000) }]);
      const importing = engine.load(table, source, QUIET).catch((error: unknown) => error);
      const name = new RegExp(`^rows\\.${table.datasourceId}\\.`);
      const begun = async (): Promise<string | undefined> =>
        (await store.database.db.listCollections({ name }, { nameOnly: true }).toArray())[0]?.name;
      const half = await eventually(begun, (found) => found !== undefined);
      await eventually(
        () => store.database.rows(half ?? '').estimatedDocumentCount(),
        (rows) => rows > 0,
      );
      way.cut();
      expect(await importing).toMatchObject({ kind: 'unavailable' });
      expect(await store.database.tables.countDocuments({ datasourceId: table.datasourceId })).toBe(0);
      way.mend();
      await eventually(
        () =>
          engine.load(table, source, QUIET).then(
            () => true,
            () => false,
          ),
        (isDone) => isDone,
        PATIENCE_MS,
      );
      expect(await engine.count(table)).toBe(80_000);
    },
    PATIENCE_MS,
  );
});
