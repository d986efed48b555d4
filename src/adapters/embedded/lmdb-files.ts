import { access, constants, mkdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as lmdb from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import type { PlainDocument } from '../documents/schema-rules.js';
import { survey, type Survey } from './lmdb-survey.js';
import { damagedStore, LmdbTable, TEXTS, values } from './lmdb-table.js';

export const BINARY = { encoding: 'binary', keyEncoding: 'binary' } as const;
export const DATA_FILE = 'data.mdb';
const FULL_BELOW_BYTES = 4 * 1024 * 1024;
/** A look at the whole file is not taken again before so many times as long as it took, and at least a second. */
const LOOKS_APART = 100;
/** Whoever asks how it is does not wait longer for a look that takes long. */
const LOOK_PATIENCE_MS = 1_000;

/**
 * The three LMDB databases in one folder. A write resolves when its commit has been flushed to the disk, so it survives a killed
 * process and, as far as the disk keeps its word, a power cut. Several processes may open the same folder: LMDB lets one of them
 * write at a time, and frees the lock of one that was killed.
 */
export class LmdbFiles {
  /** The documents by kind and id. */
  readonly documents: LmdbTable<PlainDocument>;
  /** The entries of the indexes; each has its document's id. */
  readonly entries: LmdbTable<string>;
  /** Which indexes are complete, by kind. */
  readonly notes: LmdbTable<readonly string[]>;
  readonly #root: RootDatabase<unknown, Buffer>;
  readonly #folder: string;
  #closed = false;
  #damage: AppError | null = null;
  #looking: Promise<void> | null = null;
  #lookAgain = 0;

  private constructor(folder: string) {
    this.#folder = folder;
    this.#root = lmdb.open<unknown, Buffer>({
      path: folder,
      maxDbs: 8,
      keyEncoding: 'binary',
      // A commit is flushed before it is seen, which is what an acknowledgement means here.
      overlappingSync: false,
      // With it a failed commit rejects a promise of LMDB's own that nobody can handle, and the process would end.
      eventTurnBatching: false,
    });
    const open = (name: string): Database<Buffer, Buffer> => this.#root.openDB(name, BINARY);
    const onDamage = (damage: AppError): void => void (this.#damage = damage);
    this.documents = new LmdbTable(open('documents'), values(), onDamage);
    this.entries = new LmdbTable(open('entries'), TEXTS, onDamage);
    this.notes = new LmdbTable(open('notes'), values(), onDamage);
  }

  /** @throws AppError `unavailable`, naming the folder and the reason. */
  static async open(folder: string): Promise<LmdbFiles> {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.R_OK | constants.W_OK);
      // LMDB ends the whole process when it is given damaged pages; so they are looked at first.
      const found = await survey(join(folder, DATA_FILE));
      if (found.damage !== null && !found.moved) throw damagedStore(found.damage);
      const files = new LmdbFiles(folder);
      // Others write, and know that it is sound.
      if (found.moved) await files.#look();
      if (found.unsealed > 0) await files.#sealAll();
      return files;
    } catch (error) {
      const problem = `The documents in ${folder} can't be opened: ${messageOf(error)}`;
      throw new AppError('unavailable', problem, { cause: error });
    }
  }

  /** Runs the work in a write transaction of its own: all of it is kept, or nothing when it throws. */
  async write<R>(work: () => R): Promise<R> {
    this.assertOpen();
    try {
      // Wrapped, for LMDB would wait for a result that looks like a promise.
      const { result } = await this.#root.childTransaction(() => ({ result: work() }));
      return result;
    } catch (error) {
      throw isAppError(error) ? error : await this.#storageError(error);
    }
  }

  /** @throws AppError `unavailable` */
  async check(): Promise<void> {
    this.assertOpen();
    try {
      await access(this.#folder, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw new AppError('unavailable', 'the document store is not available', { retryAfter: 5, cause: error });
    }
    if (performance.now() > this.#lookAgain) this.#looking ??= this.#look().finally(() => (this.#looking = null));
    await Promise.race([this.#looking, wait(LOOK_PATIENCE_MS, undefined, { ref: false })]);
    this.assertOpen();
  }

  /** Takes in the whole file; from the moment that it is found damaged on nothing is read or written any more. */
  async #look(): Promise<void> {
    const began = performance.now();
    // Nobody reuses the pages of a commit that is being read.
    const reading = this.#root.useReadTransaction();
    let found: Survey;
    try {
      found = await survey(join(this.#folder, DATA_FILE));
    } finally {
      reading.done();
    }
    if (found.damage !== null) this.#damage = damagedStore(found.damage);
    const ended = performance.now();
    this.#lookAgain = ended + Math.max(1_000, (ended - began) * LOOKS_APART);
  }

  /** The values of a version that wrote no checksums get theirs. */
  #sealAll(): Promise<void> {
    return this.write(() => {
      for (const table of [this.documents, this.entries, this.notes]) table.sealAll();
    });
  }

  /** A full disk shows as a write that was cut short, which LMDB calls an input/output error; so the room is looked at. */
  async #storageError(error: unknown): Promise<unknown> {
    const reason = await reasonOf(error);
    if (reason === error && !(isRecord(error) && typeof error['code'] === 'number')) return error;
    if (/no space|MDB_MAP_FULL|quota/i.test(messageOf(reason)) || (await freeBytes(this.#folder)) < FULL_BELOW_BYTES) {
      return new AppError('no_space', 'no room left on the storage', { cause: reason });
    }
    return new AppError('unavailable', 'the document store is not available', { retryAfter: 5, cause: reason });
  }

  assertOpen(): void {
    if (this.#closed) throw new AppError('unavailable', 'the document store is closed');
    if (this.#damage !== null) throw this.#damage;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#looking?.catch(() => undefined);
    await this.#root.close();
  }
}

/** LMDB names the reason of a failed commit in a promise of its own, which must not stay unhandled. */
async function reasonOf(error: unknown): Promise<unknown> {
  try {
    return await (error instanceof Error && 'commitError' in error ? error.commitError : error);
  } catch (reason) {
    return reason;
  }
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    // Without its folder the store is away, which is another failure than a full disk.
    return Number.POSITIVE_INFINITY;
  }
}
