import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TypedRow } from '../../src/ports/row-engine.js';
import type { TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { textOf } from './row-export.fixture.js';
import { aSource, aTable, at, HEADER, minutes, QUIET } from './row-engine.fixture.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ROW: TypedRow = { time: at('2024-01-02T00:00:00Z'), device: 'a', value: 1 };
const never = new AbortController().signal;

describe.skipIf(mongodbServer === undefined)('rows in MongoDB', () => {
  let store: MongoStore;

  beforeAll(async () => {
    store = await openMongoRows();
  });
  afterAll(() => store[Symbol.asyncDispose]());

  const loaded = async (text = minutes(2), table = aTable(), changes = {}): Promise<TableRef> => {
    await store.engine.load(table, await aSource(store.folder, [{ text }], changes), QUIET);
    return table;
  };
  const collections = async (): Promise<readonly string[]> => {
    const found = await store.database.db.listCollections({ name: /^rows\./ }, { nameOnly: true }).toArray();
    return found.map(({ name }) => name);
  };
  const optionsOf = async (table: TableRef): Promise<unknown> => {
    const { collection } = await store.tables.describe(table);
    const [found] = await store.database.db.listCollections({ name: collection }).toArray();
    return found;
  };
  const seen = async (table: TableRef): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const { collection, visible } = await store.tables.open(table);
    return collection.aggregate([...visible]).toArray();
  };

  it('are a time series with the metadata field, a granularity that suits them, and the lifespan', async () => {
    expect(await optionsOf(await loaded(minutes(5), aTable(), { lifespanSeconds: 86_400 }))).toMatchObject({
      type: 'timeseries',
      options: { expireAfterSeconds: 86_400, timeseries: { timeField: 't', metaField: 'm', granularity: 'minutes' } },
    });
    const days = [1, 2, 3].map((day) => `2024-01-0${day} 00:00:00,a,1,1,true,x\n`).join('');
    const daily = await optionsOf(await loaded(HEADER + days));
    expect(daily).toMatchObject({ options: { timeseries: { granularity: 'hours' } } });
    expect(daily).not.toHaveProperty('options.expireAfterSeconds');
    const seconds = [1, 2, 3].map((second) => `2024-01-01 00:00:0${second},a,1,1,true,x\n`).join('');
    expect(await optionsOf(await loaded(HEADER + seconds))).toMatchObject({
      options: { timeseries: { granularity: 'seconds' } },
    });
  });

  it('are typed values, and nothing where there is none', async () => {
    const text =
      `${HEADER}2024-01-01 00:00:00,a,3,2147483648,true,x\n2024-01-01 00:00:01.250,a,,9223372036854775807,,""\n` +
      '2024-01-01 00:00:02,a,0.5,-7,false,größe\n';
    const rows = await seen(await loaded(text, aTable(), { timeFormat: 'yyyy-MM-dd HH:mm:ss[.SSS]' }));
    const plain = rows.map(({ t, m, b, ...cells }) => [t, m, b, JSON.parse(JSON.stringify(cells)) as unknown]);
    expect(plain).toEqual([
      [at('2024-01-01T00:00:00Z'), 'a', 0, { c2: 3, c3: 2147483648, c4: true, c5: 'x' }],
      [at('2024-01-01T00:00:01.250Z'), 'a', 0, { c3: { low: -1, high: 2147483647, unsigned: false } }],
      [at('2024-01-01T00:00:02Z'), 'a', 0, { c2: 0.5, c3: -7, c4: false, c5: 'größe' }],
    ]);
    const { collection } = await store.tables.open(
      await loaded(text, aTable(), { timeFormat: 'yyyy-MM-dd HH:mm:ss[.SSS]' }),
    );
    const types = { _id: 0, c2: { $type: '$c2' }, c3: { $type: '$c3' } };
    expect(await collection.aggregate([{ $sort: { t: 1 } }, { $project: types }]).toArray()).toEqual([
      { c2: 'double', c3: 'long' },
      { c2: 'missing', c3: 'long' },
      { c2: 'double', c3: 'long' },
    ]);
  });

  it('from before 1970 or after 2038 are found: they are a plain collection', async () => {
    const text = `${HEADER}1848-03-18 00:00:00,a,1,1,true,x\n1969-12-31 23:59:59,a,2,1,true,x\n2100-01-01 00:00:00,b,3,1,true,x\n`;
    const table = await loaded(text, aTable(), { lifespanSeconds: 3600 });
    expect(await optionsOf(table)).toMatchObject({ type: 'collection' });
    await store.engine.append(table, [{ ...ROW, time: at('0800-12-25T00:00:00Z') }]);
    expect(await store.engine.count({ ...table, visibleFrom: at('1848-03-18T00:00:00Z') })).toBe(3);
    expect(await store.engine.count({ ...table, visibleFrom: at('1848-03-18T00:00:01Z') })).toBe(2);
    expect(await store.engine.count(table)).toBe(4);
  });

  it('of an import that is made again take the place of the others, whose collection is gone', async () => {
    const table = await loaded();
    const before = await store.tables.describe(table);
    await store.engine.append(table, [ROW], { key: 'k', note: 'n', at: at('2024-06-01T00:00:00Z') });
    await loaded(minutes(3), table);
    const after = await store.tables.describe(table);
    expect(after.collection).not.toBe(before.collection);
    const names = await collections();
    expect(names).toContain(after.collection);
    expect(names).not.toContain(before.collection);
    expect(await store.database.batches.countDocuments({ load: before.load })).toBe(0);
    expect(await store.engine.count(table)).toBe(6);
  });

  it('of a removed datasource leave nothing', async () => {
    const table = await loaded(`${minutes(2)}x,a,1,1,true,x\n`);
    const { load, collection } = await store.tables.describe(table);
    await store.engine.append(table, [ROW], { key: 'k', note: 'n', at: at('2024-06-01T00:00:00Z') });
    await store.engine.remove(table.companyId, table.datasourceId);
    expect(await collections()).not.toContain(collection);
    for (const kind of [store.database.batches, store.database.rejects])
      expect(await kind.countDocuments({ load })).toBe(0);
    expect(await store.database.loads.countDocuments({ _id: collection })).toBe(0);
  });

  it('that have outlived the lifespan are removed where the server was not told to', async () => {
    const table = await loaded(minutes(10));
    expect(await store.engine.compact(table, never)).toBe(false);
    expect(await store.engine.compact({ ...table, visibleFrom: at('2024-01-01T00:00:30Z') }, never)).toBe(true);
    expect(await store.engine.count(table)).toBe(18);
    expect(await seen(table)).toHaveLength(18);
    const expiring = await loaded(minutes(10), aTable(), { lifespanSeconds: 3600 });
    expect(await store.engine.compact({ ...expiring, visibleFrom: at('2024-01-01T00:05:00Z') }, never)).toBe(false);
  });

  describe('of a batch whose writer is gone', () => {
    /** As a process leaves it that dies between the rows and the change that makes them complete. */
    const halfDone = async (table: TableRef, key?: string): Promise<number> => {
      const known = await store.tables.describe(table);
      const { next: number, load, _id } = known;
      await store.database.tables.updateOne(
        { _id },
        { $inc: { next: 1 }, $push: { pending: { number, at: store.clock.now(), over: false } } },
      );
      const at_ = store.clock.now();
      if (key !== undefined)
        await store.database.batches.insertOne({
          _id: `${load}:${key}`,
          load,
          number,
          note: 'half',
          at: at_,
          until: at_,
        });
      await store.database.rows(known.collection).insertMany([
        { t: at('2024-01-02T00:00:00Z'), m: 'half', b: number },
        { t: at('2024-01-02T00:00:01Z'), m: 'half', b: number },
      ]);
      return number;
    };
    const stored = async (table: TableRef): Promise<number> => {
      const { collection } = await store.tables.open(table);
      return collection.countDocuments({});
    };

    it('are never seen', async () => {
      const table = await loaded();
      await halfDone(table);
      expect(await store.engine.count(table)).toBe(4);
      expect(await seen(table)).toHaveLength(4);
      await store.engine.append(table, [ROW]);
      expect(await seen(table)).toHaveLength(5);
      expect(await store.engine.count({ ...table, visibleFrom: at('2024-01-01T00:00:00Z') })).toBe(5);
    });

    it('are given up by who comes minutes later, and removed by who comes more than an hour after that', async () => {
      const table = await loaded();
      const number = await halfDone(table);
      store.clock.advance(6 * MINUTE);
      await store.engine.append(table, [ROW]);
      const { collection, pending } = await store.tables.describe(table);
      expect(pending).toMatchObject([{ number, over: true }]);
      // The server may store rows of a writer that is long gone.
      await store.database.rows(collection).insertMany([{ t: at('2024-01-02T00:00:02Z'), m: 'half', b: number }]);
      expect(await seen(table)).toHaveLength(5);
      expect(await stored(table)).toBe(8);
      store.clock.advance(2 * HOUR);
      await store.engine.append(table, [ROW]);
      expect((await store.tables.describe(table)).pending).toEqual([]);
      expect(await stored(table)).toBe(6);
      expect(await seen(table)).toHaveLength(6);
    });

    it('leave their key to who sends them again', async () => {
      const table = await loaded();
      await halfDone(table, 'k');
      store.clock.advance(6 * MINUTE);
      const batch = { key: 'k', note: 'whole', at: store.clock.now() };
      expect(await store.engine.append(table, [ROW], batch)).toMatchObject({ earlierNote: null });
      expect(await store.engine.append(table, [ROW], batch)).toMatchObject({ earlierNote: 'whole' });
      expect(await seen(table)).toHaveLength(5);
    });

    it('are not seen either when that writer wakes up and goes on', async () => {
      const table = await loaded();
      const waking = store.engine.append(table, [ROW], { key: 'slow', note: '', at: store.clock.now() });
      const { _id } = await store.tables.describe(table);
      await store.database.tables.updateOne({ _id }, { $set: { 'pending.$[].over': true } });
      const outcome = await waking.then(
        () => 'stored',
        () => 'refused',
      );
      expect(await store.engine.count(table)).toBe(outcome === 'stored' ? 5 : 4);
    });
  });

  describe('of an import whose process is gone', () => {
    it('are removed by who comes when nothing was heard of it for long', async () => {
      const table = await loaded();
      const abandoned = `rows.${table.datasourceId}.2.${'0'.repeat(16)}`;
      await store.database.loads.insertOne({ _id: abandoned, heard: store.clock.now() });
      await store.database.rows(abandoned).insertOne({ t: at('2024-01-01T00:00:00Z'), b: 0 });
      await store.engine.remove(table.companyId, table.datasourceId, 1);
      expect(await collections()).toContain(abandoned);
      store.clock.advance(11 * MINUTE);
      await store.engine.remove(table.companyId, table.datasourceId, 1);
      expect(await collections()).not.toContain(abandoned);
      expect(await store.database.loads.countDocuments({})).toBe(0);
      expect(await store.engine.count(table)).toBe(4);
    });

    it('are removed at the next start, which leaves alone what is wanted and what is not ours', async () => {
      const table = await loaded();
      const orphan = `rows.${table.datasourceId}.7.${'1'.repeat(16)}`;
      for (const name of [orphan, 'rows.of somebody else'])
        await store.database.rows(name).insertOne({ t: new Date(0) });
      await store.engine.clean();
      const names = await collections();
      expect(names).not.toContain(orphan);
      expect(names).toEqual(
        expect.arrayContaining(['rows.of somebody else', (await store.tables.describe(table)).collection]),
      );
    });
  });

  it('whose metadata field is their time have it once', async () => {
    const table = await loaded(minutes(3, ['a']), aTable(), { metaField: 'time' });
    const { time, meta } = await store.tables.open(table);
    expect([time.field, meta.field]).toEqual(['t', 't']);
    await store.engine.append(table, [ROW]);
    const query = { from: null, to: null, columns: ['value'], timeFormat: null };
    const text = await textOf(await store.downloads.exportCsv(table, { ...query, asset: '2024-01-01 00:02:00' }));
    expect(text).toBe('value\r\n2\r\n');
    expect(await store.engine.count(table)).toBe(4);
  });

  it('that are too large are refused with their batch, and the next ones are stored', async () => {
    const table = await loaded();
    const batch = { key: 'large', note: '', at: store.clock.now() };
    const large = { ...ROW, note: 'x'.repeat(17 * 1024 ** 2) };
    await expect(store.engine.append(table, [ROW, large], batch)).rejects.toMatchObject({
      kind: 'invalid_input',
      message: 'a row is too large to be stored',
    });
    expect(await seen(table)).toHaveLength(4);
    expect(await store.engine.append(table, [ROW], batch)).toMatchObject({ earlierNote: null });
    expect(await store.engine.count(table)).toBe(5);
  });

  it('refuse a time that a time series would not find again, and store nothing of the batch', async () => {
    const table = await loaded();
    for (const time of ['1969-12-31T23:59:59Z', '2040-01-01T00:00:00Z'])
      await expect(store.engine.append(table, [ROW, { ...ROW, time: at(time) }])).rejects.toMatchObject({
        kind: 'invalid_input',
        message: expect.stringMatching(/^row 2: "time" is before 1970 or after 2038/) as string,
      });
    expect(await store.engine.count(table)).toBe(4);
  });

  it('are not available once the connection is closed, and no error tells where they were', async () => {
    const other = await openMongoRows();
    await other[Symbol.asyncDispose]();
    await expect(other.engine.check()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(other.engine.count(aTable())).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 });
  });
});
