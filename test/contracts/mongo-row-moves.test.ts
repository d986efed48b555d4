import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DuckDbRowDownloads } from '../../src/rows/duckdb-row-downloads.js';
import { ExportRuns } from '../../src/rows/export-run.js';
import { RowFiles } from '../../src/rows/row-files.js';
import { StoredRows } from '../../src/rows/stored-rows.js';
import { type MovedRows, RowMoves } from '../../src/adapters/mongo/rows/row-moves.js';
import { childEntry } from '../../src/adapters/processes/child-entry.js';
import type { RowDownloads } from '../../src/ports/row-downloads.js';
import type { TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { eventually } from '../support/eventually.js';
import { type MoveDocument, tableId } from '../../src/adapters/mongo/rows/row-documents.js';
import { mongodbServer } from '../support/mongodb.js';
import { openDuckDb, type DuckDbStore } from './duckdb-store.fixture.js';
import type { MoverOrder } from './mongo-row-mover.process.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { PATIENT, textOf } from './row-export.fixture.js';
import { aSource, aTable, at, COLUMNS, HEADER, minutes, QUIET } from './row-engine.fixture.js';

const PATIENCE_MS = 180_000;
const KILLS = 3;
const NOT_BEGUN: Pick<MoveDocument, 'collection' | 'working'> = { collection: '', working: null };
const ODD = `${HEADER}1969-12-31 23:59:59,a,1e308,9223372036854775807,true,"two
lines"
2024-01-01 00:00:00,b,-0.0,-9223372036854775808,false,
2024-01-01 00:00:00,b,5e-324,,,Größe 東京 🙂
2262-01-01 00:00:00,c,,1,true,"$set.a"
`;

describe.skipIf(mongodbServer === undefined)('rows that are moved from files to MongoDB', () => {
  let far: MongoStore;
  let near: DuckDbStore;
  let nearDownloads: RowDownloads;
  let copies = 0;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    [far, near] = [await openMongoRows(), await openDuckDb({ afterRows: 1_000_000 })];
    const runs = new ExportRuns(join(near.folder, 'exports'), PATIENT);
    await runs.open();
    nearDownloads = new DuckDbRowDownloads(near.process, near.files, runs);
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await far[Symbol.asyncDispose]();
    await near[Symbol.asyncDispose]();
  });

  /** The files as they lie there when the service is killed now: later inserts stand in logs. */
  const filesOfNow = async (): Promise<RowFiles> => {
    const folder = join(near.folder, `copy-${(copies += 1)}`);
    await cp(join(near.folder, 'rows'), join(folder, 'rows'), { recursive: true });
    return new RowFiles(folder);
  };
  const moved = async (table: TableRef, files: RowFiles, lifespanSeconds: number | null = null): Promise<MovedRows> => {
    using rows = await StoredRows.open(files.folder(table.companyId, table.datasourceId), table.generation);
    const order = { ref: table, rows, lifespanSeconds, rejects: files.rejects(table) };
    return await new RowMoves(far.database, far.clock).move(order, () => undefined);
  };
  const recordsOf = async (downloads: RowDownloads, table: TableRef): Promise<readonly string[]> => {
    const columns = COLUMNS.map(([name]) => name);
    const query = { asset: null, from: null, to: null, columns, timeFormat: null };
    return (await textOf(await downloads.exportCsv(table, query))).split('\r\n').sort();
  };
  const expectTheSame = async (table: TableRef): Promise<void> => {
    expect(await recordsOf(far.downloads, table)).toEqual(await recordsOf(nearDownloads, table));
    const profile = await near.reader.profile(table);
    expect(await far.reader.profile(table)).toEqual(profile);
  };
  const later = (changes: TypedRow = {}): TypedRow => ({
    ...{ time: at('2024-03-01T00:00:00Z'), device: 'a', value: 1.5, count: 7, on: true, note: 'later' },
    ...changes,
  });

  it(
    'are all there, as they are: what was imported, what came later, what was left out, and the keys',
    async () => {
      const table = aTable();
      const text = `${minutes(30_000)}not a time,a,1,1,true,bad\n`;
      await near.engine.load(table, await aSource(near.folder, [{ text }]), QUIET);
      await near.engine.append(table, [later(), later({ count: 2.5, note: 'wider' })]);
      const batch = { key: 'k', note: 'first answer', at: far.clock.now() };
      await near.engine.append(table, [later({ note: null, value: null })], batch);

      const found = await moved(table, await filesOfNow());
      expect(found).toMatchObject({ count: 60_003, problems: [] });
      await expectTheSame(table);
      const rejected = [];
      for await (const line of await far.downloads.rejectedLines(table)) rejected.push(line);
      expect(rejected).toMatchObject([{ line: 60_002, text: 'not a time,a,1,1,true,bad' }]);
      expect(await far.engine.append(table, [later()], batch)).toMatchObject({ earlierNote: 'first answer' });
      expect(await far.engine.append(table, [later()])).toMatchObject({ earlierNote: null });
      expect(await far.engine.count(table)).toBe(60_004);
    },
    PATIENCE_MS,
  );

  it(
    'keep odd values, and times that no time series can hold',
    async () => {
      const table = aTable();
      await near.engine.load(table, await aSource(near.folder, [{ text: ODD }]), QUIET);
      await near.engine.append(table, [
        later({ count: '9007199254740993', note: '' }),
        later({ time: at('1900-01-01T00:00:00Z') }),
      ]);
      expect(await moved(table, await filesOfNow())).toMatchObject({ count: 6, problems: [] });
      await expectTheSame(table);
    },
    PATIENCE_MS,
  );

  it(
    'are moved to the end by whoever comes after a kill at any moment, none of them twice',
    async () => {
      const table = aTable();
      await near.engine.load(table, await aSource(near.folder, [{ text: minutes(120_000) }]), QUIET);
      await near.engine.append(table, [later()]);
      const files = await filesOfNow();
      const order: MoverOrder = { uri: far.database.uri, folder: files.dataDir, table };
      const { path, execArgv } = childEntry(import.meta.url, './mongo-row-mover.process');
      const state = () => far.database.moves.findOne({ _id: tableId(table) });
      /** Kills it when some rows of a batch later than one are stored, and says which batch that is. */
      const killedAfter = async (last: number): Promise<number> => {
        const child = fork(path, [], { execArgv: [...execArgv] });
        children.push(child);
        const gone = once(child, 'exit');
        child.send(order);
        const { collection, working } = await eventually(
          async () => (await state()) ?? NOT_BEGUN,
          (move) => (move.working ?? 0) > last,
          PATIENCE_MS,
        );
        await eventually(
          () => far.database.rows(collection).findOne({ b: working }),
          (row) => row !== null,
        );
        child.kill('SIGKILL');
        await gone;
        return working ?? 0;
      };
      for (let [round, last] = [1, 0]; round <= KILLS; round += 1) {
        last = await killedAfter(last);
        expect(await far.database.tables.findOne({ _id: tableId(table) })).toBeNull();
      }
      expect((await state())?.abandoned.length).toBeGreaterThan(0);
      expect(await moved(table, files)).toMatchObject({ count: 240_001, problems: [] });
      expect(await far.engine.count(table)).toBe(240_001);
      await expectTheSame(table);
    },
    PATIENCE_MS,
  );

  it(
    'are not there when one was lost or changed on the way',
    async () => {
      const table = aTable();
      await near.engine.load(table, await aSource(near.folder, [{ text: minutes(40_000) }]), QUIET);
      const files = await filesOfNow();
      expect(await moved(table, files)).toMatchObject({ problems: [] });
      const { collection } = await far.tables.describe(table);
      await far.database.tables.deleteOne({ _id: tableId(table) });

      const rows = far.database.rows(collection);
      const row = await rows.findOne({ c2: 5, m: 'a' });
      await rows.deleteMany({ c2: 5, m: 'a' });
      const lost = await moved(table, files);
      expect(lost).toMatchObject({ problems: ['79999 rows are there instead of 80000'] });
      await rows.insertOne({ ...row, c2: 5.5 });
      const changed = await moved(table, files);
      expect(changed).toMatchObject({ problems: ['some rows differ: the checksums are not the same'] });
      await expect(far.tables.open(table)).rejects.toMatchObject({ kind: 'not_found' });
    },
    PATIENCE_MS,
  );

  it(
    'may outlive their lifespan before they are compared, and are verified all the same',
    async () => {
      const [table, plain] = [aTable(), aTable()];
      await near.engine.load(table, await aSource(near.folder, [{ text: minutes(1000) }]), QUIET);
      await near.engine.load(plain, await aSource(near.folder, [{ text: ODD }]), QUIET);
      const files = await filesOfNow();
      const lifespan = (far.clock.now().getTime() - Date.UTC(2024, 0, 1)) / 1000 + 3 * 3600;
      expect(await moved(table, files, lifespan)).toMatchObject({ problems: [] });
      expect(await moved(plain, files, lifespan)).toMatchObject({ problems: [] });
      for (const moving of [table, plain]) {
        const { collection, expires } = await far.tables.describe(moving);
        expect(expires).toBe(true);
        const [found] = await far.database.db.listCollections({ name: collection }).toArray();
        const indexes = await far.database.db.collection(collection).indexes();
        const { options } = found as { options?: { expireAfterSeconds?: number } };
        const times = [options?.expireAfterSeconds, ...indexes.map((index) => index.expireAfterSeconds)];
        expect(times).toContain(lifespan);
      }
      const rows = far.database.rows((await far.tables.describe(table)).collection);
      await rows.deleteMany({ t: { $lt: at('2024-01-01T01:00:00Z') } });
      expect(await moved(table, files, lifespan)).toMatchObject({ problems: [] });
      await rows.deleteMany({ t: { $gt: at('2024-01-01T16:00:00Z') } });
      expect((await moved(table, files, lifespan)).problems).not.toEqual([]);
      await new RowMoves(far.database, far.clock).forget();
      expect(await far.database.moves.countDocuments()).toBe(0);
    },
    PATIENCE_MS,
  );
});
