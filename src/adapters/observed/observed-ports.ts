import { context, propagation, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import type { Attributes, Span, SpanOptions } from '@opentelemetry/api';
import type { JobHandler, JobHandlers, JobQueue } from '../../ports/job-queue.js';
import type { JobName } from '../../ports/jobs.js';
import type { Metrics } from '../../ports/metrics.js';
import type { RowEngine } from '../../ports/row-engine.js';
import type { RowReader } from '../../ports/row-reader.js';
import { failSpan, tracer } from '../../ports/tracing.js';

/** Does the work within a span, and tells how it ended and after how many seconds; its result and its error are the work's own. */
function observed<R>(
  { name, ...options }: SpanOptions & { readonly name: string },
  work: (span: Span) => Promise<R>,
  onEnd: (outcome: 'done' | 'failed', seconds: number) => void,
): Promise<R> {
  return tracer().startActiveSpan(name, options, async (span) => {
    const began = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    try {
      const result = await work(span);
      outcome = 'done';
      return result;
    } catch (error) {
      failSpan(span, error);
      throw error;
    } finally {
      span.end();
      onEnd(outcome, (performance.now() - began) / 1000);
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
  return observed({ name: `rows ${operation}`, kind: SpanKind.CLIENT, attributes }, work, (outcome, seconds) => {
    metrics.observe('row_query_duration_seconds', { operation, outcome }, seconds);
  });
}

export function observedReader(reader: RowReader, metrics: Metrics): RowReader {
  return withMethods(reader, {
    plot: (table, query) => asked(metrics, 'plot', () => reader.plot(table, query)),
    profile: (table) => asked(metrics, 'profile', () => reader.profile(table)),
    distinctMetadata: (table, query) => asked(metrics, 'metadata', () => reader.distinctMetadata(table, query)),
    analyze: (table, plan, limits) => asked(metrics, 'analyze', () => reader.analyze(table, plan, limits)),
    query: (table, statement, limits) => asked(metrics, 'query', () => reader.query(table, statement, limits)),
  });
}

export function observedEngine(engine: RowEngine, metrics: Metrics): RowEngine {
  return withMethods(engine, {
    load: async (table, source, watch) => {
      const attributes = { files: source.files.length, columns: source.columns.length };
      const start = { name: 'rows import', kind: SpanKind.CLIENT, attributes };
      const work = async (span: Span): ReturnType<RowEngine['load']> => {
        const loaded = await engine.load(table, source, watch);
        span.setAttributes({ rows: loaded.rows, rejected: loaded.rejected });
        return loaded;
      };
      const report = await observed(start, work, (outcome, seconds) => {
        metrics.observe('import_duration_seconds', { outcome }, seconds);
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

export function observedQueue(queue: JobQueue, metrics: Metrics): JobQueue {
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

function observedHandler<N extends JobName>(name: N, handler: JobHandler<N>, metrics: Metrics): JobHandler<N> {
  return {
    run: (payload, signal) => {
      // Beside its own a payload carries the trace that it was asked for in.
      const cause = trace.getSpanContext(propagation.extract(ROOT_CONTEXT, payload));
      // A trace of its own, which the one that it was asked for in led to.
      const origin = cause === undefined ? {} : { root: true, links: [{ context: cause }] };
      const start = { name: `job ${name}`, kind: SpanKind.CONSUMER, ...origin };
      return observed(
        start,
        () => handler.run(payload, signal),
        (outcome, seconds) => {
          metrics.observe('job_duration_seconds', { job: name, outcome }, seconds);
        },
      );
    },
    giveUp: (payload, error) => {
      metrics.count('jobs_given_up_total', { job: name });
      return handler.giveUp(payload, error);
    },
  };
}
