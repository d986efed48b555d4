import { randomBytes } from 'node:crypto';
import { copyFile, link, mkdir, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../shared/app-error.js';
import { isId } from '../shared/ids.js';

/** The file of a draft, inside its folder. */
export const DRAFT_FILE = 'base.importing';
/** The lines that an import leaves out, inside its folder; not there when it leaves out none. */
export const DRAFT_REJECTS = 'rejects.importing';
/** Later rows as Parquet, under a name in the folder of who reads them: the engine may remove its own. */
export const LATER_ROWS = 'later.parquet';
/** The base whose rows an import keeps, inside its folder. */
export const KEPT_BASE = 'kept.duckdb';
/** Where an import puts what does not fit into memory, inside its folder. */
export const DRAFT_SPILL = 'tmp';

/**
 * What lies in `rows/` of an instance's data folder: `work/job.<random>/` for an import or a compaction, `later/` for what processes are told of,
 * `cache/` for files of a distant object store. Nothing of it is needed when the service does not run.
 */
export class RowFiles {
  readonly root: string;
  private readonly work: string;

  constructor(readonly dataDir: string) {
    this.root = join(dataDir, 'rows');
    this.work = join(this.root, 'work');
  }

  /** Held open by the engine as long as it lives, so that two services never share a data folder. */
  get lock(): string {
    return join(this.root, 'engine.lock.duckdb');
  }

  get later(): string {
    return join(this.root, 'later');
  }

  get cache(): string {
    return join(this.root, 'cache');
  }

  async prepare(): Promise<void> {
    await mkdir(this.root, { recursive: true });
  }

  /** Removes what an earlier life left. Only for the owner of the lock, before its first import. */
  async clean(): Promise<void> {
    for (const folder of [this.work, this.later]) {
      await rm(folder, { recursive: true, force: true });
      await mkdir(folder, { recursive: true });
    }
  }

  /** @throws AppError `conflict` when rows lie in the folder as earlier versions kept them, in `rows/<company>/`. */
  async assertNoOlderRows(): Promise<void> {
    if (!(await namesIn(this.root, true)).some(isId)) return;
    const wayOut = 'export them as CSV with the version that wrote them, remove them, and import the files anew';
    throw new AppError('conflict', `${this.root} has rows of an earlier version, which this one can't read: ${wayOut}`);
  }

  /** Makes the folder of a new import or compaction. */
  async draft(): Promise<string> {
    const path = join(this.work, `job.${randomBytes(8).toString('hex')}`);
    await mkdir(join(path, DRAFT_SPILL), { recursive: true });
    return path;
  }

  /** @throws AppError `no_space` when the disk has less than `bytes` left. */
  assertRoom(bytes: number, work?: string): Promise<void> {
    return assertRoomIn(this.root, bytes, work);
  }
}

/** Runs work in a draft's folder, which is removed then. */
export async function inDraft<T>(files: RowFiles, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await files.draft();
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes a folder, and removes what processes of an earlier life left in it: what begins like their own folders. */
export async function withoutLeftovers(path: string, prefix: string): Promise<void> {
  await mkdir(path, { recursive: true });
  const left = (await namesIn(path)).filter((name) => name.startsWith(prefix));
  await Promise.all(left.map((name) => rm(join(path, name), { recursive: true, force: true })));
}

export async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
}

/** @throws AppError `no_space` when the disk of a folder has less than `needed` bytes left. */
export async function assertRoomIn(folder: string, needed: number, work = 'import'): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free >= needed) return;
  throw new AppError(
    'no_space',
    `no room left on the storage: the ${work} needs ${inMegabytes(needed)} MB, ${inMegabytes(free)} MB are free`,
  );
}

export async function fileExists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== null;
}

export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

export async function namesIn(path: string, folders = false): Promise<readonly string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.filter((entry) => !folders || entry.isDirectory()).map(({ name }) => name);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
