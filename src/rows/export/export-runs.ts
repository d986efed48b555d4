import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { childEntry } from '../../adapters/processes/child-entry.js';
import { expendable } from '../../adapters/processes/expendable.js';
import type { OrderMessage } from '../../adapters/processes/one-order.js';
import type { TableColumn } from '../../plan/plan-columns.js';
import type { FileFormat } from '../../ports/row-downloads.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId } from '../../shared/ids.js';
import type { WirePlot } from '../engine/engine-protocol.js';
import { fromWire } from '../process-error.js';
import { withoutLeftovers } from '../row-files.js';

const ENTRY = childEntry(import.meta.url, './export.process');
/** How the folder of each export begins. */
const FOLDER = 'export-';
/** The database opens its output by name, which works with a pipe and not with the socket that node gives its children. */
const PIPED = '"$@" | cat';

/** Starts export processes, each in a folder of its own, and removes what they leave. */
export class ExportRuns {
  constructor(
    private readonly folder: string,
    private readonly limits: ExportLimits,
  ) {}

  /** Makes the folder, and removes what a service that was killed left there. Only for the owner of the data folder. */
  open(): Promise<void> {
    return withoutLeftovers(this.folder, FOLDER);
  }

  /** Resolves when the first bytes are there; `ended` is called when the process is gone, also when it never came up. */
  async start(order: ExportOrder, ended: () => void): Promise<ExportStream> {
    let stream: ExportStream;
    try {
      const own = await mkdtemp(join(this.folder, FOLDER));
      stream = new ExportStream(processIn(own, order), this.limits);
      // What is left there harms nobody, and is removed at the next start.
      void stream.gone.then(() => rm(own, { recursive: true, force: true })).then(ended, ended);
    } catch (error) {
      ended();
      throw error;
    }
    await stream.started;
    return stream;
  }
}

function processIn(folder: string, order: ExportOrder): ChildProcess {
  const command = [process.execPath, ...ENTRY.execArgv, ENTRY.path];
  const child = spawn('sh', ['-c', PIPED, 'export', ...command], {
    cwd: folder,
    // A group of its own, so that all of it is ended at once.
    detached: true,
    // Nothing of the service's environment: it holds secrets.
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  expendable(child, 'work');
  // A failure to send is the end of the process, which the stream hears of.
  child.send(order, () => undefined);
  return child;
}

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
  private last: OrderMessage<never, void> | null = null;
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
    child.on('message', (message: OrderMessage<never, void>) => (this.last = message));
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
    else if (this.last?.kind === 'failed') this.destroy(fromWire({ ...this.last, kind: this.last.error }));
    else this.destroy(brokenOff());
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

/** What an export process is told; its working directory is its own folder. */
export interface ExportOrder extends Pick<WirePlot, 'asset' | 'from' | 'to'> {
  readonly format: FileFormat;
  readonly base: string;
  /** All later inserts, as Parquet; null when there are none. */
  readonly later: string | null;
  /** How many columns the table has. */
  readonly width: number;
  /** The columns that its rows lie together and are ordered by. */
  readonly meta: TableColumn;
  readonly time: TableColumn;
  /** Those wanted, in the order wanted. */
  readonly columns: readonly TableColumn[];
  /** Layouts of columns of times, by physical name; the others: ISO 8601. */
  readonly timeFormats: readonly (readonly [physical: string, layout: string])[];
}

const MOST_OF_A_COMPANY = 2;
const MOST = 4;
const RETRY_AFTER_S = 15;

/** How many exports run at once: few, so that one company's do not keep others waiting. */
export class ExportTurns {
  private readonly running = new Map<symbol, CompanyId>();

  /**
   * Lets one more run until what is returned is called.
   *
   * @throws AppError `rate_limited` when there are too many.
   */
  take(companyId: CompanyId): () => void {
    const own = [...this.running.values()].filter((one) => one === companyId).length;
    if (own >= MOST_OF_A_COMPANY) throw tooMany(`your company has ${own} exports running`);
    if (this.running.size >= MOST) throw tooMany('other exports are running');
    const turn = Symbol();
    this.running.set(turn, companyId);
    return () => {
      this.running.delete(turn);
    };
  }
}

function tooMany(why: string): AppError {
  return new AppError('rate_limited', `${why}: try again when one is done`, { retryAfter: RETRY_AFTER_S });
}
