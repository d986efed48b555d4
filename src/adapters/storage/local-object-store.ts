import { once } from 'node:events';
import { createWriteStream, type Stats } from 'node:fs';
import {
  access,
  constants,
  copyFile,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  rename,
  rm,
  stat,
  statfs,
  unlink,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
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
import { assertSound, noteSum, removeSum } from './file-sum.js';
import { Metered, type MeterLimits } from './metered.js';
import { isPossible } from './object-path.js';
import { codeOf, storageError } from './storage-error.js';

/** No company is called so. What is being written lies here, on the same file system as its final place. */
const PARTS = 'parts';

/** As people know it. */
const FILE = 'this file';

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
      throw new AppError('unavailable', `The files in ${this.folder} can't be opened: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }

  override async write(key: ObjectKey, source: Readable, maxBytes: number): Promise<number> {
    const part = this.#nextPart();
    // A sender may go away before anything is read; without a listener that would end the process.
    source.on('error', () => undefined);
    try {
      const path = this.placeOf(key);
      if (path === null) throw notAllowed();
      if ((await fileAt(path)) !== null) throw alreadyThere();
      const isUpload = key.area === 'uploads';
      const { size, sum } = await writePart(part, source, { maxBytes, hasRoom: () => this.#hasRoom(isUpload) });
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
    try {
      const place = this.placeOf(key);
      if (place === null) throw notAllowed();
      if ((await fileAt(place)) !== null) throw alreadyThere();
      await flushFile(path);
      await this.#adoptAt(place, path);
      await finish(place, null);
    } catch (error) {
      throw storageError(error);
    }
  }

  override placeOf(key: ObjectKey): string | null {
    return isPossible(key) ? join(this.folder, key.companyId, key.area, key.name) : null;
  }

  override async read(key: ObjectKey): Promise<Readable> {
    const handle = await this.#existing(key, async (path) => {
      await assertSound(path, FILE);
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
      if (reads === 'all') await assertSound(at, FILE);
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
      throw new AppError('unavailable', 'the file storage is not available', { retryAfter: 5, cause: error });
    }
  }

  /** What comes from people stops before the disk is full; what the service makes itself may use the rest. */
  async #hasRoom(isUpload: boolean): Promise<boolean> {
    return !isUpload || (await this.check()).freeBytes > 0;
  }

  /** What lies on another file system is copied first. */
  async #adoptAt(place: string, path: string): Promise<void> {
    try {
      await publish(path, place);
    } catch (error) {
      if (codeOf(error) !== 'EXDEV') throw error;
      await this.#copyTo(place, path);
      await unlink(path);
    }
  }

  async #copyTo(place: string, path: string): Promise<void> {
    const part = this.#nextPart();
    try {
      await copyFile(path, part, constants.COPYFILE_EXCL);
      await flushFile(part);
      await publish(part, place);
    } catch (error) {
      // What can't be removed now is removed at the next start.
      await rm(part, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  #nextPart(): string {
    return join(this.folder, PARTS, `${process.pid}-${(this.#parts += 1)}`);
  }

  async #existing<R>(key: ObjectKey, use: (path: string) => Promise<R | null>): Promise<R> {
    const path = this.placeOf(key);
    try {
      const found = path === null ? null : await use(path);
      if (found !== null) return found;
    } catch (error) {
      if (!isMissing(error)) throw storageError(error);
    }
    throw new AppError('not_found', 'file not found');
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
  const sink = createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true });
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

/** Makes it private, and its bytes safe. */
async function flushFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.chmod(0o600);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** After the file is there, as only one of several writers has put it there. What can't be finished is not kept. */
async function finish(path: string, sum: number | null): Promise<void> {
  try {
    if (sum !== null) await noteSum(path, sum);
    await flushFolder(join(path, '..'));
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    await removeSum(path).catch(() => undefined);
    throw error;
  }
}

/** Without it a power cut can lose the name of a file whose bytes are safe. */
async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
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

function notAllowed(): AppError {
  return new AppError('invalid_input', 'the name of the file is not allowed');
}

function alreadyThere(): AppError {
  return new AppError('conflict', 'there is a file of this name already');
}
