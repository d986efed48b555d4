import type { DuckDBConnection } from '@duckdb/node-api';
import type { AttachedTable, MemoryPart } from './attached-table.js';
import { unpackedRows } from './batch-rows.js';
import type { WireBatch } from './engine-protocol.js';
import { damagedRows } from './process-error.js';
import { STORED_TYPES } from './table-shape.js';

/** Batches are added together until their JSON has so many letters. */
const LETTERS_AT_ONCE = 4_000_000;

/** The batches that came do not follow those that are here: those above a number are needed. */
export class LacksBatches extends Error {
  constructor(readonly above: number) {
    super(`the batches above ${above} are needed`);
  }
}

interface Unpacked {
  readonly batch: WireBatch;
  readonly json: string;
}

/** Adds batches to a table, in memory and in their order: all, or none when the connection is closed after a failure. */
export async function addBatches(
  connection: DuckDBConnection,
  table: AttachedTable,
  batches: readonly WireBatch[],
): Promise<AttachedTable> {
  let now = table;
  await connection.run('BEGIN');
  for await (const group of grouped(batches)) {
    const wider = group.flatMap(({ batch }) => batch.wider);
    now = await inserted(connection, now.widened(wider), group, wider.length > 0);
  }
  await connection.run('COMMIT');
  return now;
}

/** Batches that can be added together: one that widens a column begins a group. */
async function* grouped(batches: readonly WireBatch[]): AsyncGenerator<readonly Unpacked[]> {
  let group: Unpacked[] = [];
  let letters = 0;
  for (const batch of batches) {
    if (group.length > 0 && (batch.wider.length > 0 || letters > LETTERS_AT_ONCE)) {
      yield group;
      group = [];
      letters = 0;
    }
    const json = await unpackedRows(batch.data).catch((error: unknown) => {
      throw damagedRows(error);
    });
    group.push({ batch, json });
    letters += json.length;
  }
  if (group.length > 0) yield group;
}

let tables = 0;

/** `anew`: columns have other types by now, and need a table of their own. */
async function inserted(
  connection: DuckDBConnection,
  table: AttachedTable,
  group: readonly Unpacked[],
  anew: boolean,
): Promise<AttachedTable> {
  const last = anew ? undefined : table.memory.at(-1);
  const part = last ?? (await create(connection, table));
  const values = table.shape.columns.map(({ type }, index) => `CAST(r[${index + 1}] AS ${STORED_TYPES[type]})`);
  // One bound parameter, whatever is in the rows.
  const rows = `[${group.map(({ json }) => json.slice(1, -1)).join(',')}]`;
  await connection.run(
    `INSERT INTO ${part.name} SELECT ${values.join(', ')} FROM (SELECT unnest(from_json($1::VARCHAR, '[["VARCHAR"]]')) AS r)`,
    [rows],
  );
  const more = { ...part, rows: group.reduce((sum, { batch }) => sum + batch.rows, part.rows) };
  const others = table.memory.filter((one) => one !== last);
  return table.withMemory([...others, more], group.at(-1)?.batch.number ?? table.upTo);
}

async function create(connection: DuckDBConnection, { shape }: AttachedTable): Promise<MemoryPart> {
  const name = `memory.main.later${(tables += 1)}`;
  const fields = shape.columns.map(({ physical, type }) => `${physical} ${STORED_TYPES[type]}`).join(', ');
  await connection.run(`CREATE TABLE ${name} (${fields})`);
  return { name, rows: 0 };
}
