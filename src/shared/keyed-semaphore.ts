import { AppError } from './app-error.js';

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/** Lets so many works of one key run at once; the others of that key wait, in the order in which they came, and nobody else does. */
export class KeyedSemaphore {
  private readonly lines = new Map<string, Line>();

  constructor(
    private readonly atOnce = 1,
    private readonly maxWaiting = Number.POSITIVE_INFINITY,
    private readonly whenFull: 'rate_limited' | 'unavailable' = 'rate_limited',
  ) {}

  /** @throws AppError, of the kind `whenFull`, when too many of the key wait already; the signal's reason when it aborts before its turn. */
  async run<T>(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    const line = this.lines.get(key) ?? { running: 0, waiting: [] };
    this.lines.set(key, line);
    await this.enter(line, signal);
    try {
      return await work();
    } finally {
      this.leave(key, line);
    }
  }

  private async enter(line: Line, signal: AbortSignal | undefined): Promise<void> {
    if (line.running < this.atOnce) {
      line.running += 1;
      return;
    }
    if (line.waiting.length >= this.maxWaiting) {
      throw new AppError(this.whenFull, 'too many requests of this kind at once', { retryAfter: 1 });
    }
    await new Promise<void>((enter, leave) => {
      const abort = (): void => {
        line.waiting.splice(line.waiting.indexOf(go), 1);
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason, whatever it is
        leave(signal?.reason);
      };
      const go = (): void => {
        signal?.removeEventListener('abort', abort);
        enter();
      };
      signal?.addEventListener('abort', abort, { once: true });
      line.waiting.push(go);
    });
  }

  /** Hands the place to the next in line, so that nobody slips in between. */
  private leave(key: string, line: Line): void {
    const next = line.waiting.shift();
    if (next !== undefined) {
      next();
      return;
    }
    line.running -= 1;
    if (line.running === 0) this.lines.delete(key);
  }
}
