import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { SandboxPool } from '../../src/adapters/duckdb/sandbox-pool.js';
import type { QueryLimits, QueryResult } from '../../src/ports/table.js';
import { asId } from '../../src/shared/ids.js';

export const ROWS = 2000;
export const SECRET = 'the-neighbour-s-secret';

export interface QueryFixture {
  readonly folder: string;
  readonly base: string;
  readonly neighbour: string;
  readonly delta: string;
  readonly secretFile: string;
  readonly query: (statement: string, options?: Partial<QueryLimits> & QueryOptions) => Promise<QueryResult>;
  /** Writes a base file with the first rows alone. */
  readonly writeBase: (path: string, rows: number) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** A mark of everything on the disk that a statement could have changed. */
  readonly mark: () => Promise<string>;
  readonly close: () => Promise<void>;
}

interface QueryOptions {
  readonly withDelta?: boolean;
  readonly visibleFrom?: Date;
  readonly of?: string;
}

/** Two datasources on disk as an import leaves them, the second one somebody else's, and the pool that queries them. */
export async function openQueryFixture(): Promise<QueryFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'row-query-'));
  const [base, neighbour, delta] = [
    join(folder, 'base.1.duckdb'),
    join(folder, 'other.duckdb'),
    join(folder, 'd.parquet'),
  ];
  const secretFile = join(folder, 'secret.csv');
  await writeFile(secretFile, `secret\n${SECRET}\n`);
  await writeRows(base, delta);
  await writeRows(neighbour, join(folder, 'n.parquet'));
  const pool = new SandboxPool({ tempDir: join(folder, 'tmp') });
  await pool.warm();
  return {
    ...{ folder, base, neighbour, delta, secretFile },
    query: (statement, options = {}) =>
      pool.query(options.of ?? base, options.withDelta ? delta : null, tableFrom(options), statement, {
        maxRows: options.maxRows ?? 1000,
        timeoutMs: options.timeoutMs ?? 10_000,
      }),
    writeBase: (path, rows) => writeRows(path, join(folder, 'unused.parquet'), rows),
    stop: () => pool.stop(),
    mark: () => markOf(folder),
    close: async () => {
      await pool.stop();
      await rm(folder, { recursive: true });
    },
  };
}

function tableFrom({ visibleFrom }: QueryOptions): Parameters<SandboxPool['query']>[2] {
  return {
    companyId: asId('a'.repeat(24)),
    datasourceId: asId('b'.repeat(24)),
    generation: 1,
    visibleFrom: visibleFrom ?? null,
  };
}

async function writeRows(path: string, delta: string, rows = ROWS): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const statement of statementsFor(delta, rows)) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** An order an hour from 2024-01-01 on: four regions, five products. */
function statementsFor(delta: string, rows: number): readonly string[] {
  return [
    `CREATE TABLE data AS SELECT TIMESTAMP '2024-01-01' + to_hours(i) AS c0, ['North','South','East','West'][1 + i % 4] AS c1,
       CASE WHEN i % 50 = 0 THEN NULL ELSE 'Product ' || (i % 5) END AS c2, (i % 7)::BIGINT AS c3, (i % 100) * 1.5 AS c4, i % 10 = 0 AS c5
     FROM range(${String(rows)}) t(i)`,
    `CREATE TABLE columns AS SELECT * FROM (VALUES (0, 'c0', 'Order Date', 'time'), (1, 'c1', 'Region', 'text'), (2, 'c2', 'product', 'text'),
       (3, 'c3', 'units', 'integer'), (4, 'c4', 'Revenue (€)', 'number'), (5, 'c5', 'returned', 'boolean')) t(position, physical, name, type)`,
    `CREATE TABLE facts AS SELECT * FROM (VALUES ('timeField', 'Order Date'), ('note', '${SECRET}')) t(key, value)`,
    `CREATE TABLE assets AS SELECT '${SECRET}' AS value`,
    `COPY (SELECT TIMESTAMP '2025-01-01' AS c0, 'North' AS c1, 'Product 9' AS c2, 1::BIGINT AS c3, 10.0 AS c4, false AS c5) TO '${delta}'`,
  ];
}

async function markOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.filter((one) => one.isFile()).sort((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(entry.name).update(await readFile(join(folder, entry.name)));
  }
  return hash.digest('hex');
}
