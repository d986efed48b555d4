import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../shared/app-error.js';
import { childEntry } from '../processes/child-entry.js';
import { endOf, expendable } from '../processes/expendable.js';
import { MemoryWatch } from '../processes/memory-watch.js';
import type { ArchiveMessage, ArchiveOrder, ArchiveOutcome } from './archive-protocol.js';

export interface ArchiveLimits {
  readonly memoryBytes: number;
  /** For starting, and until it is known how much there is to do. */
  readonly baseMs: number;
  /** Slower than this it may not unpack. */
  readonly bytesPerSecond: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  memoryBytes: 768 * 1024 ** 2,
  baseMs: 30_000,
  bytesPerSecond: 10 * 1024 ** 2,
};

export interface ArchiveWatch {
  readonly signal: AbortSignal;
  /** The share of bytes that is unpacked, 0 to 1. */
  readonly onProgress?: ((share: number) => void) | undefined;
}

const HEAP_MB = 128;

/**
 * Runs one order in a process of its own. Settles when that process is gone, so that nobody writes any more.
 *
 * @throws AppError as the order says, `invalid_input` when it takes too much memory, `timed_out` when it takes too long, `unavailable` when the
 *   process died; the signal's reason when aborted.
 */
export async function runArchiveOrder(
  order: ArchiveOrder,
  { signal, onProgress }: ArchiveWatch,
  limits: ArchiveLimits = ARCHIVE_LIMITS,
): Promise<Exclude<ArchiveOutcome, { kind: 'failed' }>> {
  signal.throwIfAborted();
  const run = new ArchiveRun(limits, onProgress ?? ((): void => undefined));
  const abort = (): void => {
    run.end(signal.reason);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await run.outcomeOf(order);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** One child and the limits it runs under. */
class ArchiveRun {
  private readonly child: ChildProcess;
  private outcome: ArchiveOutcome | null = null;
  /** Why it was ended before it was done. */
  private ended: { readonly reason: unknown } | null = null;
  private deadline: NodeJS.Timeout;
  private planned = 0;

  constructor(
    private readonly limits: ArchiveLimits,
    private readonly onProgress: (share: number) => void,
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

  async outcomeOf(order: ArchiveOrder): Promise<Exclude<ArchiveOutcome, { kind: 'failed' }>> {
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
    }
    if (this.ended !== null) throw this.ended.reason;
    if (this.outcome === null) throw died();
    if (this.outcome.kind !== 'failed') return this.outcome;
    const { error, message } = this.outcome;
    throw error === null ? new Error(message) : new AppError(error, message);
  }

  /** Whatever it is doing; what was asked fails with the reason. */
  end(reason: unknown): void {
    this.ended ??= { reason };
    this.child.kill('SIGKILL');
  }

  private hear(message: ArchiveMessage): void {
    if (message.kind === 'progress') this.onProgress(this.planned === 0 ? 1 : message.bytes / this.planned);
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

function died(): AppError {
  return new AppError('unavailable', 'the process that reads archives died', { retryAfter: 2 });
}
