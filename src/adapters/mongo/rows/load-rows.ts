import { readRejects } from '../../../rows/rejects-file.js';
import { readDraft, type DraftRows } from '../../../rows/draft-rows.js';
import { DRAFT_REJECTS } from '../../../rows/row-files.js';
import type { RejectedLine } from '../../../ports/row-engine.js';
import type { Loaded, LoadOrder } from './load-protocol.js';
import type { mongo } from 'mongoose';
import { inParallel } from './in-parallel.js';
import type { MongoColumn, MongoRow } from './mongo-table.js';
import { IMPORTED } from './row-documents.js';
import type { RowDatabase } from './row-database.js';
import { fieldsOf } from './row-fields.js';
import { storedCell } from './row-values.js';

/** While the server stores some rows the next are read. */
export const AT_ONCE = 2;
const LINES_TOGETHER = 1000;
/** A document has 16 MB at most, and a character up to four bytes. */
const LETTERS_TOGETHER = 2 * 1024 ** 2;

type Row = Record<string, unknown>;

/** Copies the rows of the draft in the current folder, and the lines that it has left out, to the database. `stored` hears how many rows there are. */
export async function loadRows(
  database: RowDatabase,
  order: LoadOrder,
  stored: (rows: number) => void,
): Promise<Loaded> {
  let columns: readonly MongoColumn[] = [];
  let rows = 0;
  await readDraft(async (drafted, chunks) => {
    columns = fieldsOf(drafted, order);
    const collection = database.rows(order.collection);
    await inParallel(chunks, AT_ONCE, async (chunk) => {
      const count = await storeRows(collection, documentsOf(columns, chunk, IMPORTED));
      // Not before: others have been counted meanwhile.
      rows += count;
      stored(rows);
    });
  });
  await loadRejects(database, order.load, DRAFT_REJECTS);
  return { columns, rows };
}

/** Stores rows together. The order in which they come does not matter, and rows that need not wait for others take less time. */
export async function storeRows(collection: mongo.Collection<MongoRow>, rows: readonly MongoRow[]): Promise<number> {
  const { insertedCount } = await collection.insertMany(rows, { ordered: false, forceServerObjectId: true });
  return insertedCount;
}

/** Rows as they are stored, as those of a batch. */
export function documentsOf(columns: readonly MongoColumn[], chunk: DraftRows, batch: number): readonly MongoRow[] {
  const documents = Array.from({ length: chunk[0]?.length ?? 0 }, (): Row => ({ b: batch }));
  for (const [place, { field, type }] of columns.entries())
    for (const [index, cell] of (chunk[place] ?? []).entries()) {
      const document = documents[index];
      if (cell !== null && document !== undefined) document[field] = storedCell(type, cell);
    }
  return documents;
}

/** Copies the lines of a file of rejected ones; without a file there are none. */
export async function loadRejects(database: RowDatabase, load: string, path: string): Promise<void> {
  let [lines, letters, number]: [RejectedLine[], number, number] = [[], 0, 0];
  const send = async (): Promise<void> => {
    if (lines.length > 0) await database.rejects.insertOne({ load, number, lines });
    [lines, letters, number] = [[], 0, number + 1];
  };
  for await (const line of await readRejects(path)) {
    lines.push(line);
    letters += line.text.length + line.file.length + line.reason.length;
    if (lines.length >= LINES_TOGETHER || letters >= LETTERS_TOGETHER) await send();
  }
  await send();
}
