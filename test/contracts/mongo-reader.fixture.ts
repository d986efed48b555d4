import { MongoRowReader } from '../../src/adapters/mongo/rows/mongo-row-reader.js';
import { openMongoRows, type MongoStore } from './mongo-store.fixture.js';
import type { RowStore } from './row-engine.fixture.js';

/** A row store in MongoDB with its reader. */
export async function openMongoReader(): Promise<MongoStore & RowStore> {
  const store = await openMongoRows();
  return { ...store, reader: new MongoRowReader(store.tables) };
}
