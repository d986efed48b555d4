import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { COLUMN_TYPES, type ColumnType } from '../ports/table.js';
import type { TableColumn } from '../plan/plan-columns.js';
import { inSpan, type Span, stepsOf } from './export-steps.js';
import { DRAFT_FILE } from './row-files.js';

const OPTIONS: Readonly<Record<string, string>> = {
  access_mode: 'READ_ONLY',
  threads: '1',
  memory_limit: '512MB',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
};

/** Some rows of a draft: for each column its values, in the order of the rows. A time is its milliseconds since 1970; a whole number beyond 2^53 a bigint. */
export type DraftRows = readonly (readonly DraftCell[])[];
export type DraftCell = number | bigint | boolean | string | null;

/**
 * Reads the rows that an import has made, in the order in which they are stored, from the draft in the current folder. Memory is bounded
 * whatever is in them.
 */
export async function readDraft(
  read: (columns: readonly TableColumn[], rows: AsyncGenerator<DraftRows>) => Promise<void>,
): Promise<void> {
  const instance = await DuckDBInstance.create(DRAFT_FILE, OPTIONS);
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const columns = await columnsOf(connection);
    await read(columns, rowsOf(connection, columns));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function columnsOf(connection: DuckDBConnection): Promise<readonly TableColumn[]> {
  const reader = await connection.runAndReadAll('SELECT physical, name, type FROM columns ORDER BY position');
  return reader.getRows().map(([physical, name, type]) => ({
    physical: String(physical),
    name: String(name),
    type: COLUMN_TYPES.find((one) => one === type) ?? 'text',
  }));
}

async function* rowsOf(connection: DuckDBConnection, columns: readonly TableColumn[]): AsyncGenerator<DraftRows> {
  const [count] = (await connection.runAndReadAll('SELECT CAST(count(*) - 1 AS DOUBLE) FROM data')).getRows()[0] ?? [];
  const span: Span = { first: 0, last: Number(count) };
  const base = { path: DRAFT_FILE, data: 'data', width: columns.length, columns };
  const cells = await cellsOf(connection, 'data', columns);
  for (const step of await stepsOf(connection, base, span)) {
    const result = await connection.stream(`SELECT ${cells.join(', ')} FROM data WHERE ${inSpan(step)}`);
    for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk())
      yield chunk.getColumns() as DraftRows;
  }
}

/** What is selected of a relation so that its rows come as draft rows. */
export async function cellsOf(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly TableColumn[],
): Promise<readonly string[]> {
  const isLong = await longColumns(connection, relation, columns);
  return columns.map((column) => cellOf(column, isLong.has(column.physical)));
}

/** Whole numbers that a double can't hold; they are rare, and much dearer to read. */
async function longColumns(
  connection: DuckDBConnection,
  relation: string,
  columns: readonly TableColumn[],
): Promise<ReadonlySet<string>> {
  const whole = columns.filter(({ type }) => type === 'integer');
  if (whole.length === 0) return new Set();
  const asked = whole.map(
    ({ physical }) => `coalesce(bool_or(abs(CAST(${physical} AS HUGEINT)) > 9007199254740992), false)`,
  );
  const reader = await connection.runAndReadAll(`SELECT ${asked.join(', ')} FROM ${relation}`);
  const [found] = reader.getRows();
  return new Set(whole.filter((_, index) => found?.[index] === true).map(({ physical }) => physical));
}

function cellOf({ physical, type }: { readonly physical: string; readonly type: ColumnType }, isLong: boolean): string {
  switch (type) {
    case 'time':
      return `CAST(epoch_ms(${physical}) AS DOUBLE)`;
    case 'integer':
      return isLong ? physical : `CAST(${physical} AS DOUBLE)`;
    case 'number':
      // Whole numbers that were imported before others came.
      return `CAST(${physical} AS DOUBLE)`;
    case 'boolean':
    case 'text':
      return physical;
  }
}
