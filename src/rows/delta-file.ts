import type { DuckDBConnection } from '@duckdb/node-api';
import { type AttachedTable, pairsOf, valuesOf } from './attached-table.js';
import { quotedText } from './sandbox-names.js';
import { STORED_TYPES } from './table-shape.js';

/** Names of rows that were sent together, with what is answered when they are sent again. */
export const BATCHES = 'batches (key VARCHAR, note VARCHAR, sent TIMESTAMP)';

/** Makes the tables of a new file of later inserts; it names the import that it belongs to. */
export async function createDelta(keeper: DuckDBConnection, name: string, { shape }: AttachedTable): Promise<void> {
  const fields = shape.columns.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ');
  await keeper.run('BEGIN');
  try {
    await keeper.run(`CREATE TABLE ${name}.data (${fields})`);
    await keeper.run(`CREATE TABLE ${name}.${BATCHES}`);
    await keeper.run(`CREATE TABLE ${name}.facts AS SELECT 'base' AS key, ${quotedText(shape.id)} AS value`);
    await keeper.run('COMMIT');
  } catch (error) {
    await keeper.run('ROLLBACK');
    throw error;
  }
  await keeper.run(`CHECKPOINT ${name}`);
}

/** Which import a file of later inserts belongs to; `null` when the process died before the file was made, and so before anything was acknowledged. */
export async function baseOfDelta(keeper: DuckDBConnection, name: string): Promise<string | null> {
  const tables = await tablesIn(keeper, name);
  if (!['data', 'facts'].every((table) => tables.has(table))) return null;
  // A file from before rows could be sent under a key.
  if (!tables.has('batches')) await keeper.run(`CREATE TABLE ${name}.${BATCHES}`);
  return new Map(await pairsOf(keeper, `SELECT key, value FROM ${name}.facts`)).get('base') ?? null;
}

/** Columns that later inserts store as numbers, whatever the base stores. */
export async function numbersOfDelta(keeper: DuckDBConnection, name: string): Promise<ReadonlySet<string>> {
  const stored = await valuesOf(
    keeper,
    `SELECT column_name FROM duckdb_columns()
     WHERE database_name = '${name}' AND table_name = 'data' AND data_type = '${STORED_TYPES.number}'`,
  );
  return new Set(stored.map(([column]) => String(column)));
}

export async function tablesIn(keeper: DuckDBConnection, name: string): Promise<ReadonlySet<string>> {
  const found = await valuesOf(keeper, `SELECT table_name FROM duckdb_tables() WHERE database_name = '${name}'`);
  return new Set(found.map(([table]) => String(table)));
}
