import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../plan/plan-columns.js';
import { valuesOf } from './attached-table.js';
import { quotedText } from './sandbox-names.js';
import { STORED_TYPES } from './table-shape.js';

/** Later rows as earlier versions kept them: in databases of their own beside the base. */
export interface OlderRows {
  readonly relations: readonly string[];
  /** With the types that columns have by then. */
  readonly columns: readonly TableColumn[];
}

/** Opens those of the files that belong to the base, which is open as `replaced`. */
export async function openOlder(
  connection: DuckDBConnection,
  paths: readonly string[],
  columns: readonly TableColumn[],
): Promise<OlderRows> {
  const names: string[] = [];
  for (const [index, path] of paths.entries()) {
    const name = `older${index}`;
    await connection.run(`ATTACH ${quotedText(path)} AS ${name} (READ_ONLY)`);
    if (await belongs(connection, name)) names.push(name);
  }
  const stored = await valuesOf(
    connection,
    `SELECT column_name FROM duckdb_columns() WHERE starts_with(database_name, 'older') AND table_name = 'data' AND data_type = '${STORED_TYPES.number}'`,
  );
  const wide = new Set(stored.map(([column]) => String(column)));
  return {
    relations: names.map((name) => `${name}.data`),
    columns: columns.map((column) =>
      column.type === 'integer' && wide.has(column.physical) ? { ...column, type: 'number' } : column,
    ),
  };
}

/** A file that is not finished was never answered for; one of an earlier import is not this one's. */
async function belongs(connection: DuckDBConnection, name: string): Promise<boolean> {
  const tables = await valuesOf(connection, `SELECT table_name FROM duckdb_tables() WHERE database_name = '${name}'`);
  if (!['data', 'facts'].every((table) => tables.some(([found]) => found === table))) return false;
  const same = `SELECT (SELECT value FROM ${name}.facts WHERE key = 'base') = (SELECT value FROM replaced.facts WHERE key = 'id')`;
  return (await valuesOf(connection, same))[0]?.[0] === true;
}
