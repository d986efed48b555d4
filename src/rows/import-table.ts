import type { DuckDBConnection } from '@duckdb/node-api';
import type { LoadReport } from '../ports/row-engine.js';
import type { TableProfile } from '../ports/table.js';
import type { TargetTable } from './import-sql.js';
import { ASSET_KEY } from './base-file.js';
import { profileOf } from './table-profile.js';
import { metaText } from './table-shape.js';

const MOST_ASSETS = 1000;

/** Writes beside the rows what is known about them, so that nobody has to ask them again. */
export async function describeTable(
  connection: DuckDBConnection,
  target: Pick<TargetTable, 'columns' | 'time' | 'meta'>,
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
  const assets = await connection.runAndReadAll(`SELECT value FROM assets ORDER BY value LIMIT ${MOST_ASSETS}`);
  return { profile, assets: assets.getRows().map(([value]) => String(value)) };
}

async function writeColumns(connection: DuckDBConnection, { columns }: Pick<TargetTable, 'columns'>): Promise<void> {
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
