import { PassThrough } from 'node:stream';
import { type FetchedFile, type FileVersion, type Place, PlaceReader } from '../../ports/place-reader.js';
import { AppError } from '../../shared/app-error.js';
import { childEntry } from '../processes/child-entry.js';
import { forked, WatchedChild } from '../processes/one-order.js';
import type { PlaceOrder, PlaceRules, PlaceTold } from './place-protocol.js';

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
  private readonly process = forked(childEntry(import.meta.url, './place.process'), {
    heapMb: HEAP_MB,
    output: 'pipe',
  });
  private readonly child: WatchedChild;
  private readonly source = new PassThrough();
  private bytes = 0;

  constructor(order: PlaceOrder, { timeoutMs, minBytesPerSecond }: PlaceLimits, signal: AbortSignal) {
    const isFile = ['https', 's3'].includes(order.place.kind);
    const what = isFile ? 'what the place sends' : 'a row of the query';
    this.child = new WatchedChild(this.process, {
      memoryBytes: MEMORY_BYTES,
      tooMuchMemory: new AppError('invalid_input', `${what} takes too much memory`),
      signal,
    });
    const seconds = Math.round(timeoutMs / SECOND);
    this.child.endAfter(timeoutMs, new AppError('timed_out', `the place took longer than ${seconds} seconds`));
    this.pipe();
    this.opened = new Promise((resolve, reject) => {
      const onTold = (told: PlaceTold): void => {
        if (told !== null && isFile) this.watchFlow(minBytesPerSecond);
        resolve(told === null ? null : { source: this.source, written: told.written, version: told.version });
      };
      const died = (): AppError => new AppError('unavailable', 'the process that fetches died', { retryAfter: 2 });
      this.child.work<PlaceTold, null>(order, { onTold, died }).then(
        () => {
          this.source.end();
          reject(new Error('the place sent nothing'));
        },
        (error: unknown) => {
          const failure = error instanceof Error ? error : new Error('the fetch was ended');
          this.source.destroy(failure);
          reject(failure);
        },
      );
    });
  }

  private pipe(): void {
    // Nobody may listen yet, or any more; without a listener that would end this process.
    this.source.on('error', () => undefined);
    // Whoever takes the bytes wants no more of them: then nobody asks why.
    this.source.once('close', () => this.process.kill('SIGKILL'));
    this.process.stdout?.on('data', (chunk: Buffer) => (this.bytes += chunk.length));
    this.process.stdout?.pipe(this.source, { end: false });
  }

  private watchFlow(least: number): void {
    let seconds = -FLOW_SECONDS;
    const timer = setInterval(() => {
      seconds += 1;
      if (this.bytes < seconds * least) {
        this.child.end(new AppError('timed_out', 'the place sends the file too slowly'));
      }
    }, SECOND);
    void this.child.gone.then(() => {
      clearInterval(timer);
    });
  }
}
