import { describe, expect, it } from 'vitest';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { Log } from '../../ports/log.js';
import { TellingExporter } from './otlp-tracing.js';

class HeardLog extends Log {
  readonly lines: string[] = [];
  override info(message: string): void {
    this.lines.push(message);
  }
  override warn(message: string): void {
    this.lines.push(message);
  }
  override error(message: string): void {
    this.lines.push(message);
  }
}

const [SUCCESS, FAILED] = [0, 1];

describe('a receiver of traces', () => {
  it('that goes away is told of once, and once when it is back', () => {
    const codes = [SUCCESS, FAILED, FAILED, FAILED, SUCCESS, SUCCESS, FAILED];
    const receiver: SpanExporter = {
      export: (_spans, done) => {
        done({ code: codes.shift() ?? SUCCESS });
      },
      shutdown: () => Promise.resolve(),
    };
    const log = new HeardLog();
    const exporter = new TellingExporter(receiver, log);
    const results: number[] = [];
    for (let batch = 0; batch < 7; batch += 1) exporter.export([], ({ code }) => results.push(code));
    expect(results).toEqual([SUCCESS, FAILED, FAILED, FAILED, SUCCESS, SUCCESS, FAILED]);
    const lost = 'traces are lost: their receiver does not take them';
    expect(log.lines).toEqual([lost, 'traces are sent again', lost]);
  });
});
