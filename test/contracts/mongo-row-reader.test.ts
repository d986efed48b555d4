import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AnalysisPlan } from '../../src/ports/analysis-plan.js';
import type { ColumnType, TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoReader } from './mongo-reader.fixture.js';
import type { MongoStore } from './mongo-store.fixture.js';
import { aSource, aTable, at, minutes, QUIET, type RowStore } from './row-engine.fixture.js';

const LIMITS = { maxRows: 100, timeoutMs: 10_000 };

/** What means something to the server or to JavaScript where it is not data. */
const ORDERS = [
  '$where',
  '$function',
  'a.b',
  '__proto__',
  '$$ROOT',
  'constructor',
  '$expr',
  '_id',
  'b',
  't',
  'm',
  'c2',
  '2023',
  ' ',
];
const CELLS = [
  '$where',
  '$value',
  '$$ROOT',
  '{"$gt":""}',
  '__proto__',
  '$c0',
  'function(){ return 1 }',
  'a.b',
  '$literal',
  "'; db.dropDatabase(); '",
];

describe.skipIf(mongodbServer === undefined)('rows in MongoDB, read', () => {
  describe('whatever headers and cells say', () => {
    let store: MongoStore & RowStore;
    let table: TableRef;

    const names = ['time', 'device', ...ORDERS];
    const numbers = ORDERS;

    beforeAll(async () => {
      store = await openMongoReader();
      table = aTable();
      const columns = names.map(
        (name, place) =>
          ({ name, type: place === 0 ? 'time' : place === 1 ? 'text' : 'number' }) satisfies {
            name: string;
            type: ColumnType;
          },
      );
      const lines = CELLS.map((cell, place) => {
        const quoted = `"${cell.replaceAll('"', '""')}"`;
        return `2024-01-01 00:0${place}:00,${quoted},${numbers.map((_, index) => place * 100 + index).join(',')}\n`;
      });
      const text = `${names.map((name) => `"${name}"`).join(',')}\n${lines.join('')}`;
      await store.engine.load(table, await aSource(store.folder, [{ text }], { columns, values: numbers }), QUIET);
    }, 60_000);
    afterAll(() => store[Symbol.asyncDispose]());

    it.each(CELLS.map((cell, place) => [cell, place] as const))(
      'a metadata value is a value: %s',
      async (cell, place) => {
        const plot = await store.reader.plot(table, { asset: cell, from: null, to: null, column: 'a.b', points: 10 });
        expect(plot.points.map(({ value }) => value)).toEqual([place * 100 + numbers.indexOf('a.b')]);
        const found = await store.reader.distinctMetadata(table, { search: cell, skip: 0, limit: 10 });
        expect(found.values).toContain(cell);
      },
    );

    it.each(numbers.map((name, place) => [name, place] as const))('a column is a column: %s', async (name, place) => {
      const plot = await store.reader.plot(table, { asset: null, from: null, to: null, column: name, points: 100 });
      expect(plot.points.map(({ value }) => value)).toEqual(CELLS.map((_, row) => row * 100 + place));
      const plan: AnalysisPlan = {
        ...{
          kind: 'aggregate',
          dimensions: [{ kind: 'column', column: 'device', label: 'device' }],
          filters: [],
          having: [],
          order: [],
        },
        measures: [{ aggregate: 'max', column: name, label: name.trim() === '' ? 'x' : name }],
        limit: null,
      };
      const { rows } = await store.reader.analyze(table, plan, LIMITS);
      expect(new Map(rows.map(([device, value]) => [device, value]))).toEqual(
        new Map(CELLS.map((cell, row) => [cell, row * 100 + place])),
      );
    });

    it('profiles them under their own names', async () => {
      const { columns } = await store.reader.profile(table);
      expect(columns.map(({ name }) => name)).toEqual(names);
      expect(columns[1]?.topValues.map(({ value }) => value).sort()).toEqual([...CELLS].sort());
    });

    it('shows them to a written pipeline under names that mean nothing', async () => {
      const { columns, rows } = await store.reader.query(
        table,
        '[{"$sort": {"time": 1}}, {"$skip": 1}, {"$limit": 1}]',
        LIMITS,
      );
      const seen = columns.map(({ name }) => name);
      expect(new Set(seen).size).toBe(names.length);
      expect(seen.filter((name) => name.startsWith('$') || name.includes('.') || name === '__proto__')).toEqual([]);
      // Names that are numbers come first in what JavaScript reads; each value is under its own.
      expect(rows[0]?.[seen.indexOf('a_b')]).toBe(100 + numbers.indexOf('a.b'));
      expect(rows[0]?.[seen.indexOf('b')]).toBe(100 + numbers.indexOf('b'));
      expect(rows[0]?.[seen.indexOf('2023')]).toBe(100 + numbers.indexOf('2023'));
      const one = await store.reader.query(table, '[{"$group": {"_id": null, "s": {"$sum": "$_where"}}}]', LIMITS);
      expect(one.rows[0]?.[1]).toBe(CELLS.reduce((sum, _, row) => sum + row * 100, 0));
    });

    it('compares cells as they are', async () => {
      const stage = [{ $match: { device: '$value' } }, { $count: 'n' }];
      expect((await store.reader.query(table, JSON.stringify(stage), LIMITS)).rows).toEqual([[1]]);
      const { rows } = await store.reader.query(
        table,
        JSON.stringify([{ $group: { _id: '$device' } }, { $count: 'n' }]),
        LIMITS,
      );
      expect(rows).toEqual([[CELLS.length]]);
    });
  });

  describe('what else it promises', () => {
    let store: MongoStore & RowStore;

    beforeAll(async () => {
      store = await openMongoReader();
    });
    afterAll(() => store[Symbol.asyncDispose]());

    const loaded = async (text: string, table = aTable()): Promise<TableRef> => {
      await store.engine.load(table, await aSource(store.folder, [{ text }]), QUIET);
      return table;
    };

    it('lists metadata by code points, page by page, whatever the case and the accents', async () => {
      const devices = ['ÄPFEL', 'a\u0308pfel', 'ЖУК', 'жучок', 'ΟΔΟΣ', 'zebra', '\u{1F600}', '\uFFFD'];
      const table = await loaded(minutes(1, devices));
      const asked = async (search: string, skip = 0, limit = 100) =>
        store.reader.distinctMetadata(table, { search, skip, limit });
      const sorted = [...devices].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
      expect(await asked('')).toEqual({ values: sorted, total: devices.length });
      expect(await asked('', 2, 3)).toEqual({ values: sorted.slice(2, 5), total: devices.length });
      expect((await asked('äPF')).total).toBe(2);
      expect((await asked('жу')).values).toEqual(['ЖУК', 'жучок']);
      expect((await asked('οδοσ')).total).toBe(1);
      expect(await asked('.*')).toEqual({ values: [], total: 0 });
    });

    it('ends what takes too long, and answers the next', async () => {
      const table = await loaded(minutes(2000));
      const slow = [
        { $set: { a: { $range: [0, 10_000] } } },
        { $unwind: '$a' },
        { $set: { c: { $range: [0, 10_000] } } },
        { $unwind: '$c' },
        { $count: 'n' },
      ];
      const query = store.reader.query(table, JSON.stringify(slow), { maxRows: 1, timeoutMs: 300 });
      await expect(query).rejects.toMatchObject({ kind: 'timed_out' });
      expect((await store.reader.query(table, '[{"$count": "n"}]', LIMITS)).rows).toEqual([[4000]]);
    });

    it('gives as many rows as are wanted, and says that there were more', async () => {
      const table = await loaded(minutes(30));
      const answer = await store.reader.query(table, '[{"$sort": {"time": 1, "device": 1}}]', {
        ...LIMITS,
        maxRows: 3,
      });
      expect(answer).toMatchObject({ truncated: true, rowsScanned: 60 });
      expect(answer.dbquery).toBe('db.data.aggregate([{"$sort": {"time": 1, "device": 1}}])');
      expect(answer.columns).toEqual([
        { name: 'time', type: 'time' },
        { name: 'device', type: 'text' },
        { name: 'value', type: 'number' },
        { name: 'count', type: 'integer' },
        { name: 'on', type: 'boolean' },
        { name: 'note', type: 'text' },
      ]);
      expect(answer.rows[0]).toEqual(['2024-01-01T00:00:00.000Z', 'a', 0, 0, true, 'fine']);
      expect(answer.rows).toHaveLength(3);
    });

    it('tells lists and documents as JSON, and gives what groups are of columns of their own', async () => {
      const table = await loaded(minutes(2));
      const stages = [
        {
          $group: {
            _id: { device: '$device', hour: { $dateTrunc: { date: '$time', unit: 'hour' } } },
            v: { $firstN: { input: '$value', n: 3 } },
          },
        },
        { $set: { d: { at: '$_id.hour', list: [1, null, 'x'] } } },
        { $sort: { '_id.device': 1 } },
      ];
      const { columns, rows } = await store.reader.query(table, JSON.stringify(stages), LIMITS);
      expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
        'device text',
        'hour time',
        'v text',
        'd text',
      ]);
      expect(rows[0]).toEqual([
        'a',
        '2024-01-01T00:00:00.000Z',
        '[0,1]',
        '{"at":"2024-01-01T00:00:00.000Z","list":[1,null,"x"]}',
      ]);
    });

    it('never shows rows that have outlived the lifespan to a written pipeline', async () => {
      const table = { ...(await loaded(minutes(10, ['a']))), visibleFrom: at('2024-01-01T00:08:00Z') };
      const { rows, rowsScanned } = await store.reader.query(
        table,
        '[{"$match": {"time": {"$gte": {"$date": "1970-01-01"}}}}]',
        LIMITS,
      );
      expect([rows.length, rowsScanned]).toEqual([2, 2]);
    });

    it('plots numbers whose sum is beyond all numbers, and rows within one millisecond', async () => {
      const lines = Array.from(
        { length: 20 },
        (_, index) => `2024-01-01 00:00:00,a,${index % 2 === 0 ? '1.5e308' : '1.7e308'},1,true,x\n`,
      );
      const table = await loaded(`time,device,value,count,on,note\n${lines.join('')}`);
      const { total, points } = await store.reader.plot(table, {
        asset: null,
        from: null,
        to: null,
        column: 'value',
        points: 10,
      });
      expect([total, points.length]).toEqual([20, 1]);
      expect(points[0]?.value).toBeCloseTo(1.6e308, -300);
    });

    it('refuses what is no pipeline and knows no other generation', async () => {
      const table = await loaded(minutes(1));
      await expect(store.reader.query(table, 'SELECT 1', LIMITS)).rejects.toMatchObject({ kind: 'invalid_input' });
      const later = { ...table, generation: 2 };
      await expect(store.reader.query(later, '[{"$count": "n"}]', LIMITS)).rejects.toMatchObject({ kind: 'not_found' });
    });
  });
});
