import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { AppError } from '../shared/app-error.js';
import type { JobMessage } from './jobs.js';
import { fromWire } from './process-error.js';

export interface ExportLimits {
  /** How long an export may take. */
  readonly wholeMs: number;
  /** How long somebody who was sent all they took so far may take no more. */
  readonly stalledMs: number;
}

const READ_AHEAD = 256 * 1024;

/**
 * What an export process writes. It only ends when the process has said that this was all, and breaks with an error otherwise; who does not
 * read makes the process wait, and who destroys it ends the process.
 */
export class ExportStream extends Readable {
  /** Resolves when there is something to read; rejects when there will be nothing. */
  readonly started: Promise<void>;
  /** Resolves when the process is gone. */
  readonly gone: Promise<void>;
  private last: JobMessage<void> | null = null;
  private readonly deadline: NodeJS.Timeout;
  private patience: NodeJS.Timeout | undefined;

  constructor(
    private readonly child: ChildProcess,
    private readonly limits: ExportLimits,
  ) {
    super({ highWaterMark: READ_AHEAD });
    // Whoever reads it hears of a failure too; one that happens while nobody does must not end the service.
    this.on('error', () => undefined);
    this.deadline = setTimeout(() => {
      this.destroy(new AppError('timed_out', 'the export took too long: ask for less at once'));
    }, limits.wholeMs);
    child.stdout?.on('data', (bytes: Buffer) => {
      if (!this.push(bytes)) this.waitForReader();
    });
    child.on('message', (message: JobMessage<void>) => (this.last = message));
    this.started = this.firstBytes();
    this.started.catch(() => undefined);
    this.gone = this.ending();
  }

  override _read(): void {
    clearTimeout(this.patience);
    this.child.stdout?.resume();
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    clearTimeout(this.deadline);
    clearTimeout(this.patience);
    this.child.stdout?.destroy();
    this.kill();
    destroyed(error);
  }

  private waitForReader(): void {
    this.child.stdout?.pause();
    clearTimeout(this.patience);
    this.patience = setTimeout(() => {
      this.destroy(new AppError('timed_out', 'the export was not read any further'));
    }, this.limits.stalledMs);
  }

  private firstBytes(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.child.stdout?.once('data', () => {
        resolve();
      });
      this.once('error', reject);
      this.once('close', () => {
        reject(brokenOff());
      });
    });
  }

  /** The last message may come after the last bytes, so that both ways have to be at their end. */
  private async ending(): Promise<void> {
    try {
      await Promise.all([once(this.child, 'close'), once(this.child, 'disconnect')]);
    } catch (error) {
      this.destroy(new AppError('unavailable', 'the export can not be started', { cause: error }));
      return;
    }
    if (this.last?.kind === 'done') this.push(null);
    else this.destroy(this.last?.kind === 'failed' ? fromWire(this.last.error) : brokenOff());
  }

  /** The shell, the export and what hands on its output are one group. As long as the shell is not gone its number is nobody else's. */
  private kill(): void {
    const { pid, exitCode, signalCode } = this.child;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It ended by itself at this moment.
    }
  }
}

function brokenOff(): AppError {
  return new AppError('unavailable', 'the export broke off: try again');
}
