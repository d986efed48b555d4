import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { TableColumn } from '../plan/plan-columns.js';
import type { LoadReport } from '../ports/row-engine.js';
import type { TableProfile } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { countOf, valuesOf } from './cells.js';
import { DRAFT_FILE, DRAFT_SPILL } from './row-files.js';
import { profileOf } from './table-profile.js';
import { whereClause } from './sql-text.js';
import { metaText, STORED_TYPES, type TableShape, visibleSince } from './table-shape.js';

/** However many processors there are: an import is background work. */
export const IMPORT_THREADS = 2;

/** Makes the draft's file in the current folder, and reads it again: what will be published is what is on the disk. */
export async function makeBase<T extends { readonly rows: number }>(
  memoryMb: number,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const made = await inDraftFile(memoryMb, {}, async (connection) => {
    for (const setting of BASE_SETTINGS) await connection.run(setting);
    const done = await work(connection);
    await connection.run('CHECKPOINT');
    return done;
  });
  await inDraftFile(memoryMb, { access_mode: 'READ_ONLY' }, (connection) => assertRows(connection, 'data', made.rows));
  return made;
}

/** @throws AppError `unavailable` when a relation has another number of rows. */
export async function assertRows(connection: DuckDBConnection, relation: string, rows: number): Promise<void> {
  if ((await countOf(connection, relation)) !== rows)
    throw new AppError('unavailable', 'the rows could not be read back as they were written');
}

async function inDraftFile<T>(
  memoryMb: number,
  options: Readonly<Record<string, string>>,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(DRAFT_FILE, {
    memory_limit: `${memoryMb}MB`,
    threads: String(IMPORT_THREADS),
    temp_directory: DRAFT_SPILL,
    // Newer ways of storing are faster to write; only the service reads its files.
    storage_compatibility_version: 'latest',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    ...options,
  });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Beside the columns of a base: a number for each metadata value, by which the rows are sorted. Nearly always another for another value. */
export const ASSET_KEY = 'asset_key';

/**
 * Makes the table of rows. Those of one asset lie together, in time order. Their order by hash is as good as by name and half as dear to sort, and
 * kept as a column it lets a reader pass over the parts of the file that have none of them.
 */
export function createSorted(
  rows: string,
  { meta, time }: { readonly meta: TableColumn; readonly time: TableColumn },
): string {
  return `CREATE TABLE data AS SELECT *, hash(${meta.physical}) AS ${ASSET_KEY} FROM (${rows}) ORDER BY ${ASSET_KEY}, ${time.physical}`;
}

/** The rows that are kept, with the types that columns have by now. */
export function partsOf(
  sources: readonly string[],
  { columns, time }: Pick<TableShape, 'columns' | 'time'>,
  visibleFrom: string | null,
): readonly string[] {
  const stored = columns.map(({ physical, type }) => `CAST(${physical} AS ${STORED_TYPES[type]}) AS ${physical}`);
  const still = whereClause([visibleSince(time, visibleFrom)]);
  return sources.map((source) => `SELECT ${stored.join(', ')} FROM ${source}${still}`);
}

/** What is set before rows are written. */
const BASE_SETTINGS: readonly string[] = [
  "SET TimeZone = 'UTC'",
  // The rows are sorted anyway.
  'SET preserve_insertion_order = false',
  // Dictionaries are packed in the same way; to try both costs more than it saves.
  "SET disabled_compression_methods = 'fsst'",
];

const MOST_ASSETS = 1000;

/** Writes beside the rows what is known about them, so that nobody has to ask them again. */
export async function describeTable(
  connection: DuckDBConnection,
  target: Pick<TableShape, 'columns' | 'time' | 'meta'>,
  values: readonly string[],
): Promise<Pick<LoadReport, 'assets' | 'profile'>> {
  const { columns, time, meta } = target;
  await connection.run(`CREATE TABLE assets AS
    SELECT ${metaText(meta)} AS value, count(*) AS n, min(${time.physical}) AS min_ts, max(${time.physical}) AS max_ts,
      min(rowid) AS first_row, max(rowid) AS last_row, 
      CASE WHEN min(${ASSET_KEY}) = max(${ASSET_KEY}) THEN min(${ASSET_KEY}) END AS key
    FROM data GROUP BY ALL ORDER BY value`);
  const profile = await profileOf(connection, { relation: 'data', isTable: true, columns, time, meta, values });
  await writeColumns(connection, target);
  await writeFacts(connection, profile);
  const assets = await valuesOf(connection, `SELECT value FROM assets ORDER BY value LIMIT ${MOST_ASSETS}`);
  return { profile, assets: assets.map(([value]) => String(value)) };
}

async function writeColumns(connection: DuckDBConnection, { columns }: Pick<TableShape, 'columns'>): Promise<void> {
  await connection.run('CREATE TABLE columns (position INTEGER, physical VARCHAR, name VARCHAR, type VARCHAR)');
  const rows = columns.map(({ physical, name, type }, position) => ({ position, physical, name, type }));
  await connection.run(
    `INSERT INTO columns SELECT unnest(from_json($1::VARCHAR,
      '[{"position": "INTEGER", "physical": "VARCHAR", "name": "VARCHAR", "type": "VARCHAR"}]'), recursive := true)`,
    [JSON.stringify(rows)],
  );
}

async function writeFacts(connection: DuckDBConnection, profile: TableProfile): Promise<void> {
  await connection.run(
    `CREATE TABLE facts AS SELECT * FROM (VALUES ('assetKey', 'true'), ('timeField', $1), ('metaField', $2), ('values', $3), ('rows', $4), ('profile', $5)) AS t(key, value)`,
    [
      profile.timeField,
      profile.metaField,
      JSON.stringify(profile.values),
      String(profile.rowCount),
      JSON.stringify(profile),
    ],
  );
}
