import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BasePart, DeltaPart } from './attached-table.js';
import type { EngineTable } from './engine-protocol.js';
import { exportsOf } from './row-file-names.js';
import { removeDatabase } from './row-files.js';

/** Removes a base that was retired, and these files of the later inserts that its successor holds. */
export type RemoveRetired = (deltas: readonly DeltaPart[]) => Promise<void>;

/**
 * Removes files that newer ones have taken the place of: later inserts at once, what other processes were told of after a while, because
 * they may be about to open it. What is not removed when the engine ends goes at the next start.
 */
export class RetiredFiles {
  private readonly kept = new Set<string>();

  constructor(private readonly keepMs: number) {}

  /** Somebody may have been told of it just now. */
  isKept(path: string): boolean {
    return this.kept.has(path);
  }

  /**
   * Notes which file the base is while it is the table's, and gives what removes it with what belongs to it: to be called only when nobody
   * has the files open here any more. An import that is made again may have put another base in its place by then, which stays.
   */
  async retire({ folder, generation }: EngineTable, base: BasePart): Promise<RemoveRetired> {
    const noted = await inodeOf(base.path);
    return async (deltas) => {
      for (const { path } of deltas) await removeDatabase(path);
      const exports = exportsOf(await readdir(folder), generation).filter((name) =>
        name.startsWith(`delta.${generation}.${base.merged}.`),
      );
      this.removeNoted(base.path, noted);
      for (const name of exports) await this.removeLater(join(folder, name));
    };
  }

  async removeLater(path: string): Promise<void> {
    this.removeNoted(path, await inodeOf(path));
  }

  private removeNoted(path: string, retired: bigint | null): void {
    if (this.kept.has(path)) return;
    this.kept.add(path);
    setTimeout(() => {
      // What can't be removed now goes at the next start.
      void removeSame(path, retired)
        .catch(() => undefined)
        .finally(() => this.kept.delete(path));
    }, this.keepMs).unref();
  }
}

/** An import that was made again may have put another file in its place. */
async function removeSame(path: string, inode: bigint | null): Promise<void> {
  if (inode !== null && (await inodeOf(path)) === inode) await rm(path, { force: true });
}

async function inodeOf(path: string): Promise<bigint | null> {
  return stat(path, { bigint: true }).then(
    ({ ino }) => ino,
    // It is not there, and so needs no removing.
    () => null,
  );
}
