import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from '../../ports/log.js';

/** Tells the log when the receiver goes away and when it is back, and not at every batch between. */
export class TellingExporter implements SpanExporter {
  private away = false;

  constructor(
    private readonly exporter: SpanExporter,
    private readonly log: Log,
  ) {}

  export(spans: ReadableSpan[], done: Parameters<SpanExporter['export']>[1]): void {
    this.exporter.export(spans, (result) => {
      // The library's own name for success is in a package that is none of ours.
      this.tell(result.error === undefined && String(result.code) === '0');
      done(result);
    });
  }

  shutdown(): Promise<void> {
    return this.exporter.shutdown();
  }

  forceFlush(): Promise<void> {
    return this.exporter.forceFlush?.() ?? Promise.resolve();
  }

  private tell(isThere: boolean): void {
    if (isThere === !this.away) return;
    this.away = !isThere;
    if (this.away) this.log.warn('traces are lost: their receiver does not take them');
    else this.log.info('traces are sent again');
  }
}
