import { AppError } from '../../shared/app-error.js';

/** Lets so many run at once; the others wait in line, and when the line is full they are turned away. */
export class FairSemaphore {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(
    private readonly atOnce: number,
    private readonly maxWaiting: number,
  ) {}

  /** @throws AppError `unavailable` when too many wait already. */
  async run<R>(work: () => Promise<R>): Promise<R> {
    await this.#enter();
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(): Promise<void> {
    if (this.#running < this.atOnce) {
      this.#running += 1;
      return Promise.resolve();
    }
    if (this.#waiting.length >= this.maxWaiting) {
      return Promise.reject(new AppError('unavailable', 'too many requests at once', { retryAfter: 1 }));
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Hands the place to the next in line, so that nobody slips in between. */
  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
