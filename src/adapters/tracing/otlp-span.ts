import type { Span as ApiSpan, SpanStatusCode } from '@opentelemetry/api';
import { isAppError } from '../../shared/app-error.js';
import type { Span, SpanFacts } from '../../ports/tracing.js';

/** A span of OpenTelemetry's, once ended for good. */
export class OtlpSpan implements Span {
  private ended = false;

  constructor(
    private readonly span: ApiSpan,
    private readonly activate: <R>(work: () => R) => R,
    private readonly errorCode: SpanStatusCode,
  ) {}

  add(facts: SpanFacts): void {
    this.span.setAttributes(facts);
  }

  /** Messages of errors can quote a question or a cell. */
  fail(error: unknown): void {
    this.span.setAttribute('error.type', kindOf(error));
    this.span.setStatus({ code: this.errorCode });
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.span.end();
  }

  run<R>(work: () => R): R {
    return this.activate(work);
  }
}

function kindOf(error: unknown): string {
  if (isAppError(error)) return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}
