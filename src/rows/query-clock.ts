import type { DuckDBConnection } from '@duckdb/node-api';
import { AppError } from '../shared/app-error.js';

/** An interrupt is lost on a connection that happens to be between two of the engine's calls, so it is repeated. */
const INTERRUPT_EVERY_MS = 50;

/** Interrupts the connection when the time is over, or before when it is cut, until it is disposed of. */
export class QueryClock implements Disposable {
  isOver = false;
  private repeat: NodeJS.Timeout | null = null;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly connection: DuckDBConnection,
    timeoutMs: number,
    private readonly cut?: AbortSignal,
  ) {
    this.timer = setTimeout(this.end, timeoutMs);
    cut?.addEventListener('abort', this.end);
  }

  assertTime(): void {
    if (this.isOver) throw new AppError('timed_out', 'the time is over');
  }

  [Symbol.dispose](): void {
    clearTimeout(this.timer);
    this.cut?.removeEventListener('abort', this.end);
    if (this.repeat) clearInterval(this.repeat);
  }

  private readonly end = (): void => {
    if (this.isOver) return;
    this.isOver = true;
    this.connection.interrupt();
    this.repeat = setInterval(() => {
      this.connection.interrupt();
    }, INTERRUPT_EVERY_MS);
  };
}
