import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, link, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { type Metrics, NO_METRICS } from '../ports/metrics.js';
import type { ObjectKey, ObjectStore } from '../ports/object-store.js';
import { AppError, isAppError } from '../shared/app-error.js';
import { asId, type CompanyId } from '../shared/ids.js';
import { isRecord } from '../shared/json.js';
import { untilAborted } from '../shared/until-aborted.js';
import { MINUTE_MS } from '../shared/durations.js';

/** A file of rows as a table's record names it. */
export interface RowFile {
  readonly name: string;
  readonly size: number;
  /** CRC-32; null: it was made where the storage lies on the machine's disk. */
  readonly sum: number | null;
  readonly rows: number;
}

export interface RowObjectsOptions {
  /** Of the copies on this machine. */
  readonly folder: string;
  /** What the copies may take together. */
  readonly mostBytes: number;
  /** How long a copy stays after it was asked for, and an object after `removeLater`. */
  readonly keepMs?: number;
  /** How long a download may stand still. */
  readonly patienceMs?: number;
  readonly metrics?: Metrics;
}

/** Whether a record names the file. */
export type IsNamed = (companyId: CompanyId, name: string) => Promise<boolean>;

interface Copy {
  readonly size: number;
  usedAt: number;
  /** When its file was last told so, for the order after a restart. */
  notedAt: number;
}

const PATIENCE_MS = 30_000;
const AT_ONCE = 1024 ** 2;
/** Ends the name of a copy that is not whole yet. */
const PART = '.part';
const COPY_FORM = /^([0-9a-f]{24})-(.+)$/;

/**
 * Finished files of rows in the object store. Where it lies on this machine's disk they are opened in their place; else each is copied to
 * a folder when it is first asked for, and the least recently used copies go when they are too many.
 */
export class RowObjects {
  /** Called with the paths of copies before they are removed, so that whoever has them open lets go. */
  onEvict: ((paths: readonly string[]) => void) | null = null;

  readonly #keepMs: number;
  readonly #metrics: Metrics;
  /** By the name of their file, as everything below. */
  readonly #copies = new Map<string, Copy>();
  readonly #downloads = new Map<string, Promise<void>>();
  readonly #removals = new Map<string, Promise<void>>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(
    private readonly objects: ObjectStore,
    private readonly options: RowObjectsOptions,
  ) {
    this.#keepMs = options.keepMs ?? MINUTE_MS;
    this.#metrics = options.metrics ?? NO_METRICS;
    this.#metrics.watch('row_cache_bytes', () => [{ labels: {}, value: this.#bytes() }]);
  }

  /** Makes the folder and removes unfinished copies. */
  async open(): Promise<void> {
    await mkdir(this.options.folder, { recursive: true, mode: 0o700 });
    for (const id of await readdir(this.options.folder)) {
      if (id.endsWith(PART)) await rm(this.#at(id), { force: true });
      else if (COPY_FORM.test(id)) await this.#know(id);
    }
  }

  /** Forgets what `removeLater` has not removed yet: a sweep will. */
  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Removes copies that no record names. */
  async keepOnly(isNamed: IsNamed): Promise<void> {
    for (const id of [...this.#copies.keys()]) {
      const [, companyId = '', name = ''] = COPY_FORM.exec(id) ?? [];
      if (!(await isNamed(asId<CompanyId>(companyId), name))) await this.#evict([id]);
    }
  }

  /**
   * Stores a finished file of this machine under a new name that begins with `prefix`; it is gone from its path then.
   *
   * @throws AppError `no_space`, `unavailable`.
   */
  async put(companyId: CompanyId, prefix: string, path: string, rows: number): Promise<RowFile> {
    const key = keyOf(companyId, `${prefix}${randomUUID()}`);
    if (this.objects.placeOf(key) === null) return this.#send(key, path, rows);
    const { size } = await stat(path);
    await this.objects.adopt(key, path);
    return { name: key.name, size, sum: null, rows };
  }

  /**
   * The file's path on this machine. A copy stays there for `keepMs` after the last call, however many there are.
   *
   * @throws AppError `not_found`; `unavailable` when the storage is away, the file is damaged, or there is no room for a copy.
   */
  async path(companyId: CompanyId, file: RowFile): Promise<string> {
    const key = keyOf(companyId, file.name);
    const place = this.objects.placeOf(key);
    if (place !== null) return place;
    const id = idOf(key);
    if (await this.#isHere(id, file)) this.#metrics.count('row_cache_hits_total', {});
    else await this.#downloaded(id, key, file);
    await this.#evict(this.#tooMany());
    return this.#at(id);
  }

  /** Removes the copy on this machine alone, and tells whether there was one: of one that is damaged the next `path` makes another. */
  async forget(companyId: CompanyId, name: string): Promise<boolean> {
    const id = idOf(keyOf(companyId, name));
    if (!this.#copies.has(id)) return false;
    await this.#evict([id]);
    return true;
  }

  /** Removes the object and its copy here; copies of other instances go when nobody asks for them. */
  async remove(companyId: CompanyId, name: string): Promise<void> {
    const key = keyOf(companyId, name);
    await this.objects.remove(key);
    await this.forget(companyId, name);
    // Nobody waits for a download of what is removed.
    void this.#downloads.get(idOf(key))?.then(
      () => this.forget(companyId, name),
      () => undefined,
    );
  }

  /** Removes it after `keepMs`, since somebody may have been told of it just now. */
  removeLater(companyId: CompanyId, name: string): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      // What can't be removed now is swept.
      this.remove(companyId, name).catch(() => undefined);
    }, this.#keepMs);
    timer.unref();
    this.#timers.add(timer);
  }

  /** Removes objects that no record names and that are older, and says how many. */
  async sweep(isNamed: IsNamed, olderThan: Date): Promise<number> {
    let removed = 0;
    for await (const { key, modifiedAt } of this.objects.list('rows')) {
      if (modifiedAt >= olderThan || (await isNamed(key.companyId, key.name))) continue;
      await this.remove(key.companyId, key.name);
      removed += 1;
    }
    return removed;
  }

  /** The file becomes this machine's copy too, as it is likely to be asked for here next. */
  async #send(key: ObjectKey, path: string, rows: number): Promise<RowFile> {
    const { size, sum } = await sumOf(path);
    const part = this.#at(`${idOf(key)}${PART}`);
    await chmod(path, 0o600);
    const isLinked = await link(path, part).then(
      () => true,
      () => false,
    );
    try {
      await this.objects.adopt(key, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    if (isLinked) await this.#keep(idOf(key), size);
    return { name: key.name, size, sum, rows };
  }

  async #isHere(id: string, { size }: RowFile): Promise<boolean> {
    const copy = this.#copies.get(id);
    if (copy?.size !== size) return false;
    const now = Date.now();
    copy.usedAt = now;
    if (now - copy.notedAt < MINUTE_MS) return true;
    copy.notedAt = now;
    // It fails where somebody has emptied the folder.
    return utimes(this.#at(id), new Date(now), new Date(now)).then(
      () => true,
      () => false,
    );
  }

  /** One download for all who ask meanwhile. */
  #downloaded(id: string, key: ObjectKey, file: RowFile): Promise<void> {
    const running = this.#downloads.get(id);
    if (running !== undefined) return running;
    const download = this.#download(id, key, file).finally(() => this.#downloads.delete(id));
    this.#downloads.set(id, download);
    return download;
  }

  async #download(id: string, key: ObjectKey, file: RowFile): Promise<void> {
    // A copy that has another size, or is not there, is none.
    if (this.#copies.has(id)) await this.#evict([id]);
    await this.#removals.get(id);
    const part = this.#at(`${id}${PART}`);
    try {
      await this.#fetchWithRoom(key, file, part);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw error;
    }
    await this.#keep(id, file.size);
    this.#metrics.count('row_cache_downloads_total', {});
    this.#metrics.count('row_cache_downloaded_bytes_total', {}, file.size);
  }

  async #fetchWithRoom(key: ObjectKey, file: RowFile, part: string): Promise<void> {
    try {
      await this.#fetch(key, file, part);
    } catch (error) {
      if (!isFull(error)) throw error;
      const idle = this.#idle().map(([id]) => id);
      if (idle.length === 0) throw this.#noRoom(error);
      await this.#evict(idle);
      await this.#fetch(key, file, part).catch((again: unknown) => {
        throw isFull(again) ? this.#noRoom(again) : again;
      });
    }
  }

  async #fetch(key: ObjectKey, file: RowFile, part: string): Promise<void> {
    const silence = new AbortController();
    const timer = setTimeout(() => {
      silence.abort();
    }, this.options.patienceMs ?? PATIENCE_MS);
    const found = { size: 0, sum: 0 };
    const looked = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      for await (const chunk of chunks) {
        timer.refresh();
        found.size += chunk.length;
        found.sum = crc32(chunk, found.sum);
        // What is too long could fill the disk.
        if (found.size > file.size) throw damaged(key, found);
        yield chunk;
      }
    };
    try {
      const opening = this.objects.read(key);
      const source = await untilAborted(opening, silence.signal).catch((error: unknown) => {
        // A stream that comes after the signal is closed.
        opening.then(
          (late) => late.destroy(),
          () => undefined,
        );
        throw error;
      });
      const sink = createWriteStream(part, { mode: 0o600, highWaterMark: AT_ONCE });
      const closed = new Promise<void>((resolve) => {
        sink.once('close', resolve);
      });
      try {
        await pipeline(source, looked, sink, { signal: silence.signal });
      } finally {
        // A file that is still being opened when its source fails must not be removed too early.
        await closed;
      }
    } catch (error) {
      throw isAppError(error) || isFull(error) ? error : away(error);
    } finally {
      clearTimeout(timer);
    }
    if (found.size !== file.size || (file.sum !== null && found.sum !== file.sum)) throw damaged(key, found);
  }

  /** What is whole by now takes its place. */
  async #keep(id: string, size: number): Promise<void> {
    await rename(this.#at(`${id}${PART}`), this.#at(id));
    const now = Date.now();
    this.#copies.set(id, { size, usedAt: now, notedAt: now });
  }

  async #know(id: string): Promise<void> {
    const { size, mtimeMs } = await stat(this.#at(id));
    const usedAt = Math.min(mtimeMs, Date.now());
    this.#copies.set(id, { size, usedAt, notedAt: usedAt });
  }

  async #evict(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    this.onEvict?.(ids.map((id) => this.#at(id)));
    const removals = ids.map((id) => {
      this.#copies.delete(id);
      const removal = rm(this.#at(id), { force: true })
        // What can't be removed now is known again after the next start.
        .catch(() => undefined)
        .finally(() => this.#removals.delete(id));
      this.#removals.set(id, removal);
      return removal;
    });
    await Promise.all(removals);
  }

  #tooMany(): readonly string[] {
    let excess = this.#bytes() - this.options.mostBytes;
    if (excess <= 0) return [];
    const gone: string[] = [];
    for (const [id, { size }] of this.#idle()) {
      if (excess <= 0) break;
      excess -= size;
      gone.push(id);
    }
    return gone;
  }

  /** Nobody has asked for them for a while; the least recently used first. */
  #idle(): readonly (readonly [string, Copy])[] {
    const before = Date.now() - this.#keepMs;
    return [...this.#copies].filter(([, { usedAt }]) => usedAt < before).sort(([, a], [, b]) => a.usedAt - b.usedAt);
  }

  #bytes(): number {
    return [...this.#copies.values()].reduce((sum, { size }) => sum + size, 0);
  }

  #at(id: string): string {
    return join(this.options.folder, id);
  }

  #noRoom(cause: unknown): AppError {
    const wayOut = 'make room on its disk, or lower ROW_CACHE_GIB (docs/operations.md)';
    return new AppError('unavailable', `there is no room in the row cache of this instance: ${wayOut}`, {
      retryAfter: Math.ceil(this.#keepMs / 1000),
      cause,
    });
  }
}

function keyOf(companyId: CompanyId, name: string): ObjectKey {
  return { companyId, area: 'rows', name };
}

/** The name of a copy's file. */
function idOf({ companyId, name }: ObjectKey): string {
  return `${companyId}-${name}`;
}

async function sumOf(path: string): Promise<{ readonly size: number; readonly sum: number }> {
  let [size, sum] = [0, 0];
  for await (const chunk of createReadStream(path, { highWaterMark: AT_ONCE }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    sum = crc32(chunk, sum);
  }
  return { size, sum };
}

/** The codes of a file system that is full; a message of the object store has none. */
function isFull(error: unknown): boolean {
  return isRecord(error) && ['ENOSPC', 'EDQUOT'].includes(String(error['code']));
}

function away(cause: unknown): AppError {
  return new AppError('unavailable', 'the file storage is not available', { retryAfter: 5, cause });
}

function damaged({ companyId, name }: ObjectKey, { size, sum }: { size: number; sum: number }): AppError {
  const wayBack = 'restore the storage from a backup, or import the file again (docs/operations.md)';
  return new AppError('unavailable', `the rows of this datasource are damaged in the file storage: ${wayBack}`, {
    cause: new Error(`rows/${companyId}/${name} has ${size} bytes and the checksum ${sum}`),
  });
}
