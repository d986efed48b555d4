import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SANDBOX_FOLDER, SandboxPool } from '../../src/rows/sandbox/sandbox-pool.js';
import type { SandboxTable } from '../../src/rows/sandbox/sandbox-protocol.js';
import { STORED_TYPES } from '../../src/rows/table-shape.js';
import type { QueryLimits, QueryResult } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';
import { type TestTable, SALES } from './row-query.legitimate.tables.js';

export const ROWS = SALES.rows.length;
export const SECRET = 'the-neighbour-s-secret';

interface QueryOptions extends Partial<QueryLimits> {
  readonly withDelta?: boolean;
  readonly visibleFrom?: Date;
  readonly of?: string;
  /** A further table, `others`, which may not be joined with anything. */
  readonly beside?: string;
}

/** Two datasources on disk as an import leaves them, the second one somebody else's, and the pool that queries them, started or not. */
export async function openQueryFixture({ isWarm } = { isWarm: true }): Promise<QueryFixture> {
  const fixture = new QueryFixture(await mkdtemp(join(tmpdir(), 'row-query-')));
  await writeFile(fixture.secretFile, `secret\n${SECRET}\n`);
  await writeTable(fixture.base, SALES);
  await writeTable(fixture.neighbour, SALES);
  await inDatabase(':memory:', `COPY (${LATER}) TO '${fixture.delta}'`);
  if (isWarm) await fixture.pool.warm();
  return fixture;
}

export class QueryFixture {
  readonly base: string;
  readonly neighbour: string;
  readonly delta: string;
  readonly secretFile: string;
  readonly pool: SandboxPool;

  constructor(readonly folder: string) {
    [this.base, this.neighbour] = [join(folder, 'base.1.duckdb'), join(folder, 'other.duckdb')];
    [this.delta, this.secretFile] = [join(folder, 'd.parquet'), join(folder, 'secret.csv')];
    this.pool = new SandboxPool({ tempDir: join(folder, 'tmp') });
  }

  query(statement: string, options: QueryOptions = {}): Promise<QueryResult> {
    const { of = this.base, beside, withDelta = false, visibleFrom = null } = options;
    const ids = { companyId: asId<never>('a'.repeat(24)), datasourceId: asId<never>('b'.repeat(24)) };
    const own = {
      ...tableAt(of),
      deltaPath: withDelta ? this.delta : null,
      visibleFrom: visibleFrom?.toISOString() ?? null,
    };
    const tables = [own, ...(beside === undefined ? [] : [{ ...tableAt(beside), name: 'others' }])];
    // Waiting for a turn counts: a busy machine gets the time it needs.
    const { maxRows = 1000, timeoutMs = 60_000 } = options;
    const asked = { table: { ...ids, generation: 1, visibleFrom }, tables };
    return this.pool.query(asked, statement, { maxRows, timeoutMs });
  }

  /** Writes the base file of another table, to be asked with `of`. */
  async add(name: string, table: TestTable<Record<string, unknown>>): Promise<string> {
    const path = join(this.folder, `${name}.1.duckdb`);
    await writeTable(path, table);
    return path;
  }

  /** A mark of everything on the disk that a statement could have changed: all but the folders that the sandboxes themselves have. */
  async mark(): Promise<string> {
    const hash = createHash('sha256');
    const entries = await readdir(this.folder, { withFileTypes: true, recursive: true });
    const told = entries
      .filter((entry) => !(entry.isDirectory() && entry.name.startsWith(SANDBOX_FOLDER)))
      .map((entry) => ({ path: join(entry.parentPath, entry.name), isFile: entry.isFile() }))
      .sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const { path, isFile } of told) hash.update(path).update(isFile ? await readFile(path) : 'no file');
    return hash.digest('hex');
  }

  async close(): Promise<void> {
    await this.pool.stop();
    await rm(this.folder, { recursive: true });
  }
}

export function tableAt(basePath: string): SandboxTable {
  return { name: 'data', basePath, deltaPath: null, visibleFrom: null };
}

/** One row of sales more than the base has, as a later insert. */
const LATER = `SELECT TIMESTAMP '2025-01-01' AS c0, 'North' AS c1, 'Product 9' AS c2, 1::BIGINT AS c3, 10.0 AS c4, false AS c5`;

async function inDatabase(path: string, sql: string, values: readonly string[] = []): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  await connection.run(sql, [...values]);
  connection.closeSync();
  instance.closeSync();
}

/** A base file as an import leaves it, with tables of the service's own beside the rows. */
async function writeTable(
  path: string,
  { columns, rows, timeField }: TestTable<Record<string, unknown>>,
): Promise<void> {
  const cells = columns.map(([, type], at) => `r[${at + 1}]::${STORED_TYPES[type]} AS c${at}`);
  const json = JSON.stringify(rows.map((row) => columns.map(([name]) => textOf(row[name]))));
  await inDatabase(
    path,
    `CREATE TABLE data AS SELECT ${cells.join(', ')} FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [json],
  );
  const names = columns.map(([name, type], at) => `(${at}, 'c${at}', '${name}', '${type}')`);
  await inDatabase(
    path,
    `CREATE TABLE columns AS SELECT * FROM (VALUES ${names.join(', ')}) t(position, physical, name, type);
     CREATE TABLE facts AS SELECT * FROM (VALUES ('timeField', '${timeField}'), ('note', '${SECRET}')) t(key, value);
     CREATE TABLE assets AS SELECT '${SECRET}' AS value`,
  );
}

function textOf(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null;
  if (cell instanceof Date) return cell.toISOString().slice(0, -1);
  return typeof cell === 'string' ? cell : JSON.stringify(cell);
}
