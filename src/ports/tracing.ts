/** What a span says of its work: sizes, kinds and counts; never texts of people, cells of rows, addresses or names. */
export type SpanFacts = Readonly<Record<string, string | number | boolean>>;

/** A piece of work whose time is taken. */
export interface Span {
  add(facts: SpanFacts): void;
  /** It did not do what it should have. The kind of the error is told, its message is not. */
  fail(error: unknown): void;
  end(): void;
  /** Runs the work so that spans which begin in it belong to this one. */
  run<R>(work: () => R): R;
}

export interface SpanStart {
  readonly name: string;
  readonly kind: 'server' | 'client' | 'consumer' | 'internal';
  readonly facts?: SpanFacts;
  /** A W3C `traceparent` that this span goes on from, instead of the one that is active. */
  readonly parent?: string | null;
  /** A `traceparent` that led to this span, which begins a trace of its own. */
  readonly causedBy?: string | null;
}

/** Tells how long work took and what it was part of. Never throws, and costs nothing when nobody wants it. */
export abstract class Tracing {
  abstract readonly on: boolean;
  abstract begin(start: SpanStart): Span;
  /** The active span as a W3C `traceparent`; null when there is none. */
  abstract current(): string | null;
  /** Sends what is not sent yet, for a few seconds at most. */
  abstract stop(): Promise<void>;
}

const NO_SPAN: Span = {
  add: () => undefined,
  fail: () => undefined,
  end: () => undefined,
  run: (work) => work(),
};

class NoTracing extends Tracing {
  override readonly on = false;
  override begin(): Span {
    return NO_SPAN;
  }
  override current(): null {
    return null;
  }
  override stop(): Promise<void> {
    return Promise.resolve();
  }
}

export const NO_TRACING: Tracing = new NoTracing();
