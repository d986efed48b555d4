/** Lets so many work at once; the others wait in the order in which they came, and may give up. */
export class ReadingTurns {
  private running = 0;
  private waiting: readonly (() => void)[] = [];

  constructor(private readonly atOnce: number) {}

  /** Does the work when it is its turn; rejects with the signal's reason when it is aborted before. */
  async run<R>(work: () => Promise<R>, signal: AbortSignal): Promise<R> {
    signal.throwIfAborted();
    if (this.running >= this.atOnce) await this.wait(signal);
    else this.running++;
    try {
      return await work();
    } finally {
      this.handOn();
    }
  }

  private wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting = this.waiting.filter((other) => other !== go);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's own reason, whatever it is
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting = [...this.waiting, go];
    });
  }

  /** The turn goes to whoever waits longest, or is free. */
  private handOn(): void {
    const [first, ...others] = this.waiting;
    this.waiting = others;
    if (first) first();
    else this.running--;
  }
}
