import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { mongo } from 'mongoose';
import { MongoRowReader } from '../../src/adapters/mongo/rows/mongo-row-reader.js';
import type { MongoRow, Stage } from '../../src/adapters/mongo/rows/mongo-table.js';
import type { TableRef } from '../../src/ports/table.js';
import { mongodbServer } from '../support/mongodb.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import { aSource, aTable, HEADER, QUIET } from './row-engine.fixture.js';

const ROWS = 60_000;
const OFTEN = 200;
const PATIENCE_MS = 120_000;

/** Every row has a device and a note of its own, but for a note that comes often. */
function text(): string {
  const lines = Array.from({ length: ROWS }, (_, row) => {
    const time = new Date(Date.UTC(2024, 0, 1) + row * 1000).toISOString().slice(0, 19).replace('T', ' ');
    const note = row % (ROWS / OFTEN) === 0 ? 'often' : `note ${row}`;
    return `${time},device ${String(row).padStart(5, '0')},${row + 0.5},${row},true,${note}\n`;
  });
  return HEADER + lines.join('');
}

const OUT_OF_MEMORY = Object.assign(new Error('PlanExecutor error :: exceeded memory limit'), { code: 292 });

/** Groups by the values of a whole column, of which the server is to have too many for its memory. */
function isTooMuch(stages: readonly Stage[]): boolean {
  const group = stages.find((stage) => '$group' in stage)?.['$group'] as { _id?: unknown } | undefined;
  const text = JSON.stringify(stages);
  // What is true or false has two values, whatever the memory.
  return typeof group?._id === 'string' && group._id !== '$c4' && !/\$sample|"\$in"|\$toHashedIndexKey/.test(text);
}

/** A server with little memory: the same one, but for what would not fit. */
function withLittleMemory(collection: mongo.Collection<MongoRow>): mongo.Collection<MongoRow> {
  return new Proxy(collection, {
    get: (target, name) => {
      if (name !== 'aggregate') return Reflect.get(target, name, target) as unknown;
      return (stages: Stage[], options: mongo.AggregateOptions) => {
        if (isTooMuch(stages)) throw OUT_OF_MEMORY;
        return target.aggregate(stages, options);
      };
    },
  });
}

describe.skipIf(mongodbServer === undefined)('rows in MongoDB with more values than its memory holds', () => {
  let store: MongoStore;
  let table: TableRef;
  let small: MongoRowReader;

  beforeAll(async () => {
    store = await openMongoRows();
    table = aTable();
    await store.engine.load(table, await aSource(store.folder, [{ text: text() }]), QUIET);
    small = new MongoRowReader({
      open: async (ref) => {
        const opened = await store.tables.open(ref);
        return { ...opened, collection: withLittleMemory(opened.collection) };
      },
    });
  }, PATIENCE_MS);
  afterAll(() => store[Symbol.asyncDispose]());

  it(
    'lists the metadata all the same, gathered in parts',
    async () => {
      for (const query of [
        { search: '', skip: 0, limit: 5 },
        { search: 'DEVICE 0', skip: 9_990, limit: 20 },
        { search: '11999', skip: 0, limit: 5 },
      ]) {
        expect(await small.distinctMetadata(table, query)).toEqual(await store.reader.distinctMetadata(table, query));
      }
    },
    PATIENCE_MS,
  );

  it(
    'estimates how many values there are, and counts the most frequent ones exactly',
    async () => {
      const [exact, found] = [await store.reader.profile(table), await small.profile(table)];
      for (const [index, column] of exact.columns.entries()) {
        const other = found.columns[index];
        expect({ ...other, distinct: 0, topValues: [] }).toEqual({ ...column, distinct: 0, topValues: [] });
        const share = Math.abs((other?.distinct ?? 0) - column.distinct) / column.distinct;
        expect(share, `${column.name}: ${String(other?.distinct)} of ${column.distinct}`).toBeLessThan(0.08);
      }
      const notes = found.columns.find(({ name }) => name === 'note');
      expect(notes?.topValues[0]).toEqual({ value: 'often', count: OFTEN });
    },
    PATIENCE_MS,
  );
});
