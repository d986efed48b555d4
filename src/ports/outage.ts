import { messageOf } from '../shared/app-error.js';
import type { Log } from './log.js';

/** Tells of something that is away once, however often it is tried, and once more when it is back. */
export class Outage {
  private lasts = false;

  constructor(
    private readonly log: Log,
    private readonly lines: { readonly begun: string; readonly over: string },
  ) {}

  failed(error?: unknown): void {
    const context = error === undefined ? {} : { reason: messageOf(error) };
    if (!this.lasts) this.log.warn(this.lines.begun, context);
    this.lasts = true;
  }

  succeeded(): void {
    if (this.lasts) this.log.info(this.lines.over);
    this.lasts = false;
  }
}
