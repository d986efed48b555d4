import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../plan/plan-columns.js';
import { assertRows, createSorted, describeTable, makeBase } from './base-file.js';
import { countOf, shapeOf, valuesOf } from './engine/attached-table.js';
import type { CompactOrder } from './jobs.js';
import { LATER_ROWS } from './row-files.js';
import { quotedText } from './sql-text.js';
import { sqlTime, STORED_TYPES, type TableShape } from './table-shape.js';

/** Builds in the current folder one file of a base and the later rows, or of those alone, sorted and described as an import does it. Tells how many rows it has. */
export async function compact(order: CompactOrder): Promise<number> {
  return (await makeBase(order.memoryMb, (connection) => build(connection, order))).rows;
}

async function build(connection: DuckDBConnection, order: CompactOrder): Promise<{ readonly rows: number }> {
  await connection.run(`ATTACH ${quotedText(order.base)} AS replaced (READ_ONLY)`);
  const base = await shapeOf(connection, 'replaced');
  const older = await openOlder(connection, order.older, base.columns);
  const shape = withColumns(base, order.columns ?? older.columns);
  const later = order.laterRows === 0 ? [] : [`read_parquet('${LATER_ROWS}')`];
  for (const relation of later) await assertRows(connection, relation, order.laterRows);
  const sources = [...(order.isPart ? [] : ['replaced.data']), ...older.relations, ...later];
  if (sources.length === 0) sources.push('(SELECT * FROM replaced.data LIMIT 0)');
  const parts = partsOf(sources, shape, order.visibleFrom);
  await connection.run(createSorted(parts.join(' UNION ALL '), shape));
  let rows = 0;
  for (const part of parts) rows += await countOf(connection, `(${part})`);
  await assertRows(connection, 'data', rows);

  await describeTable(connection, shape, shape.values);
  return { rows };
}

function withColumns(shape: TableShape, columns: TableShape['columns']): TableShape {
  const now = (one: TableColumn): TableColumn => columns.find(({ physical }) => physical === one.physical) ?? one;
  return { ...shape, columns, time: now(shape.time), meta: now(shape.meta) };
}

/** The rows that are kept, with the types that columns have by now. */
export function partsOf(
  sources: readonly string[],
  { columns, time }: Pick<TableShape, 'columns' | 'time'>,
  visibleFrom: string | null,
): readonly string[] {
  const stored = columns.map(({ physical, type }) => `CAST(${physical} AS ${STORED_TYPES[type]}) AS ${physical}`);
  const still = visibleFrom === null ? '' : ` WHERE ${time.physical} >= TIMESTAMP ${quotedText(sqlTime(visibleFrom))}`;
  return sources.map((source) => `SELECT ${stored.join(', ')} FROM ${source}${still}`);
}

/** Later rows as earlier versions kept them: in databases of their own beside the base. */
interface OlderRows {
  readonly relations: readonly string[];
  /** With the types that columns have by then. */
  readonly columns: readonly TableColumn[];
}

/** Opens those of the files that belong to the base, which is open as `replaced`. */
async function openOlder(
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
