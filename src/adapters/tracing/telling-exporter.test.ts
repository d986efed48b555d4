import { describe, expect, it } from 'vitest';
import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import { telling } from './otlp-tracing.js';

const [SUCCESS, FAILED] = [0, 1];

describe('a receiver of traces', () => {
  it('that goes away is told of once, and once when it is back', () => {
    const given = [SUCCESS, FAILED, FAILED, FAILED, SUCCESS, SUCCESS, FAILED];
    const codes = [...given];
    const receiver: SpanExporter = {
      export: (_spans, done) => {
        done({ code: codes.shift() ?? SUCCESS });
      },
      shutdown: () => Promise.resolve(),
    };
    const lines: string[] = [];
    const hear = (line: string): void => void lines.push(line);
    const exporter = telling(receiver, { info: hear, warn: hear, error: hear });
    const results: number[] = [];
    for (let batch = 0; batch < 7; batch += 1) exporter.export([], ({ code }) => results.push(code));
    expect(results).toEqual(given);
    const lost = 'traces are lost: their receiver does not take them';
    expect(lines).toEqual([lost, 'traces are sent again', lost]);
  });
});
