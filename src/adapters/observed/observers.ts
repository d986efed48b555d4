import type { Metrics } from '../../ports/metrics.js';
import type { SpanFacts, SpanStart, Tracing } from '../../ports/tracing.js';

/** Who wants to know what ports are asked and how long they take. */
export interface Observers {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

export interface Ended {
  readonly seconds: number;
  readonly outcome: 'done' | 'failed';
}

/** Does the work within a span, and tells how long it took; its result and its error are the work's own. */
export async function observed<R>(
  { tracing }: Observers,
  start: SpanStart,
  work: () => Promise<R>,
  tell: { readonly ended: (ended: Ended) => void; readonly facts?: (result: R) => SpanFacts },
): Promise<R> {
  const span = tracing.begin(start);
  const began = performance.now();
  let outcome: Ended['outcome'] = 'failed';
  try {
    const result = await span.run(work);
    outcome = 'done';
    if (tell.facts !== undefined) span.add(tell.facts(result));
    return result;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
    tell.ended({ seconds: (performance.now() - began) / 1000, outcome });
  }
}
