import { type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { isAppError } from '../shared/app-error.js';

/** Sends how long work took and what it was part of. Without one, `@opentelemetry/api` does nothing. */
export abstract class Tracing {
  abstract readonly on: boolean;
  /** Sends what is not sent yet, for a few seconds at most. */
  abstract stop(): Promise<void>;
}

export const NO_TRACING: Tracing = { on: false, stop: () => Promise.resolve() };

export const SCOPE = 'data-analytics-service';

/** A span says sizes, kinds and counts of its work; never texts of people, cells of rows, addresses or names. */
export function tracer(): Tracer {
  return trace.getTracer(SCOPE);
}

/** The work did not do what it should have. The kind of the error is told; its message can quote a question or a cell. */
export function failSpan(span: Span, error: unknown): void {
  span.setAttribute('error.type', kindOf(error));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

export function kindOf(error: unknown): string {
  if (isAppError(error)) return error.kind;
  return error instanceof Error ? error.name : 'unknown';
}
