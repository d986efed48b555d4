import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  type SpanOptions,
  trace,
} from '@opentelemetry/api';
import { JobQueue, type JobHandler, type JobHandlers } from '../../ports/job-queue.js';
import type { JobName, JobPayloads } from '../../ports/jobs.js';
import type { Metrics } from '../../ports/metrics.js';
import { RowEngine } from '../../ports/row-engine.js';
import { RowReader } from '../../ports/row-reader.js';
import { failSpan, tracer } from '../../ports/tracing.js';

/** The same port, with what it is asked counted and traced. What is no port that anybody observes is as it was. */
export function observedPort(port: unknown, metrics: Metrics): unknown {
  if (port instanceof JobQueue) return observedQueue(port, metrics);
  if (port instanceof RowEngine) return observedEngine(port, metrics);
  return port instanceof RowReader ? observedReader(port, metrics) : port;
}

interface Ended {
  readonly seconds: number;
  readonly outcome: 'done' | 'failed';
}

/** Does the work within a span, and tells how long it took; its result and its error are the work's own. */
function observed<R>(
  { name, ...options }: SpanOptions & { readonly name: string },
  work: () => Promise<R>,
  tell: { readonly ended: (ended: Ended) => void; readonly facts?: (result: R) => Attributes },
): Promise<R> {
  return tracer().startActiveSpan(name, options, async (span) => {
    const began = performance.now();
    let outcome: Ended['outcome'] = 'failed';
    try {
      const result = await work();
      outcome = 'done';
      if (tell.facts !== undefined) span.setAttributes(tell.facts(result));
      return result;
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
      tell.ended({ seconds: (performance.now() - began) / 1000, outcome });
    }
  });
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
  metrics: Metrics,
  operation: string,
  work: () => Promise<R>,
  attributes: Attributes = {},
): Promise<R> {
  return observed({ name: `rows ${operation}`, kind: SpanKind.CLIENT, attributes }, work, {
    ended: ({ seconds, outcome }) => {
      metrics.observe('row_query_duration_seconds', { operation, outcome }, seconds);
    },
  });
}

function observedReader(reader: RowReader, metrics: Metrics): RowReader {
  return withMethods(reader, {
    plot: (table, query) => asked(metrics, 'plot', () => reader.plot(table, query)),
    profile: (table) => asked(metrics, 'profile', () => reader.profile(table)),
    distinctMetadata: (table, query) => asked(metrics, 'metadata', () => reader.distinctMetadata(table, query)),
    analyze: (table, plan, limits) => asked(metrics, 'analyze', () => reader.analyze(table, plan, limits)),
    query: (table, statement, limits) => asked(metrics, 'query', () => reader.query(table, statement, limits)),
  });
}

function observedEngine(engine: RowEngine, metrics: Metrics): RowEngine {
  return withMethods(engine, {
    load: async (table, source, watch) => {
      const attributes = { files: source.files.length, columns: source.columns.length };
      const start = { name: 'rows import', kind: SpanKind.CLIENT, attributes };
      const report = await observed(start, () => engine.load(table, source, watch), {
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
      const appended = await asked(metrics, 'append', work, { rows: rows.length });
      if (appended.earlierNote === null) metrics.count('inserted_rows_total', {}, rows.length);
      return appended;
    },
    compact: (table, signal) => asked(metrics, 'compact', () => engine.compact(table, signal)),
  });
}

function observedQueue(queue: JobQueue, metrics: Metrics): JobQueue {
  metrics.watch('jobs_waiting', async () => {
    const waiting = await queue.waiting();
    return Object.entries(waiting).map(([job, value]) => ({ labels: { job }, value }));
  });
  return withMethods(queue, {
    enqueue: (name, key, payload) => {
      metrics.count('jobs_enqueued_total', { job: name });
      const traced = { ...payload };
      propagation.inject(context.active(), traced);
      return queue.enqueue(name, key, traced);
    },
    start: (handlers) => {
      const entries = Object.entries(handlers) as [JobName, JobHandler<JobName>][];
      const watched = entries.map(([name, handler]) => [name, observedHandler(name, handler, metrics)]);
      queue.start(Object.fromEntries(watched) as JobHandlers);
    },
  });
}

/** What a payload carries to its run beside its own: the trace that it was asked for in. */
interface Traced {
  readonly traceparent?: string;
}

function observedHandler<N extends JobName>(name: N, handler: JobHandler<N>, metrics: Metrics): JobHandler<N> {
  return {
    run: (payload: JobPayloads[N] & Traced, signal) => {
      const cause = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, payload));
      // A trace of its own, which the one that it was asked for in led to.
      const origin = cause === undefined ? {} : { root: true, links: [{ context: cause }] };
      const start = { name: `job ${name}`, kind: SpanKind.CONSUMER, ...origin };
      return observed(start, () => handler.run(payload, signal), {
        ended: ({ seconds, outcome }) => {
          metrics.observe('job_duration_seconds', { job: name, outcome }, seconds);
        },
      });
    },
    giveUp: (payload, error) => {
      metrics.count('jobs_given_up_total', { job: name });
      return handler.giveUp(payload, error);
    },
  };
}
