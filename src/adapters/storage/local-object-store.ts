import { once } from 'node:events';
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import {
  access,
  constants,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import {
  ObjectStore,
  type LocalFile,
  type ObjectArea,
  type ObjectKey,
  type StorageState,
  type StoredObject,
} from '../../ports/object-store.js';
import { AppError, messageOf } from '../../shared/app-error.js';
import { asId, isId, type CompanyId } from '../../shared/ids.js';
import { Metered, type MeterLimits } from './metered.js';
import { alreadyThere, away, codeOf, isPossible, notAllowed, notThere, storageError } from './storage-error.js';

/** No company is called so. What is being written lies here, on the same file system as its final place. */
const PARTS = 'parts';

const PRIVATE = 0o600;
const READ_AT_ONCE = 1024 ** 2;

/** Files in a folder of this machine: `<folder>/<company>/<area>/<name>`. A file is there whole and flushed to the disk, or not at all; its checksum lies beside it, unless it was adopted. */
export class LocalObjectStore extends ObjectStore {
  #parts = 0;

  /** Uploads leave `reserveBytes` of the disk free for everything else. */
  constructor(
    private readonly folder: string,
    private readonly reserveBytes = 0,
  ) {
    super();
  }

  /**
   * Makes the folder and removes what interrupted writes left in it.
   *
   * @throws AppError `unavailable`, naming the folder and the reason.
   */
  async open(): Promise<void> {
    const parts = join(this.folder, PARTS);
    try {
      await mkdir(parts, { recursive: true });
      await access(this.folder, constants.R_OK | constants.W_OK);
      const abandoned = (await readdir(parts)).filter((name) => !isAnothersPart(name));
      await Promise.all(abandoned.map((name) => rm(join(parts, name), { force: true })));
    } catch (error) {
      const problem = `The files in ${this.folder} can't be opened: ${messageOf(error)}`;
      throw new AppError('unavailable', problem, { cause: error });
    }
  }

  override async write(key: ObjectKey, source: Readable, maxBytes: number): Promise<number> {
    const part = join(this.folder, PARTS, `${process.pid}-${(this.#parts += 1)}`);
    // A sender may go away before anything is read; without a listener that would end the process.
    source.on('error', () => undefined);
    try {
      const path = await this.#freePlace(key);
      // What comes from people stops before the disk is full; what the service makes itself may use the rest.
      const hasRoom = async (): Promise<boolean> => key.area !== 'uploads' || (await this.check()).freeBytes > 0;
      const { size, sum } = await writePart(part, source, { maxBytes, hasRoom });
      await publish(part, path);
      await finish(path, sum);
      return size;
    } catch (error) {
      // Nobody will read the rest: whoever sends it is told.
      source.destroy();
      // What can't be removed now is removed at the next start.
      await rm(part, { force: true }).catch(() => undefined);
      throw storageError(error);
    }
  }

  override async adopt(key: ObjectKey, path: string): Promise<void> {
    const place = await this.#freePlace(key);
    try {
      await flush(path, PRIVATE);
      await publish(path, place);
      await finish(place, null);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw storageError(error);
      // What lies on another file system can't be linked.
      await this.write(key, createReadStream(path), Number.MAX_SAFE_INTEGER);
      await removeSum(place);
      await rm(path);
    }
  }

  override placeOf(key: ObjectKey): string | null {
    return isPossible(key) ? join(this.folder, key.companyId, key.area, key.name) : null;
  }

  override async read(key: ObjectKey): Promise<Readable> {
    const handle = await this.#existing(key, async (path) => {
      await assertSound(path);
      return open(path, 'r');
    });
    return handle.createReadStream();
  }

  override async stat(key: ObjectKey): Promise<StoredObject | null> {
    const path = this.placeOf(key);
    const found = path === null ? null : await fileAt(path);
    return found === null ? null : { key, size: found.size, modifiedAt: found.mtime };
  }

  override async localFile(key: ObjectKey, reads: 'all' | 'a part' = 'all'): Promise<LocalFile> {
    const path = await this.#existing(key, async (at) => {
      if ((await fileAt(at)) === null) return null;
      if (reads === 'all') await assertSound(at);
      return at;
    });
    // The object is a local file itself: there is no copy to dispose of.
    return { path, [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  override async remove(key: ObjectKey): Promise<boolean> {
    const path = this.placeOf(key);
    if (path === null) return false;
    try {
      // First: a sum that is left would be compared with whatever is written there next.
      await removeSum(path);
      await unlink(path);
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw storageError(error);
    }
  }

  override async *list(area: ObjectArea): AsyncGenerator<StoredObject> {
    for (const company of await readdir(this.folder)) {
      if (!isId(company)) continue;
      for await (const name of namesIn(join(this.folder, company, area))) {
        const found = await this.stat({ companyId: asId<CompanyId>(company), area, name });
        if (found !== null) yield found;
      }
    }
  }

  override async check(): Promise<StorageState> {
    try {
      await access(join(this.folder, PARTS), constants.R_OK | constants.W_OK);
      const { bavail, bsize } = await statfs(this.folder);
      return { freeBytes: bavail * bsize - this.reserveBytes };
    } catch (error) {
      throw away(error);
    }
  }

  async #freePlace(key: ObjectKey): Promise<string> {
    const place = this.placeOf(key);
    if (place === null) throw notAllowed();
    if ((await fileAt(place)) !== null) throw alreadyThere();
    return place;
  }

  async #existing<R>(key: ObjectKey, use: (path: string) => Promise<R | null>): Promise<R> {
    const path = this.placeOf(key);
    try {
      const found = path === null ? null : await use(path);
      if (found !== null) return found;
    } catch (error) {
      if (!isMissing(error)) throw storageError(error);
    }
    throw notThere();
  }
}

/** Of a process that lives and isn't this one: an administration command must not take the service's files away. */
function isAnothersPart(name: string): boolean {
  const pid = Number(name.split('-')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // There is no such process, or it is not one of ours.
    return false;
  }
}

async function writePart(part: string, source: Readable, limits: MeterLimits): Promise<Metered> {
  const metered = new Metered(source, limits);
  // `flush`: the bytes are on the disk before the file is closed.
  const sink = createWriteStream(part, { flags: 'wx', mode: PRIVATE, flush: true });
  try {
    await pipeline(metered.stream, sink);
    return metered;
  } finally {
    // A file that is still being opened when its source fails is there only after that: it must not be removed too early.
    if (!sink.closed) await once(sink, 'close');
  }
}

/** Puts the part in its place, unless something is there already. */
async function publish(part: string, path: string): Promise<void> {
  const folder = join(path, '..');
  await mkdir(folder, { recursive: true });
  try {
    // Unlike a rename, a link never replaces a file.
    await link(part, path);
    await unlink(part);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw alreadyThere();
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '')) throw error;
    // A file system without hard links.
    await rename(part, path);
  }
}

/** What lies there is on the disk then. Of a folder it is the names: without it a power cut can lose that of a file whose bytes are safe. */
async function flush(path: string, mode: number | null = null): Promise<void> {
  await using handle = await open(path, 'r');
  if (mode !== null) await handle.chmod(mode);
  await handle.sync();
}

/** After the file is there, as only one of several writers has put it there. What can't be finished is not kept. */
async function finish(path: string, sum: number | null): Promise<void> {
  try {
    if (sum !== null) await writeFile(sumPath(path), String(sum), { mode: PRIVATE, flush: true });
    await flush(join(path, '..'));
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    await removeSum(path).catch(() => undefined);
    throw error;
  }
}

async function fileAt(path: string): Promise<Stats | null> {
  try {
    const found = await stat(path);
    return found.isFile() ? found : null;
  } catch (error) {
    if (isMissing(error)) return null;
    throw storageError(error);
  }
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  try {
    for await (const { name } of await opendir(folder)) yield name;
  } catch (error) {
    // A company without files in this area.
    if (!isMissing(error)) throw storageError(error);
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

/** The CRC-32 of a file's bytes is kept beside it, under a name that no object can have. */
function sumPath(path: string): string {
  return `${path}~crc32`;
}

function removeSum(path: string): Promise<void> {
  return rm(sumPath(path), { force: true });
}

/**
 * Reads the file to its end. One without a sum was written by an earlier version, and nothing is compared.
 *
 * @throws AppError `unavailable`, saying that it is damaged.
 */
async function assertSound(path: string): Promise<void> {
  const noted = await readFile(sumPath(path), 'latin1').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (noted === null) return;
  let sum = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: READ_AT_ONCE })) sum = crc32(chunk as Buffer, sum);
  if (String(sum) === noted) return;
  const wayBack = 'restore the data folder from a backup, or upload it again (docs/operations.md)';
  throw new AppError('unavailable', `this file is damaged: ${wayBack}`, { cause: `${path} has the checksum ${sum}` });
}
