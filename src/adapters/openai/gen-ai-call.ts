import { metrics, type Attributes, type MetricOptions, type Span, SpanKind } from '@opentelemetry/api';
import type { EmbeddingConfig } from '../../config/app-config.js';
import type { TokenUsage } from '../../ports/chat-model.js';
import { failSpan, kindOf, SCOPE, tracer } from '../../ports/tracing.js';
import { DEFAULT_BASE_URL } from './endpoint.js';

const DURATION: MetricOptions = {
  description: 'GenAI operation duration.',
  unit: 's',
  advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 2 ** power / 100) },
};
const TOKENS: MetricOptions = {
  description: 'Number of input and output tokens used.',
  unit: '{token}',
  advice: { explicitBucketBoundaries: Array.from({ length: 14 }, (_, power) => 4 ** power) },
};

/** The conventions' own names; whoever is not among them is told apart by `server.address`. */
const PROVIDERS: readonly (readonly [host: RegExp, name: string])[] = [
  [/\.openai\.azure\.com$/, 'azure.ai.openai'],
  [/(^|\.)anthropic\.com$/, 'anthropic'],
  [/(^|\.)deepseek\.com$/, 'deepseek'],
  [/(^|\.)generativelanguage\.googleapis\.com$/, 'gcp.gemini'],
  [/(^|-)aiplatform\.googleapis\.com$/, 'gcp.vertex_ai'],
  [/(^|\.)groq\.com$/, 'groq'],
  [/(^|\.)mistral\.ai$/, 'mistral_ai'],
  [/(^|\.)perplexity\.ai$/, 'perplexity'],
  [/(^|\.)x\.ai$/, 'x_ai'],
];

/**
 * One request to a model as OpenTelemetry's conventions tell of it: the span `chat gpt-…`, its time and its tokens. Without an SDK
 * nothing of it happens. Texts are never part of it.
 *
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-spans/,
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-metrics/
 */
export class GenAiCall {
  private readonly attributes: Attributes;
  private readonly span: Span;
  private readonly began = performance.now();
  private failure: Attributes = {};

  /** `facts` are of the request, by the conventions' names. */
  constructor(operation: 'chat' | 'embeddings', { model, baseUrl }: EmbeddingConfig, facts: Attributes = {}) {
    this.attributes = {
      'gen_ai.operation.name': operation,
      'gen_ai.request.model': model,
      ...serverOf(baseUrl ?? DEFAULT_BASE_URL),
    };
    const attributes = { ...this.attributes, ...facts };
    this.span = tracer().startSpan(`${operation} ${model}`, { kind: SpanKind.CLIENT, attributes });
  }

  done(usage: TokenUsage | null, finish?: string): void {
    if (finish !== undefined) this.span.setAttribute('gen_ai.response.finish_reasons', [finish]);
    if (usage === null) return;
    this.span.setAttributes({
      'gen_ai.usage.input_tokens': usage.input,
      'gen_ai.usage.output_tokens': usage.output,
      'gen_ai.usage.cache_read.input_tokens': usage.cached,
    });
    const tokens = metrics.getMeter(SCOPE).createHistogram('gen_ai.client.token.usage', TOKENS);
    tokens.record(usage.input, { ...this.attributes, 'gen_ai.token.type': 'input' });
    if (usage.output > 0) tokens.record(usage.output, { ...this.attributes, 'gen_ai.token.type': 'output' });
  }

  failed(error: unknown): void {
    this.failure = { 'error.type': kindOf(error) };
    failSpan(this.span, error);
  }

  end(): void {
    this.span.end();
    const duration = metrics.getMeter(SCOPE).createHistogram('gen_ai.client.operation.duration', DURATION);
    duration.record((performance.now() - this.began) / 1000, { ...this.attributes, ...this.failure });
  }
}

/** An endpoint that speaks like OpenAI's is `openai` unless its host says more. */
function serverOf(baseUrl: string): Attributes {
  const { hostname, port, protocol } = new URL(baseUrl);
  const known = PROVIDERS.find(([host]) => host.test(hostname));
  return {
    'gen_ai.provider.name': known?.[1] ?? 'openai',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'http:' ? 80 : 443) : Number(port),
  };
}
