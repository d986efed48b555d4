import { readRejects } from '../../duckdb/rejects-file.js';
import { readDraft, type DraftRows } from '../../duckdb/draft-rows.js';
import { DRAFT_REJECTS } from '../../duckdb/row-files.js';
import type { RejectedLine } from '../../../ports/row-engine.js';
import type { Loaded, LoadOrder } from './load-protocol.js';
import type { MongoColumn } from './mongo-table.js';
import { IMPORTED } from './row-documents.js';
import type { RowDatabase } from './row-database.js';
import { fieldsOf } from './row-fields.js';
import { storedCell } from './row-values.js';

/** While the server stores some rows the next are read. */
const AT_ONCE = 2;
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
    await inParallel(chunks, async (chunk) => {
      // The order in which rows come does not matter, and rows that need not wait for others are stored together.
      const options = { ordered: false, forceServerObjectId: true };
      const { insertedCount } = await collection.insertMany(documentsOf(columns, chunk), options);
      rows += insertedCount;
      stored(rows);
    });
  });
  await loadRejects(database, order);
  return { columns, rows };
}

function documentsOf(columns: readonly MongoColumn[], chunk: DraftRows): Row[] {
  const documents = Array.from({ length: chunk[0]?.length ?? 0 }, (): Row => ({ b: IMPORTED }));
  for (const [place, { field, type }] of columns.entries())
    for (const [index, cell] of (chunk[place] ?? []).entries()) {
      const document = documents[index];
      if (cell !== null && document !== undefined) document[field] = storedCell(type, cell);
    }
  return documents;
}

/** Works on so many at once; the first that fails is the end of all. */
async function inParallel<T>(things: AsyncIterable<T>, work: (thing: T) => Promise<void>): Promise<void> {
  const atWork = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for await (const thing of things) {
    const one = work(thing)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => atWork.delete(one));
    atWork.add(one);
    if (atWork.size >= AT_ONCE) await Promise.race(atWork);
    if (failures.length > 0) break;
  }
  await Promise.all(atWork);
  if (failures.length > 0) throw failures[0];
}

async function loadRejects(database: RowDatabase, { load }: LoadOrder): Promise<void> {
  let [lines, letters, number]: [RejectedLine[], number, number] = [[], 0, 0];
  const send = async (): Promise<void> => {
    if (lines.length > 0) await database.rejects.insertOne({ load, number, lines });
    [lines, letters, number] = [[], 0, number + 1];
  };
  for await (const line of readRejects(DRAFT_REJECTS)) {
    lines.push(line);
    letters += line.text.length + line.file.length + line.reason.length;
    if (lines.length >= LINES_TOGETHER || letters >= LETTERS_TOGETHER) await send();
  }
  await send();
}
