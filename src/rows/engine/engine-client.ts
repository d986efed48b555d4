import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { childEntry } from '../../adapters/processes/child-entry.js';
import { expendable } from '../../adapters/processes/expendable.js';
import type { StorageConfig } from '../../config/app-config.js';
import { type CsvDescription, CsvInspector, type WrittenCsv } from '../../ports/csv-inspector.js';
import type { DecimalSign } from '../../shared/number-notation.js';
import { AppError } from '../../shared/app-error.js';
import { within } from '../../shared/within.js';
import { fromWire } from '../process-error.js';
import { RowFiles } from '../row-files.js';
import {
  type EngineCommand,
  type EngineMessage,
  type EngineOperation,
  type InputOf,
  LacksBatches,
  type OutputOf,
} from './engine-protocol.js';

/** How long after its time, to wait and then to be worked on, a request is waited for before the engine counts as stuck and is ended. */
const GRACE_MS = 5000;
/** How long a request waits for an engine that is being started again. */
const START_PATIENCE_MS = 5000;
const STOP_PATIENCE_MS = 5000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 10_000;
/** An engine that lived this long did not die of its start. */
const HEALTHY_MS = 60_000;
const RETRY_AFTER_S = 2;

/** Whoever is told of a file opens it within a minute. */
export const KEEP_MS = 60_000;

type Reply = Extract<EngineMessage, { readonly id: number }>;

/**
 * The service's side of the row engine: starts its process, asks it, and starts it again when it dies. What was asked of an engine
 * that died fails at once; nothing hangs.
 */
export class EngineProcess {
  private readonly files: RowFiles;
  /** Who waits for an answer; null: the engine died. */
  private readonly pending = new Map<number, (reply: Reply | null) => void>();
  private child: ChildProcess | null = null;
  private ready: Promise<void> | null = null;
  private lastId = 0;
  private failures = 0;
  private starts = 0;
  private readonly stopping = new AbortController();

  constructor(
    private readonly storage: StorageConfig,
    private readonly keepMs = KEEP_MS,
  ) {
    this.files = new RowFiles(storage.dataDir);
  }

  /** How often the process had to be started again. */
  get restarts(): number {
    return Math.max(0, this.starts - 1);
  }

  /** The process' id, while there is one. */
  get pid(): number | null {
    return this.child?.pid ?? null;
  }

  /** @throws AppError `unavailable` when another service works on the same data folder. */
  async start(): Promise<void> {
    await this.files.prepare();
    this.ready = this.launch();
    await this.ready;
    // Only who holds the lock knows that these belong to nobody.
    await this.files.clean();
  }

  /** @throws AppError as the operation says, `unavailable` when the engine is away; LacksBatches when it has to be told more. */
  async request<O extends EngineOperation>(operation: O, input: InputOf<O>, timeoutMs: number): Promise<OutputOf<O>> {
    const child = await this.running();
    const id = ++this.lastId;
    const heard = new Promise<Reply | null>((resolve) => {
      this.pending.set(id, resolve);
    });
    const died = (): void => {
      this.pending.get(id)?.(null);
    };
    const timer = setTimeout(
      () => {
        child.kill('SIGKILL');
        died();
      },
      2 * timeoutMs + GRACE_MS,
    );
    tell(child, { kind: 'request', request: { id, operation, input, timeoutMs } }, died);
    const reply = await heard;
    clearTimeout(timer);
    this.pending.delete(id);
    switch (reply?.kind) {
      case 'answer':
        return reply.output as OutputOf<O>;
      case 'lacks':
        throw new LacksBatches(reply.above);
      case 'failure':
        throw fromWire(reply.error);
      case undefined:
        throw new AppError('unavailable', 'the row engine was restarted', { retryAfter: RETRY_AFTER_S });
    }
  }

  /** Closes the files in order; an engine that does not end by itself is ended. */
  async stop(): Promise<void> {
    this.stopping.abort();
    const { child } = this;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    tell(child, { kind: 'stop' });
    await within(closed, STOP_PATIENCE_MS, () => child.kill('SIGKILL'));
    await closed;
  }

  private async running(): Promise<ChildProcess> {
    if (this.stopping.signal.aborted || !this.ready) throw away();
    // Why it can't be started was told by `start` or is tried again; whoever asks now only hears that it is away.
    await within(
      this.ready.catch(() => undefined),
      START_PATIENCE_MS,
    );
    if (!this.child?.connected) throw away();
    return this.child;
  }

  /** Starts a process and resolves when it answers. */
  private async launch(): Promise<void> {
    const { path, execArgv } = childEntry(import.meta.url, './engine.process');
    const child = fork(path, [], {
      execArgv: [...execArgv],
      // Nothing of the service's environment but what the database needs: more threads than libuv's four for its statements.
      env: { TZ: 'UTC', UV_THREADPOOL_SIZE: '16' },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    expendable(child, 'engine');
    const born = Date.now();
    await new Promise<void>((resolve, reject) => {
      child.on('message', (message: EngineMessage) => {
        if (message.kind === 'ready') {
          this.child = child;
          this.starts += 1;
          child.once('close', () => {
            this.onEnd(child, born);
          });
          resolve();
        } else if (message.kind === 'refused') {
          child.kill('SIGKILL');
          reject(fromWire(message.error));
        } else this.pending.get(message.id)?.(message);
      });
      child.once('error', reject);
      child.once('close', () => {
        reject(away());
      });
      tell(child, {
        kind: 'start',
        start: {
          lock: this.files.lock,
          dataDir: this.storage.dataDir,
          laterFolder: this.files.later,
          memoryMb: this.storage.engineMemoryMb,
          processMb: this.storage.engineProcessMb ?? Number.MAX_SAFE_INTEGER,
          keepMs: this.keepMs,
        },
      });
    });
  }

  /** Fails what waited for it and starts another. */
  private onEnd(child: ChildProcess, born: number): void {
    if (this.child === child) this.child = null;
    for (const hear of this.pending.values()) hear(null);
    if (this.stopping.signal.aborted) return;
    this.failures = Date.now() - born > HEALTHY_MS ? 0 : this.failures + 1;
    this.ready = this.relaunch();
    // Requests find out by themselves that it is away.
    this.ready.catch(() => undefined);
  }

  private async relaunch(): Promise<void> {
    for (;;) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** this.failures, LONGEST_PAUSE_MS);
      await wait(pause, undefined, { signal: this.stopping.signal });
      try {
        await this.launch();
        return;
      } catch {
        // Tried again after a longer pause, until it works or the service stops.
        this.failures++;
      }
    }
  }
}

function away(): AppError {
  return new AppError('unavailable', 'the row engine is not running', { retryAfter: RETRY_AFTER_S });
}

/** A process that is gone is noticed by its end; `failed` is for who would otherwise wait for an answer. */
function tell(child: ChildProcess, command: EngineCommand, failed?: () => void): void {
  child.send(command, (error) => {
    if (error) failed?.();
  });
}

/** More than any file needs: the inspector reads a fixed amount. */
const DESCRIBE_MS = 15_000;

/** What of the row engine's process is needed here. */
interface DescribingEngine {
  request(operation: 'describe', input: InputOf<'describe'>, timeoutMs: number): Promise<CsvDescription>;
}

/** Looks into CSV files in the row engine's process, so that nobody's bytes are parsed in that of the API. */
export class EngineCsvInspector extends CsvInspector {
  constructor(private readonly engine: DescribingEngine) {
    super();
  }

  override describe(path: string, written?: WrittenCsv, usualDecimal?: DecimalSign): Promise<CsvDescription> {
    return this.engine.request('describe', { path, written, usualDecimal }, DESCRIBE_MS);
  }
}
