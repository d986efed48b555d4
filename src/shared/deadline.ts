/**
 * A signal that aborts with a `TimeoutError` after a time, unless it is disposed of before. Unlike that of `AbortSignal.timeout`, which only
 * `AbortSignal.any` may refer to, it is never collected before its time.
 */
export class Deadline implements Disposable {
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(ms: number) {
    this.timer = setTimeout(() => {
      this.controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    }, ms);
    this.timer.unref();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
  }
}
