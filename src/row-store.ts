import { join } from 'node:path';
import { DuckDbRowDownloads } from './rows/duckdb-row-downloads.js';
import { DuckDbRowEngine } from './rows/duckdb-row-engine.js';
import { DuckDbRowReader } from './rows/duckdb-row-reader.js';
import type { EngineProcess } from './rows/engine-client.js';
import { ExportRuns } from './rows/export-run.js';
import { RowFiles } from './rows/row-files.js';
import type { SandboxPool } from './rows/sandbox-pool.js';
import type { AppConfig } from './config/app-config.js';
import type { Clock } from './ports/clock.js';
import type { RowDownloads } from './ports/row-downloads.js';
import type { RowEngine } from './ports/row-engine.js';
import type { RowReader } from './ports/row-reader.js';

const EXPORT_LIMITS = { wholeMs: 30 * 60_000, stalledMs: 3 * 60_000 };

/** The three ports of rows, which are of one make. */
export abstract class RowStore {
  abstract readonly engine: RowEngine;
  abstract readonly reader: RowReader;
  abstract readonly downloads: RowDownloads;
  /** Lets go of what it holds; the jobs have stopped. */
  abstract close(): Promise<void>;
}

export interface RowStoreNeeds {
  /** Reads CSV files whatever the rows lie in, and holds the lock of the data folder. */
  readonly process: EngineProcess;
  readonly sandbox: SandboxPool;
  readonly clock: Clock;
}

/** The row store that the configuration names. What is not used is not loaded: it would cost every other start time and memory. */
export async function openRowStore(config: AppConfig, needs: RowStoreNeeds): Promise<RowStore> {
  const { dataDir, mongodbUri, importMemoryMb } = config.storage;
  const files = new RowFiles(dataDir);
  if (config.rowStore === 'mongodb' && mongodbUri !== null) {
    const { MongoRowStore } = await import('./adapters/mongo/rows/mongo-row-store.js');
    const room = { files, importMemoryMb };
    return MongoRowStore.open({ uri: mongodbUri, room, downloads: EXPORT_LIMITS, clock: needs.clock });
  }
  const { process, sandbox } = needs;
  const exports = new ExportRuns(join(dataDir, 'exports'), EXPORT_LIMITS);
  await exports.open();
  return {
    engine: new DuckDbRowEngine(process, files, config.storage),
    reader: new DuckDbRowReader(process, files, sandbox),
    downloads: new DuckDbRowDownloads(process, files, exports),
    // The processes that hold the files are stopped by whoever started them.
    close: () => Promise.resolve(),
  };
}
