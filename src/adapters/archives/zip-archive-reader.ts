import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import {
  ArchiveReader,
  type ArchiveEntry,
  type UnpackedFiles,
  type UnpackOptions,
} from '../../ports/archive-reader.js';
import { AppError } from '../../shared/app-error.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { childEntry } from '../processes/child-entry.js';
import { endOf, expendable } from '../processes/expendable.js';
import { MemoryWatch } from '../processes/memory-watch.js';
import { storageError } from '../storage/storage-error.js';
import { formatOf } from './format.js';
import type { ArchiveMessage, ArchiveOrder, ArchiveOutcome } from './archive-protocol.js';

export interface ArchiveLimits {
  readonly memoryBytes: number;
  /** For starting, and until it is known how much there is to do. */
  readonly baseMs: number;
  /** Slower than this it may not unpack. */
  readonly bytesPerSecond: number;
}

const ARCHIVE_LIMITS: ArchiveLimits = {
  memoryBytes: 768 * 1024 ** 2,
  baseMs: 30_000,
  bytesPerSecond: 10 * 1024 ** 2,
};

const HEAP_MB = 128;
const AT_ONCE = 4;
const MAX_WAITING = 100;

/** ZIP archives and files of other formats, each read in a process of its own that is watched for memory and time. What it unpacks lies in a folder that is empty at every start. */
@Injectable()
export class ZipArchiveReader extends ArchiveReader {
  private readonly turns = new KeyedSemaphore(AT_ONCE, MAX_WAITING, 'unavailable');

  constructor(
    private readonly tempDir: string,
    private readonly limits = ARCHIVE_LIMITS,
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

  override async list(path: string): Promise<readonly ArchiveEntry[]> {
    const outcome = await this.run({ kind: 'list', path });
    return outcome.kind === 'listed' ? outcome.entries : [];
  }

  override async unpack(path: string, options: UnpackOptions): Promise<UnpackedFiles> {
    const { headBytes, signal, onProgress, name = '', only = null } = options;
    const folder = await this.folder();
    // What can't be removed now is removed at the next start.
    const discard = (): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => undefined);
    try {
      const outcome = await this.run({ kind: 'unpack', path, name, only, folder, headBytes }, signal, onProgress);
      return { files: outcome.kind === 'unpacked' ? outcome.files : [], [Symbol.asyncDispose]: discard };
    } catch (error) {
      await discard();
      throw error;
    }
  }

  private run(
    order: ArchiveOrder,
    signal?: AbortSignal,
    onProgress?: (share: number) => void,
  ): Promise<ArchiveSuccess> {
    return this.turns.run('', () => {
      signal?.throwIfAborted();
      return new ArchiveRun(this.limits, onProgress).outcomeOf(order, signal);
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

type ArchiveSuccess = Exclude<ArchiveOutcome, { kind: 'failed' }>;

/**
 * One order in a process of its own, and the limits that it runs under. Settles when that process is gone, so that nobody writes any more.
 *
 * @throws AppError as the order says, `invalid_input` when it takes too much memory, `timed_out` when it takes too long, `unavailable` when the
 *   process died; the signal's reason when aborted.
 */
class ArchiveRun {
  private readonly child: ChildProcess;
  private outcome: ArchiveOutcome | null = null;
  /** Why it was ended before it was done. */
  private ended: { readonly reason: unknown } | null = null;
  private deadline: NodeJS.Timeout;
  private planned = 0;

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly onProgress?: (share: number) => void,
  ) {
    const { path, execArgv } = childEntry(import.meta.url, './archive.process');
    this.child = fork(path, [], {
      execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
      // Nothing of the service's environment, which has secrets.
      env: { TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    expendable(this.child, 'stranger');
    this.deadline = this.endAfter(limits.baseMs);
  }

  async outcomeOf(order: ArchiveOrder, signal?: AbortSignal): Promise<ArchiveSuccess> {
    const abort = (): void => {
      this.end(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    const watch = new MemoryWatch(this.child.pid ?? 0, this.limits.memoryBytes, () => {
      this.end(new AppError('invalid_input', 'the archive takes too much memory to be read'));
    });
    this.child.on('message', (message: ArchiveMessage) => {
      this.hear(message);
    });
    // A child that is gone is noticed by its end.
    this.child.send(order, () => undefined);
    try {
      await endOf(this.child);
    } finally {
      clearTimeout(this.deadline);
      watch.stop();
      signal?.removeEventListener('abort', abort);
    }
    if (this.ended !== null) throw this.ended.reason;
    if (this.outcome === null)
      throw new AppError('unavailable', 'the process that reads archives died', { retryAfter: 2 });
    if (this.outcome.kind !== 'failed') return this.outcome;
    const { error, message } = this.outcome;
    throw error === null ? new Error(message) : new AppError(error, message);
  }

  /** Whatever it is doing; what was asked fails with the reason. */
  private end(reason: unknown): void {
    this.ended ??= { reason };
    this.child.kill('SIGKILL');
  }

  private hear(message: ArchiveMessage): void {
    if (message.kind === 'progress') this.onProgress?.(this.planned === 0 ? 1 : message.bytes / this.planned);
    else if (message.kind === 'planned') this.plan(message.bytes, message.atMost);
    else this.outcome = message;
  }

  private plan(bytes: number, atMost: number): void {
    this.planned = bytes;
    clearTimeout(this.deadline);
    this.deadline = this.endAfter(this.limits.baseMs + (atMost / this.limits.bytesPerSecond) * 1000);
  }

  private endAfter(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.end(new AppError('timed_out', 'the archive took too long to be read'));
    }, ms);
  }
}
