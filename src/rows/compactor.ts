import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { AppError } from '../shared/app-error.js';
import { countOf, sqlTime } from './attached-table.js';
import { BASE_SETTINGS, baseOptions, createSorted } from './base-file.js';
import { type CompactOrder, LATER_BATCHES, LATER_ROWS } from './compact-protocol.js';
import { BATCHES } from './delta-file.js';
import { describeTable } from './import-table.js';
import type { TableColumn } from '../plan/plan-columns.js';
import { DRAFT_FILE } from './row-files.js';
import { quotedText } from './sandbox-names.js';
import { STORED_TYPES, type TableShape } from './table-shape.js';

/** Builds in the current folder one base of another and the later inserts, sorted and described as an import does it. Tells how many rows it has. */
export async function compact(order: CompactOrder): Promise<number> {
  const rows = await inDatabase(order.memoryMb, {}, (connection) => build(connection, order));
  // What will be published is what is read again from the disk.
  await inDatabase(order.memoryMb, { access_mode: 'READ_ONLY' }, async (connection) => {
    if ((await countOf(connection, 'data')) !== rows) throw unreadable();
  });
  return rows;
}

async function build(connection: DuckDBConnection, order: CompactOrder): Promise<number> {
  const { sealed } = order;
  const { shape } = sealed;
  for (const setting of BASE_SETTINGS) await connection.run(setting);
  await connection.run(`ATTACH ${quotedText(sealed.base)} AS replaced (READ_ONLY)`);
  const parts = partsOf(order);
  await connection.run(createSorted(parts.join(' UNION ALL '), shape));
  const rows = await countOf(connection, 'data');
  let expected = 0;
  for (const part of parts) expected += await countOf(connection, `(${part})`);
  if (rows !== expected) throw unreadable();

  await describeTable(connection, subjectOf(shape), shape.values);
  // What was inserted beside the import, and lies beside this file, goes on belonging to it.
  await connection.run("UPDATE facts SET value = $1 WHERE key = 'id'", [shape.id]);
  await keepBatches(connection, order);
  await connection.run('DETACH replaced');
  await connection.run('CHECKPOINT');
  return rows;
}

/** What came through a message is a copy, and who describes a table looks for the very columns. */
function subjectOf({ columns, time, meta }: TableShape): Pick<TableShape, 'columns' | 'time' | 'meta'> {
  const same = (one: TableColumn): TableColumn => columns.find(({ physical }) => physical === one.physical) ?? one;
  return { columns, time: same(time), meta: same(meta) };
}

/** The rows of both halves that are kept, with the types that columns have by now. */
function partsOf({ sealed, visibleFrom }: CompactOrder): readonly string[] {
  const { columns, time } = sealed.shape;
  const stored = columns.map(({ physical, type }) => `CAST(${physical} AS ${STORED_TYPES[type]}) AS ${physical}`);
  const still = visibleFrom === null ? '' : ` WHERE ${time.physical} >= TIMESTAMP ${quotedText(sqlTime(visibleFrom))}`;
  const sources = ['replaced.data', ...(sealed.hasLater ? [`read_parquet('${LATER_ROWS}')`] : [])];
  return sources.map((source) => `SELECT ${stored.join(', ')} FROM ${source}${still}`);
}

/** A key that is a day older than the newest one is forgotten by whoever sends rows next. */
async function keepBatches(connection: DuckDBConnection, { sealed }: CompactOrder): Promise<void> {
  await connection.run(`CREATE TABLE ${BATCHES}`);
  const sources = [
    ...(sealed.hasBatches ? ['replaced.batches'] : []),
    ...(sealed.hasLater ? [`read_parquet('${LATER_BATCHES}')`] : []),
  ];
  for (const source of sources) await connection.run(`INSERT INTO batches SELECT key, note, sent FROM ${source}`);
  await connection.run('DELETE FROM batches WHERE sent <= (SELECT max(sent) FROM batches) - INTERVAL 1 DAY');
}

async function inDatabase<T>(
  memoryMb: number,
  options: Readonly<Record<string, string>>,
  work: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await DuckDBInstance.create(DRAFT_FILE, { ...baseOptions(memoryMb), ...options });
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function unreadable(): AppError {
  return new AppError('unavailable', 'the compacted rows could not be read back');
}
