import { hash } from 'node:crypto';
import { mongo } from 'mongoose';
import { Checksum } from '../../../shared/checksum.js';
import type { DraftCell, DraftRows } from '../../../rows/draft-rows.js';
import type { StoredRows } from '../../../rows/stored-rows.js';
import type { ColumnType } from '../../../ports/table.js';
import type { MongoColumn, MongoTable } from './mongo-table.js';

/** Adds rows as they stand in files; with a moment, those that are no older. */
export function addDrafted(
  sum: Checksum,
  columns: readonly MongoColumn[],
  chunk: DraftRows,
  since: Date | null = null,
): void {
  const count = chunk[0]?.length ?? 0;
  const isCounted = youngerThan(since, columns, chunk);
  for (let row = 0; row < count; row++)
    if (isCounted(row))
      sum.add(digestOf(columns.map(({ type }, place) => draftedText(type, chunk[place]?.[row] ?? null))));
}

function youngerThan(since: Date | null, columns: readonly MongoColumn[], chunk: DraftRows): (row: number) => boolean {
  if (since === null) return () => true;
  const times = chunk[columns.findIndex(({ field }) => field === 't')] ?? [];
  return (row) => Number(times[row]) >= since.getTime();
}

/** Reads the rows in files that are no older than a moment once more, and adds them up. */
export async function sumOfFiles(rows: StoredRows, columns: readonly MongoColumn[], since: Date): Promise<Checksum> {
  const sum = new Checksum();
  for (const part of rows.parts) for await (const chunk of rows.rowsOf(part)) addDrafted(sum, columns, chunk, since);
  return sum;
}

/** Reads all rows that can be seen again and adds them up as they are stored. */
export async function sumOfStored({
  collection,
  columns,
  visible,
}: Pick<MongoTable, 'collection' | 'columns' | 'visible'>): Promise<Checksum> {
  const sum = new Checksum();
  const fields = Object.fromEntries(columns.map(({ field }) => [field, 1]));
  const rows = collection.aggregate<Uint8Array>([...visible, { $project: { _id: 0, ...fields } }], {
    ...{ raw: true, batchSize: 10_000, readConcern: { level: 'majority' } },
  });
  for await (const bytes of rows) {
    const row = mongo.BSON.deserialize(bytes, { promoteLongs: false });
    sum.add(digestOf(columns.map(({ field }) => storedText(row[field] as Parameters<typeof storedText>[0]))));
  }
  return sum;
}

function digestOf(texts: readonly (string | null)[]): string {
  return hash('sha256', JSON.stringify(texts));
}

/** Of what is the same, the same text on both sides. */
function draftedText(type: ColumnType, cell: DraftCell): string | null {
  if (cell === null) return null;
  return type === 'number' ? String(Number(cell)) : String(cell);
}

function storedText(value: Date | mongo.Long | Exclude<DraftCell, bigint> | undefined): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return String(value.getTime());
  return value instanceof mongo.Long ? value.toString() : String(value);
}
