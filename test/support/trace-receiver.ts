import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface ReceivedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: { readonly code?: number };
}

export interface ReceivedMetric {
  readonly name: string;
  readonly unit?: string;
  readonly histogram: {
    readonly dataPoints: readonly {
      readonly attributes: ReceivedSpan['attributes'];
      readonly count: number;
      readonly sum: number;
      readonly explicitBounds: readonly number[];
    }[];
  };
}

interface Batch {
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
  }[];
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: ReceivedSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

/** Takes traces and metrics in OTLP's JSON over HTTP, as a collector does. */
export class TraceReceiver implements AsyncDisposable {
  readonly spans: ReceivedSpan[] = [];
  readonly metrics: ReceivedMetric[] = [];
  readonly resource = new Map<string, unknown>();
  /** Everything that was sent, as it was sent. */
  raw = '';
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      void text(request).then((body) => {
        this.take(body);
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
  }

  static async start(): Promise<TraceReceiver> {
    const receiver = new TraceReceiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  named(name: string): ReceivedSpan[] {
    return this.spans.filter((span) => span.name === name);
  }

  /** The first of that name. */
  one(name: string): ReceivedSpan {
    const [span] = this.named(name);
    if (span === undefined)
      throw new Error(`no span was called ${name}, but ${this.spans.map((each) => each.name).join()}`);
    return span;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private take(body: string): void {
    this.raw += body;
    const { resourceMetrics = [], resourceSpans = [] } = JSON.parse(body) as Batch;
    this.metrics.push(...resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics)));
    for (const { resource, scopeSpans } of resourceSpans) {
      for (const { key, value } of resource.attributes) this.resource.set(key, Object.values(value)[0]);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
  }
}
