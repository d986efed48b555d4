import { mongo } from 'mongoose';
import { AppError } from '../../../shared/app-error.js';
import type { MongoTable, Stage } from './mongo-table.js';
import { rowsError } from './row-errors.js';

/** A document as the server gave it. */
export type Found = Readonly<Record<string, unknown>>;

/** So long the server may take to notice that its time is over. */
const MERCY_MS = 2000;

/**
 * Does work on the rows that can be seen, as long as nobody inserts on those that there are, and anew when somebody did. The work must bring about
 * nothing but what it returns.
 */
export async function readTable<T>(
  table: MongoTable,
  timeoutMs: number,
  work: (reads: TableReads) => Promise<T>,
): Promise<T> {
  const until = performance.now() + timeoutMs;
  const { quiet } = table;
  if (quiet !== null) {
    const found = await work(new TableReads({ ...table, visible: quiet.visible }, until));
    if (await quiet.isStill()) return found;
  }
  return work(new TableReads(table, until));
}

/**
 * Reads one table, in one or several pipelines that together have a time to do it in. Nothing is written to the server's disk, and
 * what the server does for a pipeline ends with its time, or when its answer is no longer wanted.
 */
export class TableReads {
  /** @param until when its time is over, on the clock of `performance.now()` */
  constructor(
    readonly table: MongoTable,
    private readonly until: number,
  ) {}

  /**
   * Milliseconds that it still has.
   *
   * @throws AppError `timed_out` when there are none.
   */
  left(): number {
    const left = Math.ceil(this.until - performance.now());
    if (left <= 0) throw tookTooLong(null);
    return left;
  }

  /** All that the stages give for the rows that can be seen; they keep it small. */
  async all(stages: readonly Stage[]): Promise<readonly Found[]> {
    const found: Found[] = [];
    await this.each(stages, (bytes) => {
      found.push(mongo.BSON.deserialize(bytes));
      return true;
    });
    return found;
  }

  /** The only document that the stages give. */
  async one(stages: readonly Stage[]): Promise<Found> {
    const [found = {}] = await this.all(stages);
    return found;
  }

  /**
   * Document by document, as bytes, until `take` wants no more.
   *
   * @throws AppError `timed_out`, `unavailable`; what else the server says of the pipeline as it is.
   */
  async each(stages: readonly Stage[], take: (document: Uint8Array) => boolean): Promise<void> {
    const left = this.left();
    const late = AbortSignal.timeout(left + MERCY_MS);
    const cursor = this.table.collection.aggregate<Uint8Array>([...this.table.visible, ...stages], {
      ...{ maxTimeMS: left, allowDiskUse: false, readConcern: { level: 'majority' }, raw: true, signal: late },
    });
    try {
      for await (const document of cursor) if (!take(document)) break;
    } catch (error) {
      throw late.aborted ? tookTooLong(error) : rowsError(error);
    } finally {
      // One that is at its end is closed already.
      await cursor.close().catch(() => undefined);
    }
  }
}

function tookTooLong(cause: unknown): AppError {
  return new AppError('timed_out', 'the query took too long', { cause });
}
