import { AppError } from '../../shared/app-error.js';

interface Waiting {
  readonly go: () => void;
  readonly fail: (error: AppError) => void;
}

/** Lets a number of callers through at once and a number of others wait, first come, first served. */
export class SandboxTurns {
  private running = 0;
  private waiting: readonly Waiting[] = [];
  private closed = false;

  constructor(
    private readonly atOnce: number,
    private readonly mostWaiting: number,
  ) {}

  /**
   * Resolves with the function that gives the turn back.
   *
   * @throws AppError `unavailable` when too many wait already, or the turn does not come in time
   */
  async take(withinMs: number): Promise<() => void> {
    if (this.closed) throw busy();
    if (this.running >= this.atOnce) await this.wait(withinMs);
    else this.running++;
    let isBack = false;
    return () => {
      if (!isBack) this.giveBack();
      isBack = true;
    };
  }

  /** Nobody gets a turn any more. */
  close(): void {
    this.closed = true;
    for (const waiting of this.waiting) waiting.fail(busy());
    this.waiting = [];
  }

  private wait(withinMs: number): Promise<void> {
    if (this.waiting.length >= this.mostWaiting) throw busy();
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting = this.waiting.filter((other) => other !== waiting);
        reject(busy());
      }, withinMs);
      const waiting: Waiting = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
        fail: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.waiting = [...this.waiting, waiting];
    });
  }

  /** The turn goes to whoever waits longest, or is free. */
  private giveBack(): void {
    const [first, ...others] = this.waiting;
    this.waiting = others;
    if (first) first.go();
    else this.running--;
  }
}

function busy(): AppError {
  return new AppError('unavailable', 'too many queries are running; try again in a moment', { retryAfter: 2 });
}
