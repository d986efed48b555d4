import { AppError } from '../shared/app-error.js';

const LOOK_MS = 25;
/** What is shorter is not what fills the memory. */
const LONG_MS = 250;
/** What was ended gives its memory back within this. */
const RESPITE_MS = 250;

interface Watched {
  readonly since: number;
  readonly end: AbortController;
}

/** Work that is ended when the process takes too much memory, until it is disposed of. */
export interface WatchedWork extends Disposable {
  readonly tooMuch: AbortSignal;
}

/** Ends what runs longest when the process takes more memory than it may: the database's own limit does not count what a median collects. */
export class EngineMemory {
  private readonly running = new Set<Watched>();
  private endedAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly mostBytes: number,
    private readonly bytes: () => number = () => process.memoryUsage.rss(),
  ) {}

  watch(): WatchedWork {
    const work = { since: performance.now(), end: new AbortController() };
    this.running.add(work);
    this.timer ??= setInterval(() => {
      this.look();
    }, LOOK_MS);
    return {
      tooMuch: work.end.signal,
      [Symbol.dispose]: () => {
        this.running.delete(work);
        if (this.running.size > 0) return;
        clearInterval(this.timer);
        this.timer = undefined;
      },
    };
  }

  private look(): void {
    const now = performance.now();
    // In the order in which they began.
    const [longest] = this.running;
    if (longest === undefined || now - longest.since < LONG_MS || now - this.endedAt < RESPITE_MS) return;
    if (this.bytes() <= this.mostBytes) return;
    this.endedAt = now;
    this.running.delete(longest);
    longest.end.abort(new AppError('unavailable', 'not enough memory for this'));
  }
}
