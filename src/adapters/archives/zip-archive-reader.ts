import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ArchiveReader,
  type ArchiveEntry,
  type UnpackedFile,
  type UnpackedFiles,
  type UnpackOptions,
} from '../../ports/archive-reader.js';
import { AppError } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { childEntry } from '../processes/child-entry.js';
import { forked, WatchedChild } from '../processes/one-order.js';
import { storageError } from '../storage/storage-error.js';
import { formatOf } from './format.js';

const ARCHIVE_LIMITS = {
  memoryBytes: 768 * 1024 ** 2,
  /** For starting, and until it is known how much there is to do. */
  baseMs: 30_000,
  /** Slower than this it may not unpack. */
  bytesPerSecond: 10 * 1024 ** 2,
};
export type ArchiveLimits = Readonly<typeof ARCHIVE_LIMITS>;

const HEAP_MB = 128;
const AT_ONCE = 4;
const MAX_WAITING = 100;

/** The one thing that an archive process is asked to do. */
export type ArchiveOrder =
  | { readonly kind: 'list'; readonly path: string }
  | {
      readonly kind: 'unpack';
      readonly path: string;
      /** What its sender calls it. */
      readonly name: string;
      /** Only the files of these names; `null`: all. */
      readonly only: readonly string[] | null;
      /** Where to; the sender removes it. */
      readonly folder: string;
      readonly headBytes: number | null;
    };

/** What it tells before it is done. */
export type ArchiveProgress =
  /** So much work is to be done, in the time that writing `atMost` bytes may take. */
  | { readonly kind: 'planned'; readonly bytes: number; readonly atMost: number }
  /** So much is. */
  | { readonly kind: 'done'; readonly bytes: number };

/** ZIP archives and files of other formats, each read in a process of its own that is watched for memory and time. What it unpacks lies in a folder that is empty at every start. */
export class ZipArchiveReader extends ArchiveReader {
  private readonly turns = new KeyedSemaphore(AT_ONCE, MAX_WAITING, 'unavailable');

  constructor(
    private readonly tempDir: string,
    private readonly limits: ArchiveLimits = ARCHIVE_LIMITS,
  ) {
    super();
  }

  /** Removes what an earlier life left. Only for the one service that works on the folder, before its first archive. */
  async open(): Promise<void> {
    await mkdir(this.tempDir, { recursive: true });
    for (const name of await readdir(this.tempDir))
      await rm(join(this.tempDir, name), { recursive: true, force: true });
  }

  override async isArchive(path: string): Promise<boolean> {
    return (await formatOf(path)) !== 'text';
  }

  override list(path: string): Promise<readonly ArchiveEntry[]> {
    return this.run<ArchiveEntry>({ kind: 'list', path });
  }

  override async unpack(path: string, options: UnpackOptions): Promise<UnpackedFiles> {
    const { headBytes, signal, onProgress, name = '', only = null } = options;
    const folder = await this.folder();
    // What can't be removed now is removed at the next start.
    const discard = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined);
    try {
      const order: ArchiveOrder = { kind: 'unpack', path, name, only, folder, headBytes };
      return { files: await this.run<UnpackedFile>(order, signal, onProgress), [Symbol.asyncDispose]: discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  /**
   * @throws AppError as the order says, `invalid_input` when it takes too much memory, `timed_out` when it takes too long, `unavailable` when the
   *   process died; the signal's reason when aborted.
   */
  private run<Files>(
    order: ArchiveOrder,
    signal?: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<readonly Files[]> {
    const { memoryBytes, baseMs, bytesPerSecond } = this.limits;
    const tooMuchMemory = new AppError('invalid_input', 'the archive takes too much memory to be read');
    const tooLate = new AppError('timed_out', 'the archive took too long to be read');
    return this.turns.run('', () => {
      signal?.throwIfAborted();
      const process = forked(childEntry(import.meta.url, './archive.process'), { heapMb: HEAP_MB });
      const child = new WatchedChild(process, { memoryBytes, tooMuchMemory, signal });
      child.endAfter(baseMs, tooLate);
      let [planned, share] = [0, 0];
      const onTold = (told: ArchiveProgress): void => {
        if (told.kind === 'done') {
          // Nothing is known before there is a plan, and a plan that grows takes nothing back.
          if (planned > 0) onProgress?.((share = Math.max(share, told.bytes / planned)));
        } else {
          planned = told.bytes;
          child.endAfter(baseMs + (told.atMost / bytesPerSecond) * 1000, tooLate);
        }
      };
      const died = (): AppError =>
        new AppError('unavailable', 'the process that reads archives died', { retryAfter: 2 });
      return child.work<ArchiveProgress, readonly Files[]>(order, { onTold, died });
    });
  }

  private async folder(): Promise<string> {
    try {
      await mkdir(this.tempDir, { recursive: true });
      return await mkdtemp(join(this.tempDir, 'archive-'));
    } catch (error) {
      throw storageError(error);
    }
  }
}
