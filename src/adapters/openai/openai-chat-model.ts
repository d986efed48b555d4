import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { ChatOpenAICompletions } from '@langchain/openai';
import type { ModelConfig } from '../../config/app-config.js';
import {
  ChatModel,
  type Briefing,
  type ModelDelta,
  type ModelRequest,
  type ToolDefinition,
} from '../../ports/chat-model.js';
import { AppError } from '../../shared/app-error.js';
import { CompletionDeltas } from './completion-deltas.js';
import { isPassing, modelFailure, retryAfterOf } from './model-failure.js';
import { PromptGuard } from './prompt-guard.js';
import { promptFor, SECRET_RULES } from './prompt.js';
import { SilenceWatch } from './silence-watch.js';

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
/** Servers without keys still want the header. */
const NO_KEY = 'none';
const MAX_TOKENS = 2000;
/** Thinking counts as well. */
const MAX_REASONING_TOKENS = 16_000;
const RETRIES = 2;
const RETRY_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;
/** How long the count of tokens, which comes after the end, is waited for. */
const AFTER_END_MS = 2000;

/** Any endpoint that speaks the OpenAI chat-completions protocol. */
export class OpenAiChatModel extends ChatModel {
  override readonly writesFreely = true;
  private client: Promise<ChatOpenAICompletions> | null = null;
  /** One word per question, so that the rounds of one answer begin alike and the provider can reuse what it has read. */
  private readonly boundaries = new WeakMap<Briefing, string>();

  constructor(
    private readonly config: ModelConfig,
    private readonly retryPauseMs = RETRY_PAUSE_MS,
  ) {
    super();
  }

  get name(): string {
    return this.config.model;
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    signal.throwIfAborted();
    const silence = new SilenceWatch(signal);
    const deltas = new CompletionDeltas();
    const guard = new PromptGuard(SECRET_RULES);
    try {
      const chunks = await this.begin(request, silence.signal);
      silence.expectWithin(this.config.timeoutMs);
      for await (const chunk of chunks) {
        yield* guard.passed(deltas.read(chunk));
        silence.expectWithin(deltas.end === null ? this.config.timeoutMs : AFTER_END_MS);
      }
      silence.signal.throwIfAborted();
    } catch (error) {
      signal.throwIfAborted();
      // Whatever breaks after the end costs the count of tokens at most.
      if (deltas.end === null) throw silence.broke ? tookTooLong() : modelFailure(error);
    } finally {
      silence.stop();
    }
    if (deltas.end === null) throw new AppError('unavailable', 'the model broke off');
    yield* guard.rest();
    yield deltas.end;
  }

  /**
   * Sends the request, again when that may help. It goes past the library's own `stream`, which would report prompts to a tracing
   * service if an environment variable of that name happened to be set, merges chunks by rules of its own, and can't be interrupted
   * while it waits to try again.
   */
  private async begin(request: ModelRequest, signal: AbortSignal): Promise<AsyncIterable<unknown>> {
    const client = await this.connected();
    const parameters = client.invocationParams({ tools: request.tools.map(toolParameter) }, { streaming: true });
    const messages = promptFor(request, this.boundaryOf(request.briefing));
    for (let retry = 0; ; retry += 1) {
      try {
        return await client.completionWithRetry({ ...parameters, messages, stream: true }, { signal });
      } catch (error) {
        signal.throwIfAborted();
        if (retry === RETRIES || !isPassing(error)) throw modelFailure(error);
        const wanted = (retryAfterOf(error) ?? 0) * 1000;
        if (wanted > MAX_PAUSE_MS) throw modelFailure(error);
        await pause(Math.max(wanted, this.retryPauseMs * 2 ** retry), undefined, { signal });
      }
    }
  }

  private boundaryOf(briefing: Briefing): string {
    const boundary = this.boundaries.get(briefing) ?? randomBytes(12).toString('hex');
    this.boundaries.set(briefing, boundary);
    return boundary;
  }

  /** The library takes 0.4 s to load, so whoever has no model never loads it. */
  private connected(): Promise<ChatOpenAICompletions> {
    this.client ??= connect(this.config);
    return this.client;
  }
}

/** Everything that the library would otherwise take from the environment is said. */
async function connect(config: ModelConfig): Promise<ChatOpenAICompletions> {
  const { ChatOpenAICompletions: Client } = await import('@langchain/openai');
  const thinks = isReasoningModel(config.model);
  return new Client({
    model: config.model,
    apiKey: config.apiKey ?? NO_KEY,
    // These models refuse any temperature but their own.
    ...(thinks ? {} : { temperature: config.temperature }),
    maxTokens: thinks ? MAX_REASONING_TOKENS : MAX_TOKENS,
    maxRetries: 0,
    timeout: config.timeoutMs,
    streamUsage: true,
    configuration: {
      baseURL: config.baseUrl ?? DEFAULT_BASE_URL,
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: 'off',
    },
  });
}

function isReasoningModel(model: string): boolean {
  return /^o\d/.test(model) || (model.startsWith('gpt-5') && !model.startsWith('gpt-5-chat'));
}

function toolParameter({ name, description, parameters }: ToolDefinition): {
  type: 'function';
  function: { name: string; description: string; parameters: Record<string, unknown> };
} {
  return { type: 'function', function: { name, description, parameters } };
}

function tookTooLong(): AppError {
  return new AppError('unavailable', 'the model did not go on');
}
