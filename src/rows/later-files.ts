import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { KeyedTurns } from '../shared/keyed-turns.js';
import type { AttachedTable } from './attached-table.js';
import type { EngineDatabase } from './engine-database.js';
import type { EngineTable } from './engine-protocol.js';
import { fileExists } from './row-files.js';
import { quotedText } from './sandbox-names.js';

/** Writes later rows to files that other processes can read. */
export class LaterFiles {
  private readonly turns = new KeyedTurns();
  private readonly newest = new Map<string, string>();

  constructor(
    private readonly database: EngineDatabase,
    private readonly folder: string,
    private readonly keepMs: number,
  ) {}

  /** All later rows as one Parquet file; null when there are none. The one before stays for a while: somebody may be about to open it. */
  async of({ load, key, companyId }: EngineTable, attached: AttachedTable, timeoutMs: number): Promise<string | null> {
    const relation = attached.later();
    if (relation === null) return null;
    const path = join(this.folder, `${key}.${attached.upTo}.parquet`);
    await this.turns.run(load, async () => {
      if (await fileExists(path)) return;
      await this.database.run('reads', { companyId, timeoutMs }, (connection) => write(connection, relation, path));
      this.removeLater(this.newest.get(load));
      this.newest.set(load, path);
    });
    return path;
  }

  /** Nobody will ask for them any more. */
  forget(load: string): void {
    this.removeLater(this.newest.get(load));
    this.newest.delete(load);
  }

  private removeLater(path: string | undefined): void {
    if (path === undefined) return;
    // What can't be removed now goes at the next start.
    setTimeout(() => void rm(path, { force: true }).catch(() => undefined), this.keepMs).unref();
  }
}

/** What has the name is complete. */
async function write(connection: DuckDBConnection, relation: string, path: string): Promise<void> {
  await connection.run(`COPY (${relation}) TO ${quotedText(`${path}.tmp`)} (FORMAT parquet)`);
  await rename(`${path}.tmp`, path);
}
