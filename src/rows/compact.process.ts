import '../adapters/processes/private-files.js';
import type { DuckDBConnection } from '@duckdb/node-api';
import { assertRows, createSorted, describeTable, makeBase, partsOf } from './base-file.js';
import { countOf } from './cells.js';
import { shapeOf } from './engine/attached-table.js';
import { type CompactOrder, serveJob } from './jobs.js';
import { LATER_ROWS } from './row-files.js';
import { quotedText } from './sql-text.js';
import { withColumns } from './table-shape.js';

/** One compaction, one process: its memory is its own, and it is gone with whoever wanted it. It tells how many rows the file has. */
serveJob(async (order: CompactOrder) => {
  const { rows } = await makeBase(order.memoryMb, (connection) => build(connection, order));
  return rows;
});

/** Builds in the current folder one file of a base and the later rows, or of those alone, sorted and described as an import does it. */
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
