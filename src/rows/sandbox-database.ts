import { randomBytes } from 'node:crypto';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { visibleNames } from '../plan/visible-names.js';
import { quotedName, quotedText } from './sandbox-names.js';

const SETTINGS: Readonly<Record<string, string>> = {
  threads: '2',
  max_temp_directory_size: '1GB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_unsigned_extensions: 'false',
};

/** What the process takes beside what its database may. */
const OVERHEAD_MB = 200;
const MOST_MB = 512;

/** Where a sandbox may spill, and what its process may take. */
export interface SandboxRoom {
  readonly tempDir: string;
  readonly memoryMb: number;
}

interface StoredColumn {
  readonly physical: string;
  readonly visible: string;
  readonly isTime: boolean;
}

/**
 * One datasource's rows in a locked engine: the table `data` with the header's names, nothing else that has a name to reach it
 * by, no file, no network, no setting to change.
 */
export class SandboxDatabase {
  private constructor(
    readonly connection: DuckDBConnection,
    /** Names of the engine's own tables and views. */
    readonly catalog: readonly string[],
    /** What no message may show. */
    readonly internal: readonly string[],
    private readonly rows: string,
    private readonly columns: readonly StoredColumn[],
  ) {}

  static async open(
    basePath: string,
    deltaPath: string | null,
    { tempDir, memoryMb }: SandboxRoom,
  ): Promise<SandboxDatabase> {
    const instance = await DuckDBInstance.create(':memory:', {
      ...SETTINGS,
      memory_limit: `${Math.min(memoryMb - OVERHEAD_MB, MOST_MB)}MB`,
      temp_directory: tempDir,
    });
    const connection = await instance.connect();
    // A name that can't be guessed: the tables beside `data` in the file are the service's own.
    const base = `rows_${randomBytes(16).toString('hex')}`;
    await connection.run(`ATTACH ${quotedText(basePath)} AS ${base} (READ_ONLY)`);
    const columns = await storedColumns(connection, base);
    const catalog = await namesIn(connection);
    await lock(connection, deltaPath);
    const internal = [basePath, deltaPath, tempDir, base].filter((name) => name !== null);
    return new SandboxDatabase(connection, catalog, internal, rowsIn(base, deltaPath, columns), columns);
  }

  /** Makes `data` show the rows from an instant on, and counts them. */
  async show(visibleFrom: number | null): Promise<number> {
    const listed = this.columns.map(({ physical, visible }) => `${quotedName(physical)} AS ${quotedName(visible)}`);
    const time = this.columns.find(({ isTime }) => isTime);
    const since = visibleFrom === null || !time ? '' : ` WHERE ${quotedName(time.physical)} >= ${timeOf(visibleFrom)}`;
    const view = `SELECT ${listed.join(', ')} FROM (${this.rows})${since}`;
    await this.connection.run(`CREATE OR REPLACE TEMP VIEW data AS ${view}`);
    const counted = await this.connection.runAndReadAll('SELECT count(*) FROM data');
    return Number(counted.getRows()[0]?.[0] ?? 0);
  }
}

async function storedColumns(connection: DuckDBConnection, base: string): Promise<readonly StoredColumn[]> {
  const columns = await connection.runAndReadAll(
    `SELECT physical, name, name = (SELECT value FROM ${base}.main.facts WHERE key = 'timeField')
     FROM ${base}.main.columns ORDER BY position`,
  );
  const rows = columns.getRows();
  const visible = visibleNames(rows.map(([, name]) => String(name)));
  return rows.map(([physical, , isTime], index) => ({
    physical: String(physical),
    visible: visible[index] ?? String(physical),
    isTime: isTime === true,
  }));
}

/** What can be named without saying where it is. */
async function namesIn(connection: DuckDBConnection): Promise<readonly string[]> {
  const views = await connection.runAndReadAll(
    `SELECT DISTINCT view_name FROM duckdb_views() WHERE database_name IN ('system', 'temp', 'memory') AND schema_name IN ('main', 'pg_catalog')`,
  );
  return views.getRows().map(([name]) => String(name));
}

async function lock(connection: DuckDBConnection, deltaPath: string | null): Promise<void> {
  await connection.run("SET TimeZone = 'UTC'");
  if (deltaPath !== null) await connection.run(`SET allowed_paths = [${quotedText(deltaPath)}]`);
  await connection.run('SET enable_external_access = false');
  await connection.run('SET lock_configuration = true');
}

function rowsIn(base: string, deltaPath: string | null, columns: readonly StoredColumn[]): string {
  const listed = columns.map(({ physical }) => quotedName(physical)).join(', ');
  const stored = `SELECT ${listed} FROM ${base}.main.data`;
  return deltaPath === null
    ? stored
    : `${stored} UNION ALL SELECT ${listed} FROM read_parquet(${quotedText(deltaPath)})`;
}

function timeOf(epochMs: number): string {
  return `make_timestamp(${Math.round(epochMs * 1000)})`;
}
