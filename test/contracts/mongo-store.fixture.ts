import { MongoRowDownloads } from '../../src/adapters/mongo/rows/mongo-row-downloads.js';
import { MongoRowEngine } from '../../src/adapters/mongo/rows/mongo-row-engine.js';
import { MongoRowReader } from '../../src/adapters/mongo/rows/mongo-row-reader.js';
import { MongoTables } from '../../src/adapters/mongo/rows/mongo-tables.js';
import { RowDatabase } from '../../src/adapters/mongo/rows/row-database.js';
import { RowFiles } from '../../src/rows/row-files.js';
import type { TableRef } from '../../src/ports/table.js';
import { ManualClock } from '../support/manual-clock.js';
import { aDatabase, dropDatabase } from '../support/mongodb.js';
import { PATIENT } from './row-export.fixture.js';
import { aFolder, type RowStore } from './row-engine.fixture.js';

export interface MongoStore extends RowStore {
  readonly engine: MongoRowEngine;
  readonly database: RowDatabase;
  readonly downloads: MongoRowDownloads;
  readonly timePrecision: 'ms';
  readonly tables: MongoTables;
  readonly files: RowFiles;
  readonly clock: ManualClock;
  readonly folder: string;
}

/** A row store in a database of its own on the server for tests; only where there is one (`mongodbServer`). */
export async function openMongoRows(): Promise<MongoStore> {
  const [folder, uri, clock] = [await aFolder(), aDatabase(), new ManualClock()];
  const database = new RowDatabase(uri);
  await database.open();
  const tables = new MongoTables(database);
  const files = new RowFiles(folder.path);
  await files.prepare();
  return {
    reader: new MongoRowReader(tables),
    downloads: new MongoRowDownloads(database, tables, PATIENT),
    timePrecision: 'ms',
    textsOf: (table, column) => textsIn(tables, table, column),
    engine: new MongoRowEngine(database, tables, { files, importMemoryMb: 512 }, clock),
    ...{ database, tables, files, clock, folder: folder.path },
    [Symbol.asyncDispose]: async () => {
      await database.close();
      await dropDatabase(uri);
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function textsIn(tables: MongoTables, table: TableRef, column: string): Promise<readonly (string | null)[]> {
  const { collection, columns, visible } = await tables.open(table);
  const field = columns.find(({ name }) => name === column)?.field ?? 'none';
  const rows = await collection
    .aggregate([...visible, { $sort: { t: 1 } }, { $project: { text: { $toString: `$${field}` } } }])
    .toArray();
  return rows.map((row) => (typeof row['text'] === 'string' ? row['text'] : null));
}
