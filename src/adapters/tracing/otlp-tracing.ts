import { context, metrics, propagation, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { JsonMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from '../../config/app-config.js';
import type { Log } from '../../ports/log.js';
import { Outage } from '../../ports/outage.js';
import { Tracing } from '../../ports/tracing.js';
import { within } from '../../shared/within.js';

function outageOf(what: 'traces' | 'metrics', log: Log): Outage {
  const lines = { begun: `${what} are lost: their receiver does not take them`, over: `${what} are sent again` };
  return new Outage(log, lines);
}

/** Sends spans by another exporter, and tells when their receiver is away. */
export function telling(exporter: SpanExporter, log: Log): SpanExporter {
  const outage = outageOf('traces', log);
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        // Its enumeration is that of another version of the package.
        if (result.error === undefined && String(result.code) === '0') outage.succeeded();
        else outage.failed();
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

const FLUSH_MS = 4_000;
const EXPORT_MS = 5_000;
const METRICS_EVERY_MS = 60_000;

/**
 * Sends traces, and the figures of models' calls, to an OTLP receiver over HTTP, in batches and in the background. A receiver that is
 * away costs nothing but the spans, and is told to the log once. It is registered for the whole process, so that whoever calls
 * `@opentelemetry/api` is heard, until it stops.
 */
export class OtlpTracing extends Tracing {
  override readonly on = true;
  private readonly provider: NodeTracerProvider;
  private readonly meters: MeterProvider | null = null;

  constructor(config: TracingConfig, log: Log) {
    super();
    const { url, headers, attributes, sampler, ratio } = config;
    const resource = defaultResource().merge(resourceFromAttributes(attributes));
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_MS });
    this.provider = new NodeTracerProvider({
      resource,
      sampler: samplerOf(sampler, ratio),
      spanProcessors: [new BatchSpanProcessor(telling(exporter, log))],
    });
    this.provider.register({ propagator: new W3CTraceContextPropagator() });
    if (config.metricsUrl === null) return;
    this.meters = new MeterProvider({ resource, readers: [readerFor(config.metricsUrl, headers, log)] });
    metrics.setGlobalMeterProvider(this.meters);
  }

  override async stop(): Promise<void> {
    // A receiver that hangs must not hold up the stop, nor one that is away end it with an error.
    await within(Promise.allSettled([this.provider.shutdown(), this.meters?.shutdown()]), FLUSH_MS);
    trace.disable();
    context.disable();
    propagation.disable();
    metrics.disable();
  }
}

function readerFor(url: string, headers: TracingConfig['headers'], log: Log): PeriodicExportingMetricReader {
  const outage = outageOf('metrics', log);
  const send = async (body: Uint8Array): Promise<void> => {
    const signal = AbortSignal.timeout(EXPORT_MS);
    const sent = { ...headers, 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers: sent, body: Buffer.from(body), signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error('not taken');
  };
  const exporter: PushMetricExporter = {
    export: (measured, done) => {
      // What a receiver does not take comes again with the next figures, which are sums since the start.
      send(JsonMetricsSerializer.serializeRequest(measured) ?? new Uint8Array()).then(
        () => {
          outage.succeeded();
          done({ code: ExportResultCode.SUCCESS });
        },
        () => {
          outage.failed();
          done({ code: ExportResultCode.FAILED });
        },
      );
    },
    forceFlush: () => Promise.resolve(),
    shutdown: () => Promise.resolve(),
  };
  const times = { exportIntervalMillis: METRICS_EVERY_MS, exportTimeoutMillis: EXPORT_MS };
  return new PeriodicExportingMetricReader({ exporter, ...times });
}

/** Decides which traces are kept, by OpenTelemetry's names; `parentbased_…` does what the caller's trace does. */
function samplerOf(name: TracingConfig['sampler'], ratio: number): Sampler {
  const root = name.endsWith('always_on')
    ? new AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new AlwaysOffSampler()
      : new TraceIdRatioBasedSampler(ratio);
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
