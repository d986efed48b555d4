import type { Clock } from '../../../ports/clock.js';
import type { Appended, Batch, TypedRow } from '../../../ports/row-engine.js';
import type { TableRef } from '../../../ports/table.js';
import { AppError } from '../../../shared/app-error.js';
import { type CheckedRows, checkedRows } from './append-rows.js';
import { MongoBatches } from './mongo-batches.js';
import { notThere } from './mongo-tables.js';
import type { RowDatabase } from './row-database.js';
import { type TableDocument, tableId } from './row-documents.js';

/** How long the server may work on the rows of one batch. */
const INSERT_MS = 30_000;
/** A batch that is not complete after this time has lost its writer. */
const ABANDONED_MS = 5 * 60_000;
/** After this time the server has no more of a batch on its way. */
const QUIET_MS = 60 * 60_000;

const NO_ROWS: CheckedRows = { documents: [], wider: [], times: null };

/** How rows of a batch are told from others of their table. */
interface OpenBatch {
  readonly table: TableDocument;
  readonly number: number;
}

/**
 * Adds rows to collections that know no transactions. A batch takes a number, which readers pass over; stores its rows with it; and is complete
 * with one change of the table's document. A number that is never completed is passed over until its rows are gone.
 */
export class MongoAppends {
  private readonly batches: MongoBatches;

  constructor(
    private readonly database: RowDatabase,
    private readonly clock: Clock,
  ) {
    this.batches = new MongoBatches(database, clock);
  }

  async append(ref: TableRef, rows: readonly TypedRow[], batch?: Batch): Promise<Appended> {
    const known = await this.database.tables.findOne({ _id: tableId(ref) });
    if (known === null) throw notThere();
    await this.sweep(known);
    const checked = checkedRows(known, rows);
    if (rows.length === 0) return stored(batch === undefined ? null : await this.batches.noteOf(known, batch));
    const open = await this.take(known);
    const earlierNote = await this.completed(open, checked, batch);
    return stored(earlierNote);
  }

  /** Removes what writers have left that did not come to their end. */
  async sweep(table: TableDocument): Promise<void> {
    const now = this.clock.now().getTime();
    for (const { number, at, over } of table.pending) {
      const age = now - at.getTime();
      if (!over && age > ABANDONED_MS) await this.giveUp({ table, number });
      else if (over && age > QUIET_MS) await this.forget({ table, number });
    }
  }

  /** Takes the next number of the table as it is now; its rows are not seen until `complete`. */
  private async take({ _id, load }: TableDocument): Promise<OpenBatch> {
    const now = this.clock.now();
    const table = await this.database.tables.findOneAndUpdate(
      { _id, load },
      [
        {
          $set: {
            next: { $add: ['$next', 1] },
            pending: { $concatArrays: ['$pending', [{ number: '$next', at: now, over: false }]] },
          },
        },
      ],
      { returnDocument: 'after' },
    );
    if (table === null) throw notThere();
    return { table, number: table.next - 1 };
  }

  /** Null: the rows are stored. Otherwise the note of those that were stored before under the key. */
  private async completed(open: OpenBatch, rows: CheckedRows, batch: Batch | undefined): Promise<string | null> {
    let earlier: string | null = null;
    let isComplete: boolean;
    try {
      earlier = batch === undefined ? null : await this.batches.claim(open.table, open.number, batch);
      if (earlier === null) await this.insert(open, rows);
      isComplete = await this.complete(open, earlier === null ? rows : NO_ROWS);
    } catch (error) {
      // Nobody knows whether the last change came to pass, but the table does.
      if (await this.giveUp(open)) throw error;
      return earlier;
    }
    if (!isComplete) await this.lose(open);
    return earlier;
  }

  private async insert({ table, number }: OpenBatch, { documents }: CheckedRows): Promise<void> {
    await this.database.rows(table.collection).insertMany(
      documents.map((row) => ({ ...row, b: number })),
      { ordered: false, forceServerObjectId: true, maxTimeMS: INSERT_MS },
    );
  }

  /** False: it took so long that somebody else has given the batch up, or the table is gone. */
  private async complete({ table, number }: OpenBatch, { documents, wider, times }: CheckedRows): Promise<boolean> {
    const types = Object.fromEntries(wider.map((place) => [`columns.${place}.type`, 'number']));
    const { matchedCount } = await this.database.tables.updateOne(
      { _id: table._id, load: table.load, pending: { $elemMatch: { number, over: false } } },
      {
        $pull: { pending: { number } },
        $inc: { rows: documents.length },
        ...(wider.length === 0 ? {} : { $set: types }),
        // Where it was not known before, it is not known now.
        ...(times === null || (table.times ?? null) === null
          ? {}
          : { $min: { 'times.first': times.first }, $max: { 'times.last': times.last } }),
      },
    );
    return matchedCount === 1;
  }

  /** The batch was given up by somebody else meanwhile, or its table is gone. */
  private async lose({ table: { _id, load } }: OpenBatch): Promise<never> {
    if ((await this.database.tables.findOne({ _id, load })) === null) throw notThere();
    throw new AppError('unavailable', 'the rows took too long to be stored', { retryAfter: 1 });
  }

  /**
   * Makes sure that the batch will never be seen. Its rows stay for now: the server may be busy with them. False: it is complete.
   *
   * @throws AppError `unavailable` when the server is away: then a later writer does it.
   */
  private async giveUp({ table, number }: OpenBatch): Promise<boolean> {
    const { _id, load } = table;
    const { matchedCount } = await this.database.tables.updateOne(
      { _id, load, pending: { $elemMatch: { number } } },
      { $set: { 'pending.$.over': true } },
    );
    if (matchedCount === 0) return (await this.database.tables.findOne({ _id, load })) === null;
    await this.database.batches.deleteMany({ load, number });
    return true;
  }

  /** Removes the rows of a batch that was given up long ago, and then its number, which nobody has to pass over any more. */
  private async forget({ table, number }: OpenBatch): Promise<void> {
    const { _id, load, collection } = table;
    await this.database.batches.deleteMany({ load, number });
    await this.database.rows(collection).deleteMany({ b: number });
    await this.database.tables.updateOne({ _id, load }, { $pull: { pending: { number } } });
  }
}

function stored(earlierNote: string | null): Appended {
  // There is nothing to be merged: all rows of a table are in one collection.
  return { earlierNote, wantsCompaction: false };
}
