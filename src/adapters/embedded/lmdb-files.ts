import { access, constants, mkdir, open, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as lmdb from 'lmdb';
import type { Database, RootDatabase } from 'lmdb';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import type { PlainDocument } from '../documents/schema-rules.js';

/** Plain MessagePack maps: shared structures would tie what one process writes to what another has seen. */
const VALUES = { encoding: 'msgpack', keyEncoding: 'binary', useRecords: false, mapsAsObjects: true } as const;
const FULL_BELOW_BYTES = 4 * 1024 * 1024;
/** Where the first page of a data file says what it is. */
const MAGIC_AT = 24;
const MAGIC = 0xbeefc0de;
const TEXTS = { encoding: 'string', keyEncoding: 'binary' } as const;

/**
 * The three LMDB databases in one folder. A write resolves when its commit has been flushed to the disk, so it survives a killed
 * process and, as far as the disk keeps its word, a power cut. Several processes may open the same folder: LMDB lets one of them
 * write at a time, and frees the lock of one that was killed.
 */
export class LmdbFiles {
  /** The documents by kind and id. */
  readonly documents: Database<PlainDocument, Buffer>;
  /** The entries of the indexes; each has its document's id. */
  readonly entries: Database<string, Buffer>;
  /** Which indexes are complete, by kind. */
  readonly notes: Database<readonly string[], Buffer>;
  readonly #root: RootDatabase<unknown, Buffer>;
  readonly #folder: string;
  #closed = false;

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
    this.documents = this.#root.openDB<PlainDocument, Buffer>('documents', VALUES);
    this.entries = this.#root.openDB<string, Buffer>('entries', TEXTS);
    this.notes = this.#root.openDB<readonly string[], Buffer>('notes', VALUES);
  }

  /** @throws AppError `unavailable`, naming the folder and the reason. */
  static async open(folder: string): Promise<LmdbFiles> {
    try {
      await mkdir(folder, { recursive: true });
      await access(folder, constants.R_OK | constants.W_OK);
      await assertOurs(join(folder, 'data.mdb'));
      return new LmdbFiles(folder);
    } catch (error) {
      throw new AppError('unavailable', `The documents in ${folder} can't be opened: ${messageOf(error)}`, {
        cause: error,
      });
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
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#root.close();
  }
}

/** LMDB ends the whole process when it is given a file that is not its own; so it is looked at first. */
export async function assertOurs(path: string): Promise<void> {
  let head: Buffer;
  try {
    await using file = await open(path, 'r');
    head = (await file.read(Buffer.alloc(MAGIC_AT + 4), 0, MAGIC_AT + 4, 0)).buffer;
    if ((await file.stat()).size === 0) return;
  } catch (error) {
    if (isRecord(error) && error['code'] === 'ENOENT') return;
    throw error;
  }
  if (head.readUInt32LE(MAGIC_AT) !== MAGIC) throw new Error('data.mdb is no file of an LMDB database');
}

/** LMDB names the reason of a failed commit in a promise of its own, which must not stay unhandled. */
function reasonOf(error: unknown): Promise<unknown> {
  return settled(error instanceof Error && 'commitError' in error ? error.commitError : error);
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

async function settled(promise: unknown): Promise<unknown> {
  try {
    return await promise;
  } catch (reason) {
    return reason;
  }
}
