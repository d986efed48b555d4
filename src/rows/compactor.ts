import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../plan/plan-columns.js';
import { assertRows, createSorted, describeTable, makeBase } from './base-file.js';
import { countOf, shapeOf } from './engine/attached-table.js';
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
  const shape = withColumns(base, order.columns);
  const later = order.laterRows === 0 ? [] : [`read_parquet('${LATER_ROWS}')`];
  for (const relation of later) await assertRows(connection, relation, order.laterRows);
  const sources = [...(order.isPart ? [] : ['replaced.data']), ...later];
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
