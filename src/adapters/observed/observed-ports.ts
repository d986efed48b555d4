import { JobQueue, type JobHandler, type JobHandlers } from '../../ports/job-queue.js';
import type { JobName, JobPayloads } from '../../ports/jobs.js';
import type { Metrics } from '../../ports/metrics.js';
import { RowEngine } from '../../ports/row-engine.js';
import { RowReader } from '../../ports/row-reader.js';
import type { SpanFacts, SpanStart, Tracing } from '../../ports/tracing.js';

/** Who wants to know what ports are asked and how long they take. */
export interface Observers {
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

/** The same port, with what it is asked counted and traced. What is no port that anybody observes is as it was. */
export function observedPort(port: unknown, observers: Observers): unknown {
  if (port instanceof JobQueue) return observedQueue(port, observers);
  if (port instanceof RowEngine) return observedEngine(port, observers);
  return port instanceof RowReader ? observedReader(port, observers) : port;
}

interface Ended {
  readonly seconds: number;
  readonly outcome: 'done' | 'failed';
}

/** Does the work within a span, and tells how long it took; its result and its error are the work's own. */
async function observed<R>(
  tracing: Tracing,
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

/** The same object with some methods of its own; the others, and what they call, are the object's. */
function withMethods<T extends object>(target: T, own: Partial<T>): T {
  return new Proxy(target, {
    get(_, name): unknown {
      const value: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Measures a question to the row store. */
function asked<R>(
  { metrics, tracing }: Observers,
  operation: string,
  work: () => Promise<R>,
  facts: SpanFacts = {},
): Promise<R> {
  return observed(tracing, { name: `rows ${operation}`, kind: 'client', facts }, work, {
    ended: ({ seconds, outcome }) => {
      metrics.observe('row_query_duration_seconds', { operation, outcome }, seconds);
    },
  });
}

function observedReader(reader: RowReader, observers: Observers): RowReader {
  return withMethods(reader, {
    plot: (table, query) => asked(observers, 'plot', () => reader.plot(table, query)),
    profile: (table) => asked(observers, 'profile', () => reader.profile(table)),
    distinctMetadata: (table, query) => asked(observers, 'metadata', () => reader.distinctMetadata(table, query)),
    analyze: (table, plan, limits) => asked(observers, 'analyze', () => reader.analyze(table, plan, limits)),
    query: (table, statement, limits) => asked(observers, 'query', () => reader.query(table, statement, limits)),
  });
}

function observedEngine(engine: RowEngine, observers: Observers): RowEngine {
  const { metrics, tracing } = observers;
  return withMethods(engine, {
    load: async (table, source, watch) => {
      const facts = { files: source.files.length, columns: source.columns.length };
      const start = { name: 'rows import', kind: 'client', facts } as const;
      const report = await observed(tracing, start, () => engine.load(table, source, watch), {
        ended: ({ seconds, outcome }) => {
          metrics.observe('import_duration_seconds', { outcome }, seconds);
        },
        facts: ({ rows, rejected }) => ({ rows, rejected }),
      });
      for (const { rows, size } of report.files) {
        metrics.count('import_rows_total', { result: 'kept' }, rows);
        metrics.count('import_bytes_total', {}, size);
      }
      metrics.count('import_rows_total', { result: 'rejected' }, report.rejected);
      return report;
    },
    append: async (table, rows, batch) => {
      const work = (): ReturnType<RowEngine['append']> => engine.append(table, rows, batch);
      const appended = await asked(observers, 'append', work, { rows: rows.length });
      if (appended.earlierNote === null) metrics.count('inserted_rows_total', {}, rows.length);
      return appended;
    },
    compact: (table, signal) => asked(observers, 'compact', () => engine.compact(table, signal)),
  });
}

function observedQueue(queue: JobQueue, observers: Observers): JobQueue {
  const { metrics, tracing } = observers;
  metrics.watch('jobs_waiting', async () => {
    const waiting = await queue.waiting();
    return Object.entries(waiting).map(([job, value]) => ({ labels: { job }, value }));
  });
  return withMethods(queue, {
    enqueue: (name, key, payload) => {
      metrics.count('jobs_enqueued_total', { job: name });
      const traceparent = tracing.current();
      return queue.enqueue(name, key, traceparent === null ? payload : { ...payload, traceparent });
    },
    start: (handlers) => {
      const entries = Object.entries(handlers) as [JobName, JobHandler<JobName>][];
      const watched = entries.map(([name, handler]) => [name, new ObservedHandler(name, handler, observers)]);
      queue.start(Object.fromEntries(watched) as JobHandlers);
    },
  });
}

/** What a payload carries to its run beside its own: the trace that it was asked for in. */
interface Traced {
  readonly traceparent?: string;
}

class ObservedHandler<N extends JobName> implements JobHandler<N> {
  constructor(
    private readonly name: N,
    private readonly handler: JobHandler<N>,
    private readonly observers: Observers,
  ) {}

  run(payload: JobPayloads[N] & Traced, signal: AbortSignal): Promise<void> {
    const { metrics, tracing } = this.observers;
    const start = { name: `job ${this.name}`, kind: 'consumer', causedBy: payload.traceparent ?? null } as const;
    return observed(tracing, start, () => this.handler.run(payload, signal), {
      ended: ({ seconds, outcome }) => {
        metrics.observe('job_duration_seconds', { job: this.name, outcome }, seconds);
      },
    });
  }

  giveUp(payload: JobPayloads[N], error: Error): Promise<void> {
    this.observers.metrics.count('jobs_given_up_total', { job: this.name });
    return this.handler.giveUp(payload, error);
  }
}
