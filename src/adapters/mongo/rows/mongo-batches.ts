import { setTimeout as wait } from 'node:timers/promises';
import type { Clock } from '../../../ports/clock.js';
import type { Batch } from '../../../ports/row-engine.js';
import { AppError } from '../../../shared/app-error.js';
import type { RowDatabase } from './row-database.js';
import type { BatchDocument, TableDocument } from './row-documents.js';

const DAY_MS = 86_400_000;
const DUPLICATE_KEY = 11_000;
/** Somebody else stores rows under the same key: so long it is waited for, and asked so often. */
const WAIT_MS = 20_000;
const ASK_MS = 50;

/** Names of rows that were sent together, kept for a day. A name is worth something once the batch that it belongs to is complete. */
export class MongoBatches {
  constructor(
    private readonly database: RowDatabase,
    private readonly clock: Clock,
  ) {}

  /** The note of the rows that were stored under the key; null when there are none. */
  async noteOf(table: TableDocument, batch: Batch): Promise<string | null> {
    const known = await this.database.batches.findOne({ _id: batchId(table, batch) });
    return known === null || isForgotten(known, batch) ? null : this.outcomeOf(table, known);
  }

  /**
   * Takes the key for the batch of the number. Not null: rows were stored under it before, and that is their note. Whoever comes while
   * somebody else stores rows under it waits for the end of that.
   *
   * @throws AppError `unavailable` when the end does not come soon.
   */
  async claim(table: TableDocument, number: number, batch: Batch): Promise<string | null> {
    const wanted = this.documentOf(table, number, batch);
    for (;;) {
      if (await this.inserted(wanted)) return null;
      const known = await this.database.batches.findOne({ _id: wanted._id });
      if (known === null) continue;
      const note = isForgotten(known, batch) ? null : await this.outcomeOf(table, known);
      if (note !== null) return note;
      // Nothing came of it, or it was long ago.
      const { _id, ...mine } = wanted;
      const { matchedCount } = await this.database.batches.replaceOne({ _id, number: known.number }, mine);
      if (matchedCount === 1) return null;
    }
  }

  /** What became of the batch that the key was taken for: its note when it is complete, null when it never will be. */
  private async outcomeOf({ _id, load }: TableDocument, { number, note }: BatchDocument): Promise<string | null> {
    for (let waited = 0; waited < WAIT_MS; waited += ASK_MS) {
      const table = await this.database.tables.findOne({ _id, load }, { projection: { pending: 1 } });
      if (table === null) return null;
      const batch = table.pending.find((one) => one.number === number);
      if (batch === undefined) return note;
      if (batch.over) return null;
      await wait(ASK_MS);
    }
    throw new AppError('unavailable', 'rows with the same key are being stored: ask again', { retryAfter: 5 });
  }

  private async inserted(wanted: BatchDocument): Promise<boolean> {
    try {
      await this.database.batches.insertOne(wanted);
      return true;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === DUPLICATE_KEY) return false;
      throw error;
    }
  }

  private documentOf(table: TableDocument, number: number, batch: Batch): BatchDocument {
    return batchDocument(table.load, { number, batch, now: this.clock.now() });
  }
}

export function batchDocument(
  load: string,
  { number, batch, now }: { readonly number: number; readonly batch: Batch; readonly now: Date },
): BatchDocument {
  const { note, at } = batch;
  // Whoever sends rows has a clock of their own: it decides what is forgotten, and the server removes when both agree.
  const latest = Math.max(at.getTime(), now.getTime());
  return { _id: batchId({ load }, batch), load, number, note, at, until: new Date(latest + 2 * DAY_MS) };
}

function batchId({ load }: Pick<TableDocument, 'load'>, { key }: Batch): string {
  return `${load}:${key}`;
}

function isForgotten(known: BatchDocument, { at }: Batch): boolean {
  return known.at.getTime() <= at.getTime() - DAY_MS;
}
