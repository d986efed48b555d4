import { type ChildProcess, fork } from 'node:child_process';
import { PassThrough, type Readable } from 'node:stream';
import { type FetchedFile, type FileVersion, type Place, PlaceReader } from '../../ports/place-reader.js';
import { AppError } from '../../shared/app-error.js';
import { childEntry } from '../processes/child-entry.js';
import { expendable } from '../processes/expendable.js';
import { MemoryWatch } from '../processes/memory-watch.js';
import type { PlaceMessage, PlaceOrder, PlaceRules } from './place-protocol.js';

const MEMORY_BYTES = 512 * 1024 ** 2;
const HEAP_MB = 192;
const SECOND = 1000;
/** As long a file may take to come into its flow. */
const FLOW_SECONDS = 30;

export interface PlaceLimits {
  /** Of a whole fetch. */
  readonly timeoutMs: number;
  /** A file that comes more slowly is given up; a database may think as long as the whole may take. */
  readonly minBytesPerSecond: number;
}

/** Each place is asked by a process of its own, which is watched for memory and time; its bytes pass this process unread. */
export class ProcessPlaceReader extends PlaceReader {
  constructor(
    private readonly rules: Omit<PlaceRules, 'queryMs'>,
    private readonly limits: PlaceLimits,
  ) {
    super();
  }

  override async open(place: Place, signal: AbortSignal): Promise<FetchedFile> {
    const file = await this.run(place, null, signal);
    if (file === null) throw new Error('the place has nothing new, and nobody asked for that alone');
    return file;
  }

  override openChanged(place: Place, version: FileVersion, signal: AbortSignal): Promise<FetchedFile | null> {
    return this.run(place, version, signal);
  }

  private run(place: Place, unless: FileVersion | null, signal: AbortSignal): Promise<FetchedFile | null> {
    signal.throwIfAborted();
    const rules = { ...this.rules, queryMs: this.limits.timeoutMs };
    return new PlaceRun({ place, unless, rules }, this.limits, signal).opened;
  }
}

/** One child, and the limits it runs under. */
class PlaceRun {
  /** Null: there is nothing new. */
  readonly opened: Promise<FetchedFile | null>;
  private readonly child: ChildProcess;
  private readonly source = new PassThrough();
  private readonly watches: Disposable[] = [];
  private outcome: Extract<PlaceMessage, { kind: 'done' | 'failed' }> | null = null;
  /** Why it was ended before it was done. */
  private ended: { readonly reason: unknown } | null = null;
  private bytes = 0;

  constructor(order: PlaceOrder, limits: PlaceLimits, signal: AbortSignal) {
    const { path, execArgv } = childEntry(import.meta.url, './place.process');
    this.child = fork(path, [], {
      execArgv: [...execArgv, `--max-old-space-size=${HEAP_MB}`],
      // Nothing of the service's environment, which has secrets.
      env: { TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    });
    expendable(this.child, 'stranger');
    this.opened = new Promise((resolve, reject) => {
      this.child.on('message', (message: PlaceMessage) => {
        if (message.kind === 'unchanged') resolve(null);
        else if (message.kind === 'opened') {
          if (['https', 's3'].includes(order.place.kind)) this.watchFlow(limits.minBytesPerSecond);
          resolve({ source: this.source, written: message.written, version: message.version });
        } else this.outcome = message;
      });
      this.child.once('close', () => {
        reject(this.close());
      });
      this.child.once('error', () => {
        reject(this.close());
      });
    });
    this.watch(order.place, limits, signal);
    // A child that is gone is noticed by its end.
    this.child.send(order, () => undefined);
  }

  private watch({ kind }: Place, { timeoutMs }: PlaceLimits, signal: AbortSignal): void {
    const memory = new MemoryWatch(this.child.pid ?? 0, MEMORY_BYTES, () => {
      const what = kind === 'postgresql' || kind === 'mysql' ? 'a row of the query' : 'what the place sends';
      this.end(new AppError('invalid_input', `${what} takes too much memory`));
    });
    const tooLate = setTimeout(() => {
      this.end(new AppError('timed_out', `the place took longer than ${Math.round(timeoutMs / SECOND)} seconds`));
    }, timeoutMs);
    const abort = (): void => {
      this.end(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
    // Nobody may listen yet, or any more; without a listener that would end this process.
    this.source.on('error', () => undefined);
    // Whoever takes the bytes wants no more of them: then nobody asks why.
    this.source.once('close', () => this.child.kill('SIGKILL'));
    this.watches.push({
      [Symbol.dispose]: () => {
        memory.stop();
        clearTimeout(tooLate);
        signal.removeEventListener('abort', abort);
      },
    });
    const output: Readable | null = this.child.stdout;
    output?.on('data', (chunk: Buffer) => (this.bytes += chunk.length));
    output?.pipe(this.source, { end: false });
  }

  private watchFlow(least: number): void {
    let seconds = -FLOW_SECONDS;
    const timer = setInterval(() => {
      seconds += 1;
      if (this.bytes < seconds * least) this.end(new AppError('timed_out', 'the place sends the file too slowly'));
    }, SECOND);
    this.watches.push({
      [Symbol.dispose]: () => {
        clearInterval(timer);
      },
    });
  }

  /** Whatever it is doing; what was asked fails with the reason. */
  private end(reason: unknown): void {
    this.ended ??= { reason };
    this.child.kill('SIGKILL');
  }

  /** The child is gone, and all that it wrote is read. Gives why it is not done, if it is not. */
  private close(): Error {
    for (const watch of this.watches) watch[Symbol.dispose]();
    const failure = this.failure();
    if (failure === null) this.source.end();
    else this.source.destroy(failure);
    return failure ?? new Error('the place sent nothing');
  }

  private failure(): Error | null {
    if (this.ended !== null)
      return this.ended.reason instanceof Error ? this.ended.reason : new Error('the fetch was ended');
    if (this.outcome === null) return new AppError('unavailable', 'the process that fetches died', { retryAfter: 2 });
    if (this.outcome.kind === 'done') return null;
    const { error, message } = this.outcome;
    return error === null ? new Error(message) : new AppError(error, message);
  }
}
