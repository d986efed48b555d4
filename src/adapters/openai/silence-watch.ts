/**
 * Breaks off what listens to its signal when nothing is heard for too long, or when the caller's signal aborts. A time-out of the
 * HTTP client ends with the headers; a stream can fall silent later.
 */
export class SilenceWatch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private isBroken = false;
  readonly signal: AbortSignal;

  constructor(caller: AbortSignal) {
    this.signal = AbortSignal.any([caller, this.controller.signal]);
  }

  /** It was the silence that ended it. */
  get broke(): boolean {
    return this.isBroken;
  }

  /** Something was heard; the next sign must come within that time. */
  expectWithin(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.isBroken = true;
      this.controller.abort();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    // Closes the connection of a stream that nobody reads to its end.
    this.controller.abort();
  }
}
