import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { open, rm, statfs, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK = Buffer.alloc(64 * 1024);

/** A file system of its own, in memory, that can be filled up. Null where none may be mounted. */
export class SmallDisk implements AsyncDisposable {
  private constructor(readonly path: string) {}

  /**
   * Mounting is a right of the machine, not a server that can be started: where it is missing the tests are left out aloud even when
   * everything else is required.
   */
  static mount(mebibytes: number): SmallDisk | null {
    const path = mkdtempSync(join(tmpdir(), 'das-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'tmpfs', path], { stdio: 'ignore' });
      return new SmallDisk(path);
    } catch {
      rmdirSync(path);
      console.warn(
        'SKIPPED: what needs a disk that can be filled. To run it: as root, or unshare --user --map-root-user --mount npx vitest run test/e2e/disk-full.test.ts',
      );
      return null;
    }
  }

  async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  /** Leaves so many bytes free. */
  async fill(leave = 0): Promise<void> {
    await using ballast = await open(this.ballast, 'a');
    await writeUntilFull(ballast, async () => (await this.freeBytes()) - leave);
  }

  /** Takes everything back that `fill` put there. */
  empty(): Promise<void> {
    return rm(this.ballast, { force: true });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.empty();
    execFileSync('umount', ['-l', this.path], { stdio: 'ignore' });
    rmdirSync(this.path);
  }

  private get ballast(): string {
    return join(this.path, 'ballast');
  }
}

async function writeUntilFull(file: FileHandle, missing: () => Promise<number>): Promise<void> {
  for (;;) {
    const bytes = Math.min(CHUNK.length, await missing());
    if (bytes <= 0) return;
    await file.write(CHUNK, 0, bytes);
  }
}
