import { readdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { type AttachedTable, countOf } from './attached-table.js';
import { keyOf } from './attached-tables.js';
import type { EngineDatabase } from './engine-database.js';
import type { EngineTable } from './engine-protocol.js';
import { KeyedTurns } from '../shared/keyed-turns.js';
import type { RetiredFiles } from './retired-files.js';
import { exportPath, exportsOf } from './row-file-names.js';
import { fileExists } from './row-files.js';
import { quotedText } from './sandbox-names.js';

/** The one before may be in use by somebody who asks again. */
const KEPT_EXPORTS = 2;

/** Writes later inserts to files that other processes can read. */
export class TableExports {
  private readonly turns = new KeyedTurns();

  constructor(
    private readonly database: EngineDatabase,
    private readonly retired: RetiredFiles,
  ) {}

  /**
   * All later inserts as one Parquet file; null when there are none. One file for each number of rows: beside one base rows are only ever
   * added, so that the number is the version.
   */
  async later(table: EngineTable, attached: AttachedTable, timeoutMs: number): Promise<string | null> {
    const relation = attached.laterRows();
    if (relation === null || attached.deltaRows === 0) return null;
    return this.turns.run(keyOf(table), () =>
      this.database.run('reads', { companyId: table.companyId, timeoutMs }, async (connection) => {
        // The rows that are counted are those that are written, whoever inserts meanwhile.
        await connection.run('BEGIN');
        const rows = await countOf(connection, `(${relation})`);
        const path = exportPath(table.folder, table.generation, attached.basePart.merged, rows);
        if (!(await fileExists(path))) await writeParquet(connection, relation, path);
        await this.retireOthers(table);
        return path;
      }),
    );
  }

  private async retireOthers({ folder, generation }: EngineTable): Promise<void> {
    const names = exportsOf(await readdir(folder), generation).filter((name) => name.endsWith('.parquet'));
    for (const name of names.slice(KEPT_EXPORTS)) await this.retired.removeLater(join(folder, name));
  }
}

/** What has the name is complete. */
export async function writeParquet(connection: DuckDBConnection, relation: string, path: string): Promise<void> {
  await connection.run(`COPY (${relation}) TO ${quotedText(`${path}.tmp`)} (FORMAT parquet)`);
  await rename(`${path}.tmp`, path);
}

/** Bytes that files take, with their logs. */
export async function bytesOf(paths: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ size }) => size,
        // A log is not there when everything of it is in the file.
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
