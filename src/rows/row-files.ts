import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TableRef } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { type CompanyId, type DatasourceId, isId } from '../shared/ids.js';
import { moveSum, removeSum } from '../adapters/storage/file-sum.js';
import {
  basePath,
  countsPath,
  generationFiles,
  generationOf,
  isExport,
  mergedBases,
  presentName,
} from './row-file-names.js';

type TableFile = Pick<TableRef, 'companyId' | 'datasourceId' | 'generation'>;

/** The folder of one import or compaction: what is in it is a draft until it is published, and rubbish when the import is gone. */
export interface DraftFolder {
  readonly path: string;
  readonly table: TableFile;
}

/** The draft's file inside its folder. */
export const DRAFT_FILE = 'base.importing';
/** The lines that an import leaves out, inside its folder; not there when it leaves out none. */
export const DRAFT_REJECTS = 'rejects.importing';
/** Where an import puts what does not fit into memory, inside its folder. */
export const DRAFT_SPILL = 'tmp';

const JOB = /^job\.[0-9a-f]{16}$/;

/**
 * The one place that knows where rows lie: `rows/<company>/<datasource>/base.<generation>.<merged>.duckdb`, which is immutable,
 * `delta.<generation>.<number>.duckdb` beside it for later inserts, and `job.<random>/` for an import or a compaction at work.
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

  /** What an import makes: a base that holds no later inserts. */
  base(table: TableFile): string {
    return basePath(this.folder(table.companyId, table.datasourceId), table.generation, 0);
  }

  /** The lines that the import of the generation left out; no file when there are none. */
  rejects({ companyId, datasourceId, generation }: TableFile): string {
    return join(this.folder(companyId, datasourceId), `rejects.${generation}.ndjson`);
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
    await this.publishRejects(draft);
    await rename(join(draft.path, DRAFT_FILE), this.base(draft.table));
    // A generation that is made anew may have been merged with later inserts before, and would be taken for the newer one.
    for (const name of mergedBases(await namesIn(folder), draft.table.generation))
      await rm(join(folder, name), { force: true });
    // The folders themselves may be as new as the file.
    for (const path of [folder, dirname(folder), this.root]) await flush(path);
  }

  /** Brings a finished draft to the disk, for the engine to publish. */
  async settle({ path }: DraftFolder): Promise<string> {
    const file = join(path, DRAFT_FILE);
    await flush(file);
    await flush(path);
    return file;
  }

  /** Removes what an import leaves, whatever its end. */
  async discard(draft: DraftFolder): Promise<void> {
    await rm(draft.path, { recursive: true, force: true });
    this.atWork.delete(draft.path);
  }

  /** Removes what imports, compactions and exports of an earlier life left. Only for the owner of the lock, before its first import. */
  async clean(): Promise<void> {
    for (const company of await foldersIn(this.root)) {
      for (const datasource of await foldersIn(company)) await this.removeLeftOvers(datasource);
    }
  }

  /** The generations below `keepFrom` that lie on the disk, all of them without it. */
  async generations(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<readonly number[]> {
    const names = await namesIn(this.folder(companyId, datasourceId));
    const found = names.map(generationOf).filter((generation) => generation !== null);
    return [...new Set(found)].filter((generation) => keepFrom === undefined || generation < keepFrom);
  }

  /** Another base each time, of whatever datasource; null when there is none. */
  async anyBase(turn: number): Promise<{ readonly folder: string; readonly generation: number } | null> {
    const companies = await foldersIn(this.root);
    const datasources = await foldersIn(companies[turn % companies.length] ?? '');
    const folder = datasources[Math.floor(turn / companies.length) % datasources.length] ?? '';
    const generations = (await namesIn(folder)).map(generationOf).filter((generation) => generation !== null);
    return generations.length === 0 ? null : { folder, generation: Math.max(...generations) };
  }

  async remove(companyId: CompanyId, datasourceId: DatasourceId, keepFrom?: number): Promise<void> {
    const folder = this.folder(companyId, datasourceId);
    await this.removeIn(folder, (name) => {
      const generation = generationOf(name);
      return JOB.test(name) || (generation !== null && (keepFrom === undefined || generation < keepFrom));
    });
    await this.removeIfEmpty({ companyId, datasourceId });
  }

  /** Removes the folder of a datasource that has no files. */
  async removeIfEmpty({ companyId, datasourceId }: Pick<TableRef, 'companyId' | 'datasourceId'>): Promise<void> {
    const folder = this.folder(companyId, datasourceId);
    // Not with what is in it: an import may just begin.
    if ((await namesIn(folder)).length === 0) await rmdir(folder).catch(() => undefined);
  }

  /** @throws AppError `no_space` when the disk has less than `bytes` left. */
  async assertRoom(bytes: number, work = 'import'): Promise<void> {
    const { bavail, bsize } = await statfs(this.root);
    assertRoomFor(bytes, bavail * bsize, work);
  }

  /** Before the base, so that no generation lacks its own. */
  private async publishRejects({ path, table }: DraftFolder): Promise<void> {
    const rejects = join(path, DRAFT_REJECTS);
    if (!(await fileExists(rejects))) {
      // Of an earlier import of the same generation.
      await removeSum(this.rejects(table));
      await rm(this.rejects(table), { force: true });
      return;
    }
    await flush(rejects);
    await moveSum(rejects, this.rejects(table));
    await rename(rejects, this.rejects(table));
  }

  private async removeLeftOvers(folder: string): Promise<void> {
    const names = await namesOfNow(folder);
    const generations = new Set(names.map(generationOf).filter((generation) => generation !== null));
    const replaced = [...generations].flatMap((generation) => {
      const { oldBases, oldDeltas } = generationFiles(names, generation);
      return [...oldBases, ...oldDeltas];
    });
    await this.removeIn(folder, (name) => JOB.test(name) || isExport(name) || replaced.includes(name));
  }

  private async removeIn(folder: string, unwanted: (name: string) => boolean): Promise<void> {
    for (const name of await namesIn(folder)) {
      const path = join(folder, name);
      if (unwanted(name) && !this.atWork.has(path)) await rm(path, { recursive: true, force: true });
    }
  }

  /** Where a datasource's rows lie. */
  folder(companyId: CompanyId, datasourceId: DatasourceId): string {
    // An id that is none could be a path that leads elsewhere.
    if (!isId(companyId) || !isId(datasourceId)) throw new AppError('not_found', 'datasource not found');
    return join(this.root, companyId, datasourceId);
  }
}

/** Names of the files in a folder, after those of an older version have got theirs. */
async function namesOfNow(folder: string): Promise<readonly string[]> {
  for (const name of await namesIn(folder)) {
    const now = presentName(name);
    if (now !== null) await rename(join(folder, name), join(folder, now));
  }
  return namesIn(folder);
}

export function assertRoomFor(needed: number, free: number, work = 'import'): void {
  if (free >= needed) return;
  throw new AppError(
    'no_space',
    `no room left on the storage: the ${work} needs ${inMegabytes(needed)} MB, ${inMegabytes(free)} MB are free`,
  );
}

export async function fileExists(path: string): Promise<boolean> {
  return (await sizeOf(path)) !== null;
}

/** Removes a database's file, its log and the note of its rows. */
export async function removeDatabase(path: string): Promise<void> {
  for (const file of [path, `${path}.wal`, countsPath(path)]) await rm(file, { force: true });
}

export async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function inMegabytes(bytes: number): number {
  return Math.ceil(bytes / 1024 ** 2);
}

async function foldersIn(path: string): Promise<readonly string[]> {
  const names = await namesIn(path, true);
  return names.map((name) => join(path, name));
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
