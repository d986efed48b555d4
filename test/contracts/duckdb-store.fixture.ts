import { join } from 'node:path';
import { DuckDbRowEngine } from '../../src/rows/duckdb-row-engine.js';
import { DuckDbRowReader } from '../../src/rows/duckdb-row-reader.js';
import { EngineProcess } from '../../src/rows/engine-client.js';
import type { CompactionRules } from '../../src/rows/engine-protocol.js';
import { RowFiles } from '../../src/rows/row-files.js';
import { SandboxPool } from '../../src/rows/sandbox-pool.js';
import type { StorageConfig } from '../../src/config/app-config.js';
import { aFolder, type RowStore } from './row-engine.fixture.js';

export function storageIn(dataDir: string): StorageConfig {
  return { dataDir, mongodbUri: null, importMemoryMb: 512, engineMemoryMb: 512 };
}

export interface DuckDbStore extends RowStore {
  readonly process: EngineProcess;
  readonly files: RowFiles;
  readonly folder: string;
}

/** A row store in a folder of its own; a compaction is worth it from ten later rows on. */
export async function openDuckDb(rules: Partial<CompactionRules> = {}): Promise<DuckDbStore> {
  const folder = await aFolder();
  const storage = storageIn(folder.path);
  const files = new RowFiles(folder.path);
  const engine = new EngineProcess(storage, { afterRows: 10, keepMs: 0, ...rules });
  const sandbox = new SandboxPool({ tempDir: join(folder.path, 'sandbox') });
  const reader = new DuckDbRowReader(engine, files, sandbox);
  await engine.start();
  return {
    engine: new DuckDbRowEngine(engine, files, storage),
    reader,
    textsOf: async (table, column) => {
      const statement = `SELECT CAST("${column}" AS VARCHAR) FROM data ORDER BY "time"`;
      const { rows } = await reader.query(table, statement, { maxRows: 1000, timeoutMs: 10_000 });
      return rows.map(([text]) => (typeof text === 'string' ? text : null));
    },
    process: engine,
    files,
    folder: folder.path,
    [Symbol.asyncDispose]: async () => {
      await sandbox.stop();
      await engine.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}
