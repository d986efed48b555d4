import type { Clock } from '../../../ports/clock.js';
import { type ImportRoom, MongoRowEngine } from './mongo-row-engine.js';
import { type DownloadLimits, MongoRowDownloads } from './mongo-row-downloads.js';
import { MongoRowReader } from './mongo-row-reader.js';
import { MongoTables } from './mongo-tables.js';
import { RowDatabase } from './row-database.js';

export interface MongoRowStoreOptions {
  readonly uri: string;
  readonly room: ImportRoom;
  readonly downloads: DownloadLimits;
  readonly clock: Clock;
}

/** The ports of rows over one connection to MongoDB. */
export class MongoRowStore {
  private constructor(
    private readonly database: RowDatabase,
    readonly engine: MongoRowEngine,
    readonly reader: MongoRowReader,
    readonly downloads: MongoRowDownloads,
  ) {}

  /** @throws AppError `unavailable` after about two seconds when the server is not there. */
  static async open({ uri, room, downloads, clock }: MongoRowStoreOptions): Promise<MongoRowStore> {
    const database = new RowDatabase(uri);
    await database.open();
    const tables = new MongoTables(database);
    const engine = new MongoRowEngine(database, tables, room, clock);
    // Nobody waits for it: what it does not get to, the next import or the next start does.
    void engine.clean().catch(() => undefined);
    const reads = new MongoRowReader(tables);
    return new MongoRowStore(database, engine, reads, new MongoRowDownloads(database, tables, downloads));
  }

  async close(): Promise<void> {
    await this.database.close();
  }
}
