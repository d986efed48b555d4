import { AsyncLocalStorage } from 'node:async_hooks';
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Context,
  type Link,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from '../../config/app-config.js';
import type { Log } from '../../ports/log.js';
import { Tracing, type Span, type SpanStart } from '../../ports/tracing.js';
import { within } from '../../shared/within.js';
import { OtlpSpan } from './otlp-span.js';
import { samplerOf } from './sampler.js';
import { TellingExporter } from './telling-exporter.js';
import { remoteSpan, traceparentOf } from './traceparent.js';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
const FLUSH_MS = 4_000;
const EXPORT_MS = 5_000;

/**
 * Sends traces to an OTLP receiver over HTTP, in batches and in the background. A receiver that is away costs nothing but the spans,
 * and is told to the log once. Nothing is registered for the whole process: two applications in one process do not meet.
 */
export class OtlpTracing extends Tracing {
  override readonly on = true;
  private readonly active = new AsyncLocalStorage<Context>();
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  constructor({ url, headers, attributes, sampler, ratio }: TracingConfig, log: Log) {
    super();
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS });
    this.provider = new NodeTracerProvider({
      resource: defaultResource().merge(resourceFromAttributes(attributes)),
      sampler: samplerOf(sampler, ratio),
      spanProcessors: [new BatchSpanProcessor(new TellingExporter(exporter, log))],
    });
    this.tracer = this.provider.getTracer('data-analytics-service');
  }

  override begin({ name, kind, facts = {}, parent = null, causedBy = null }: SpanStart): Span {
    const remote = remoteSpan(parent);
    const cause = remoteSpan(causedBy);
    const links: Link[] = cause === null ? [] : [{ context: cause }];
    const active = this.active.getStore() ?? ROOT_CONTEXT;
    const from = remote === null ? active : trace.setSpanContext(ROOT_CONTEXT, remote);
    const options = { kind: KINDS[kind], attributes: facts, links, root: cause !== null };
    const span = this.tracer.startSpan(name, options, from);
    return new OtlpSpan(span, (work) => this.active.run(trace.setSpan(from, span), work), SpanStatusCode.ERROR);
  }

  override current(): string | null {
    const context = this.active.getStore();
    const span = context === undefined ? undefined : trace.getSpanContext(context);
    return span === undefined
      ? null
      : traceparentOf(span.traceId, span.spanId, (span.traceFlags & TraceFlags.SAMPLED) !== 0);
  }

  override async stop(): Promise<void> {
    // A receiver that hangs must not hold up the stop, nor one that is away end it with an error.
    await within(
      this.provider.shutdown().catch(() => undefined),
      FLUSH_MS,
    );
  }
}
