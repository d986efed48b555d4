import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TableRef } from '../../ports/table.js';
import { AppError } from '../../shared/app-error.js';
import { type CompanyId, type DatasourceId, isId } from '../../shared/ids.js';

type TableFile = Pick<TableRef, 'companyId' | 'datasourceId' | 'generation'>;

/** The folder of one import: what is in it is a draft until it is published, and rubbish when the import is gone. */
export interface DraftFolder {
  readonly path: string;
  readonly table: TableFile;
}

/** The draft's file inside its folder. */
export const DRAFT_FILE = 'base.importing';
/** Where an import puts what does not fit into memory, inside its folder. */
export const DRAFT_SPILL = 'tmp';

const JOB = /^job\.[0-9a-f]{16}$/;
const GENERATION = /^(?:base|delta)\.(\d+)\./;
const EXPORT = /^delta\.\d+\.\d+\.parquet/;

/**
 * The one place that knows where rows lie: `rows/<company>/<datasource>/base.<generation>.duckdb`, which is immutable,
 * `delta.<generation>.duckdb` beside it for later inserts, and `job.<random>/` for an import at work.
 */
export class RowFiles {
  readonly root: string;
  private readonly atWork = new Set<string>();

  constructor(readonly dataDir: string) {
    this.root = join(dataDir, 'rows');
  }

  /** Held open by the engine as long as it lives, so that two services never share a data folder. */
  get lock(): string {
    return join(this.root, 'engine.lock.duckdb');
  }

  base(table: TableFile): string {
    return join(this.folder(table.companyId, table.datasourceId), `base.${table.generation}.duckdb`);
  }

  delta(table: TableFile): string {
    return join(this.folder(table.companyId, table.datasourceId), `delta.${table.generation}.duckdb`);
  }

  async prepare(): Promise<void> {
    await mkdir(this.root, { recursive: true });
  }

  /** Makes the folder of a new import. */
  async draft(table: TableFile): Promise<DraftFolder> {
    const path = join(this.folder(table.companyId, table.datasourceId), `job.${randomBytes(8).toString('hex')}`);
    this.atWork.add(path);
    await mkdir(join(path, DRAFT_SPILL), { recursive: true });
    return { path, table };
  }

  /** Makes a finished draft the table's generation: after this it survives a power cut, before it nobody sees it. */
  async publish(draft: DraftFolder): Promise<void> {
    const folder = dirname(draft.path);
    await flush(join(draft.path, DRAFT_FILE));
    await flush(draft.path);
    await rename(join(draft.path, DRAFT_FILE), this.base(draft.table));
    // The folders themselves may be as new as the file.
    for (const path of [folder, dirname(folder), this.root]) await flush(path);
  }

  /** Removes what an import leaves, whatever its end. */
  async discard(draft: DraftFolder): Promise<void> {
    await rm(draft.path, { recursive: true, force: true });
    this.atWork.delete(draft.path);
  }

  /** Removes what imports and exports of an earlier life left. Only for the owner of the lock, before its first import. */
  async clean(): Promise<void> {
    for (const company of await foldersIn(this.root)) {
      for (const datasource of await foldersIn(company)) await this.removeIn(datasource, isLeftOver);
    }
  }

  /** The generations below `keepFrom` that lie on the disk, all of them without it. */
  async generations(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<readonly number[]> {
    const names = await namesIn(this.folder(companyId, datasourceId));
    const found = names.map(generationOf).filter((generation) => generation !== null);
    return [...new Set(found)].filter((generation) => keepFrom === undefined || generation < keepFrom);
  }

  async remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    const folder = this.folder(companyId, datasourceId);
    await this.removeIn(folder, (name) => {
      const generation = generationOf(name);
      return JOB.test(name) || (generation !== null && (keepFrom === undefined || generation < keepFrom));
    });
    if ((await namesIn(folder)).length === 0) await rm(folder, { recursive: true, force: true });
  }

  /** @throws AppError `no_space` when the disk has less than `bytes` left. */
  async assertRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.root);
    assertRoomFor(bytes, bavail * bsize);
  }

  private async removeIn(folder: string, unwanted: (name: string) => boolean): Promise<void> {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (unwanted(name) && !this.atWork.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  private folder(companyId: CompanyId, datasourceId: DatasourceId): string {
    // An id that is none could be a path that leads elsewhere.
    if (!isId(companyId) || !isId(datasourceId)) throw new AppError('not_found', 'datasource not found');
    return join(this.root, companyId, datasourceId);
  }
}

export function assertRoomFor(needed: number, free: number): void {
  if (free >= needed) return;
  throw new AppError(
    'no_space',
    `no room left on the storage: the import needs ${inMegabytes(needed)} MB, ${inMegabytes(free)} MB are free`,
  );
}

/** Where the later inserts lie for a process that can't open their file: one export for each number of rows. */
export function exportPath(deltaPath: string, rows: number): string {
  return deltaPath.replace(/duckdb$/, `${rows}.parquet`);
}

export function isExportOf(deltaPath: string, name: string): boolean {
  return EXPORT.test(name) && name.startsWith(`delta.${generationOf(deltaPath.slice(dirname(deltaPath).length + 1))}.`);
}

export async function fileExists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== null;
}

/** Removes a database's file and its log. */
export async function removeDatabase(path: string): Promise<void> {
  for (const file of [path, `${path}.wal`]) await rm(file, { force: true });
}

export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isLeftOver(name: string): boolean {
  return JOB.test(name) || EXPORT.test(name);
}

function generationOf(name: string): number | null {
  const digits = GENERATION.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}

async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
