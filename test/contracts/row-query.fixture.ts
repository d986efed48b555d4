import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SANDBOX_FOLDER, SandboxPool } from '../../src/rows/sandbox/sandbox-pool.js';
import type { SandboxTable } from '../../src/rows/sandbox/sandbox-protocol.js';
import type { ColumnType, QueryLimits, QueryResult, TableRef } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { type TestTable, SALES } from './row-query.legitimate.tables.js';

export const ROWS = SALES.rows.length;
export const SECRET = 'the-neighbour-s-secret';

export interface QueryFixture {
  readonly folder: string;
  readonly base: string;
  readonly neighbour: string;
  readonly delta: string;
  readonly secretFile: string;
  readonly query: (statement: string, options?: Partial<QueryLimits> & QueryOptions) => Promise<QueryResult>;
  /** Writes a base file with the first rows of the sales alone. */
  readonly writeBase: (path: string, rows: number) => Promise<void>;
  /** Writes the base file of another table, to be asked with `of`. */
  readonly add: (name: string, table: TestTable<Record<string, unknown>>) => Promise<string>;
  readonly stop: () => Promise<void>;
  /** A mark of everything on the disk that a statement could have changed. */
  readonly mark: () => Promise<string>;
  readonly close: () => Promise<void>;
}

interface QueryOptions {
  readonly withDelta?: boolean;
  readonly visibleFrom?: Date;
  readonly of?: string;
  /** A further table, `others`, which may not be joined with anything. */
  readonly beside?: string;
}

/** Two datasources on disk as an import leaves them, the second one somebody else's, and the pool that queries them, started or not. */
export async function openQueryFixture({ isWarm } = { isWarm: true }): Promise<QueryFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'row-query-'));
  const [base, neighbour, delta] = [
    join(folder, 'base.1.duckdb'),
    join(folder, 'other.duckdb'),
    join(folder, 'd.parquet'),
  ];
  const secretFile = join(folder, 'secret.csv');
  await writeFile(secretFile, `secret\n${SECRET}\n`);
  await writeTable(base, SALES);
  await writeTable(neighbour, SALES);
  await writeDelta(delta);
  const pool = new SandboxPool({ tempDir: join(folder, 'tmp') });
  if (isWarm) await pool.warm();
  return {
    ...{ folder, base, neighbour, delta, secretFile },
    query: (statement, options = {}) =>
      pool.query(
        {
          table: tableFrom(options),
          tables: [
            tableAt(options.of ?? base, options, options.withDelta ? delta : null),
            ...(options.beside === undefined ? [] : [{ ...tableAt(options.beside, {}), name: 'others' }]),
          ],
        },
        statement,
        {
          maxRows: options.maxRows ?? 1000,
          // Waiting for a turn counts: a busy machine gets the time it needs.
          timeoutMs: options.timeoutMs ?? 60_000,
        },
      ),
    writeBase: (path, rows) => writeTable(path, SALES, SALES.rows.slice(0, rows)),
    add: async (name, table) => {
      const path = join(folder, `${name}.1.duckdb`);
      await writeTable(path, table);
      return path;
    },
    stop: () => pool.stop(),
    mark: () => markOf(folder),
    close: async () => {
      await pool.stop();
      await rm(folder, { recursive: true });
    },
  };
}

export function tableAt(
  basePath: string,
  { visibleFrom }: QueryOptions = {},
  deltaPath: string | null = null,
): SandboxTable {
  return { name: 'data', basePath, deltaPath, visibleFrom: visibleFrom?.getTime() ?? null };
}

function tableFrom({ visibleFrom }: QueryOptions): TableRef {
  return {
    companyId: asId('a'.repeat(24)),
    datasourceId: asId('b'.repeat(24)),
    generation: 1,
    visibleFrom: visibleFrom ?? null,
  };
}

/** One row of sales more than the base has, as a later insert. */
const LATER = `SELECT TIMESTAMP '2025-01-01' AS c0, 'North' AS c1, 'Product 9' AS c2, 1::BIGINT AS c3, 10.0 AS c4, false AS c5`;

const SQL_TYPES: Readonly<Record<ColumnType, string>> = {
  time: 'TIMESTAMP',
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
};

async function writeDelta(path: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`COPY (${LATER}) TO '${path}'`);
  connection.closeSync();
  instance.closeSync();
}

/** A base file as an import leaves it, with tables of the service's own beside the rows. */
async function writeTable(path: string, table: TestTable<Record<string, unknown>>, rows = table.rows): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const cells = table.columns.map(([, type], at) => `r[${String(at + 1)}]::${SQL_TYPES[type]} AS c${String(at)}`);
  const json = JSON.stringify(rows.map((row) => table.columns.map(([name]) => textOf(row[name]))));
  await connection.run(
    `CREATE TABLE data AS SELECT ${cells.join(', ')} FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [json],
  );
  const names = table.columns.map(([name, type], at) => `(${String(at)}, 'c${String(at)}', '${name}', '${type}')`);
  await connection.run(
    `CREATE TABLE columns AS SELECT * FROM (VALUES ${names.join(', ')}) t(position, physical, name, type)`,
  );
  await connection.run(
    `CREATE TABLE facts AS SELECT * FROM (VALUES ('timeField', '${table.timeField}'), ('note', '${SECRET}')) t(key, value)`,
  );
  await connection.run(`CREATE TABLE assets AS SELECT '${SECRET}' AS value`);
  connection.closeSync();
  instance.closeSync();
}

function textOf(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Date) return cell.toISOString().slice(0, -1);
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}

/** Files, folders and links with what they hold, but for the folders that the sandboxes themselves have. */
async function markOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const told = entries
    .filter((entry) => !(entry.isDirectory() && entry.name.startsWith(SANDBOX_FOLDER)))
    .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  for (const { path, isFile } of told) hash.update(path).update(isFile ? await readFile(path) : 'no file');
  return hash.digest('hex');
}
