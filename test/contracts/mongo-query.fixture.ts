import { createHash } from 'node:crypto';
import { createConnection, mongo } from 'mongoose';
import type { MongoColumn, MongoRow, MongoTable } from '../../src/adapters/mongo/rows/mongo-table.js';
import { MongoRowReader } from '../../src/adapters/mongo/rows/mongo-row-reader.js';
import type { ColumnType, QueryLimits, QueryResult, TableRef } from '../../src/ports/table.js';
import { aDatabase, dropDatabase } from '../support/mongodb.js';
import { aTable } from './row-engine.fixture.js';
import { SECRET } from './row-query.fixture.js';
import type { TestTable } from './row-query.legitimate.tables.js';

/** Rows of a batch that never became complete. */
export const HIDDEN = 'of-a-batch-that-nobody-sees';
const UNFINISHED = 9;

export interface PipelineFixture extends AsyncDisposable {
  readonly reader: MongoRowReader;
  /** The name of the collection that holds the rows, and of the database. */
  readonly internal: readonly string[];
  readonly neighbour: string;
  readonly add: (table: TestTable<Record<string, unknown>>) => Promise<TableRef>;
  readonly query: (table: TableRef, pipeline: unknown, limits?: Partial<QueryLimits>) => Promise<QueryResult>;
  /** A mark of everything in the database that a pipeline could have changed. */
  readonly mark: () => Promise<string>;
}

/** Tables in MongoDB as storage leaves them, with somebody else's collection beside them. */
export async function openPipelineFixture(): Promise<PipelineFixture> {
  const uri = aDatabase();
  const connection = await createConnection(uri).asPromise();
  const { db } = connection;
  if (db === undefined) throw new Error('there is no database');
  const tables = new Map<string, MongoTable>();
  const reader = new MongoRowReader({
    open: (table) => {
      const known = tables.get(table.datasourceId);
      return known === undefined ? Promise.reject(new Error('no such table')) : Promise.resolve(known);
    },
  });
  const neighbour = 'rows_of_somebody_else';
  await db.collection(neighbour).insertMany([{ secret: SECRET, a: 1, 'Order Date': new Date(0) }]);
  const internal: string[] = [db.databaseName];
  return {
    ...{ reader, internal, neighbour },
    add: async (table) => {
      const name = `rows_7f3a9_${tables.size}`;
      const ref = aTable();
      tables.set(ref.datasourceId, await written(db, name, table));
      internal.push(name);
      return ref;
    },
    query: (table, pipeline, limits = {}) =>
      reader.query(table, typeof pipeline === 'string' ? pipeline : JSON.stringify(pipeline), {
        ...{ maxRows: 1000, timeoutMs: 10_000 },
        ...limits,
      }),
    mark: () => markOf(db),
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await dropDatabase(uri);
    },
  };
}

async function written(db: mongo.Db, name: string, table: TestTable<Record<string, unknown>>): Promise<MongoTable> {
  const columns = columnsOf(table);
  await db.createCollection(name, { timeseries: { timeField: 't', metaField: 'm' } });
  const collection = db.collection<MongoRow>(name);
  const rows = table.rows.map((row) => storedRow(columns, row));
  const hidden = columns.map(({ field, type }) => [field, type === 'text' ? HIDDEN : storedCell(type, SAMPLES[type])]);
  await collection.insertMany([...rows, { ...Object.fromEntries(hidden), t: new Date(0), b: UNFINISHED }]);
  const time = columns.find(({ field }) => field === 't');
  const meta = columns.find(({ field }) => field === 'm');
  if (!time || !meta) throw new Error('a table has a time and a text');
  const visible = [{ $match: { b: { $lt: UNFINISHED } } }];
  return { collection, columns, time, meta, values: [], visible, quiet: null, times: null, rows: table.rows.length };
}

function columnsOf({ columns }: TestTable<Record<string, unknown>>): readonly MongoColumn[] {
  const time = columns.findIndex(([, type]) => type === 'time');
  const meta = columns.findIndex(([, type]) => type === 'text');
  return columns.map(([name, type], place) => {
    const other = place === meta ? 'm' : `c${place}`;
    return { name, type, field: place === time ? 't' : other };
  });
}

function storedRow(columns: readonly MongoColumn[], row: Record<string, unknown>): MongoRow {
  const cells = columns
    .map(({ name, type, field }) => [field, row[name] === null ? undefined : storedCell(type, row[name])] as const)
    .filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(cells), b: 0 };
}

const SAMPLES: Readonly<Record<ColumnType, unknown>> = {
  text: '',
  number: 1,
  integer: 1,
  boolean: true,
  time: new Date(0),
};

function storedCell(type: ColumnType, value: unknown): unknown {
  return type === 'number' ? new mongo.Double(Number(value)) : value;
}

async function markOf(db: mongo.Db): Promise<string> {
  const hash = createHash('sha256');
  const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort();
  for (const name of names.filter((one) => !one.startsWith('system.'))) {
    const indexes = await db.collection(name).indexes();
    hash.update(JSON.stringify([name, await db.collection(name).find().sort({ _id: 1 }).toArray(), indexes]));
  }
  return hash.digest('hex');
}
