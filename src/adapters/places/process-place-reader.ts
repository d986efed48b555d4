import type { ChildProcess } from 'node:child_process';
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

  /** One child, and the limits it runs under. Null: there is nothing new. */
  private run(place: Place, unless: FileVersion | null, signal: AbortSignal): Promise<FetchedFile | null> {
    signal.throwIfAborted();
    const { timeoutMs, minBytesPerSecond } = this.limits;
    const isFile = ['https', 's3'].includes(place.kind);
    const what = isFile ? 'what the place sends' : 'a row of the query';
    const process = forked(childEntry(import.meta.url, './place.process'), { heapMb: HEAP_MB, output: 'pipe' });
    const tooMuchMemory = new AppError('invalid_input', `${what} takes too much memory`);
    const child = new WatchedChild(process, { memoryBytes: MEMORY_BYTES, tooMuchMemory, signal });
    const seconds = Math.round(timeoutMs / SECOND);
    child.endAfter(timeoutMs, new AppError('timed_out', `the place took longer than ${seconds} seconds`));
    const source = sourceOf(process);
    const order: PlaceOrder = { place, unless, rules: { ...this.rules, queryMs: timeoutMs } };
    return new Promise((resolve, reject) => {
      const onTold = (told: PlaceTold): void => {
        if (told !== null && isFile) watchFlow(process, child, minBytesPerSecond);
        resolve(told === null ? null : { source, ...told });
      };
      const died = (): AppError => new AppError('unavailable', 'the process that fetches died', { retryAfter: 2 });
      child.work<PlaceTold, null>(order, { onTold, died }).then(
        () => {
          source.end();
          reject(new Error('the place sent nothing'));
        },
        (error: unknown) => {
          const failure = error instanceof Error ? error : new Error('the fetch was ended');
          source.destroy(failure);
          reject(failure);
        },
      );
    });
  }
}

/** What the process writes. */
function sourceOf(process: ChildProcess): PassThrough {
  const source = new PassThrough();
  // Nobody may listen yet, or any more; without a listener that would end this process.
  source.on('error', () => undefined);
  // Whoever takes the bytes wants no more of them: then nobody asks why.
  source.once('close', () => process.kill('SIGKILL'));
  process.stdout?.pipe(source, { end: false });
  return source;
}

function watchFlow({ stdout }: ChildProcess, child: WatchedChild, least: number): void {
  let [bytes, seconds] = [0, -FLOW_SECONDS];
  stdout?.on('data', (chunk: Buffer) => (bytes += chunk.length));
  const timer = setInterval(() => {
    seconds += 1;
    if (bytes < seconds * least) child.end(new AppError('timed_out', 'the place sends the file too slowly'));
  }, SECOND);
  void child.gone.then(() => {
    clearInterval(timer);
  });
}
