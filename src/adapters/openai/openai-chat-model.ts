import type { ModelConfig } from '../../config/app-config.js';
import { type Briefing, ChatModel, type ModelDelta, type ModelRequest } from '../../ports/chat-model.js';
import { type Metrics, NO_METRICS } from '../../ports/metrics.js';
import { AppError } from '../../shared/app-error.js';
import {
  type Asked,
  type ChatRequest,
  chatRequest,
  Conversation,
  type ModelRound,
  type ResponsesRequest,
  responsesRequest,
} from './chat-request.js';
import { CompletionDeltas } from './completion-deltas.js';
import { fieldsOf } from './endpoint.js';
import { GenAiCall } from './gen-ai-call.js';
import { modelFailure, RETRY_PAUSE_MS, withRetries } from './model-failure.js';
import { ModelProfile } from './model-profile.js';
import { promptFor, SECRET_RULES } from './prompt.js';
import { fetchReadably, refusalOf } from './refusal.js';
import { ResponseDeltas } from './response-deltas.js';
import { SpokenText } from './spoken-text.js';

/**
 * Breaks off what listens to its signal when nothing is heard for too long, or when the caller's signal aborts. A time-out of the
 * HTTP client ends with the headers; a stream can fall silent later.
 */
class SilenceWatch {
  private readonly controller = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  /** It was the silence that ended it. */
  broke = false;
  readonly signal: AbortSignal;

  constructor(caller: AbortSignal) {
    this.signal = AbortSignal.any([caller, this.controller.signal]);
  }

  /** Something was heard; the next sign must come within that time. */
  expectWithin(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.broke = true;
      this.controller.abort();
    }, ms);
  }

  stop(): void {
    clearTimeout(this.timer);
    // Closes the connection of a stream that nobody reads to its end.
    this.controller.abort();
  }
}

/** An endpoint that has refused so many forms of one request will refuse the next one too. */
const MOST_LESSONS = 8;
/** How long the count of tokens, which comes after the end, is waited for. */
const AFTER_END_MS = 2000;
/** So many times longer a model may be silent that thinks without showing it. */
const THINKING_PATIENCE = 4;

/** Any endpoint that speaks the OpenAI protocol: chat completions, or the Responses API where the model wants it. */
export class OpenAiChatModel extends ChatModel {
  override readonly writesFreely = true;
  private clients: ReturnType<typeof connect> | null = null;
  private readonly conversations = new WeakMap<Briefing, Conversation>();

  constructor(
    private readonly config: ModelConfig,
    private readonly retryPauseMs = RETRY_PAUSE_MS,
    private readonly profile = new ModelProfile(config),
    private readonly metrics: Metrics = NO_METRICS,
  ) {
    super();
  }

  get name(): string {
    return this.config.model;
  }

  override async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    signal.throwIfAborted();
    const { temperature } = this.config;
    const facts = { 'gen_ai.request.temperature': temperature, 'gen_ai.request.max_tokens': this.profile.maxTokens };
    const call = new GenAiCall('chat', this.config, facts);
    const began = performance.now();
    // Whoever stops listening has stopped the round.
    let outcome = 'stopped';
    try {
      for await (const delta of this.round(request, signal)) {
        if (delta.kind === 'end') {
          outcome = 'done';
          call.done(delta.usage ?? null, delta.reason);
          this.metrics.count('model_tokens_total', {}, delta.tokens ?? 0);
        }
        yield delta;
      }
    } catch (error) {
      outcome = signal.aborted ? 'stopped' : 'failed';
      call.failed(error);
      throw error;
    } finally {
      call.end();
      const seconds = (performance.now() - began) / 1000;
      this.metrics.observe('model_call_duration_seconds', { engine: 'model', outcome }, seconds);
    }
  }

  private async *round(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const conversation = this.conversations.get(request.briefing) ?? new Conversation();
    this.conversations.set(request.briefing, conversation);
    const messages = promptFor(request, conversation.boundary, this.profile.room);
    const { tools } = request;
    const asked = { messages, tools, conversation, temperature: this.config.temperature };
    const waits = tools.length > 0 && request.exchanges.length === 0;
    const silence = new SilenceWatch(signal);
    try {
      const begin = (): Promise<Begun> => this.begin(asked, silence.signal);
      const { chunks, round } = await withRetries(begin, this.retryPauseMs, silence.signal);
      const heard = new HeardRound(asked, round, waits || this.profile.thinksUnmarked);
      const patience = this.config.timeoutMs * (this.profile.isSilentThinker ? THINKING_PATIENCE : 1);
      silence.expectWithin(patience);
      try {
        for await (const chunk of chunks) {
          yield* heard.read(chunk);
          silence.expectWithin(round.end === null ? patience : AFTER_END_MS);
        }
        silence.signal.throwIfAborted();
      } catch (error) {
        signal.throwIfAborted();
        // Whatever breaks after the end costs the count of tokens at most.
        if (round.end === null)
          throw silence.broke ? new AppError('unavailable', 'the model did not go on') : modelFailure(error);
      }
      if (round.end === null) throw new AppError('unavailable', 'the model broke off');
      silence.stop();
      yield* heard.rest();
      this.profile.thinksUnmarked ||= heard.spoken.unmarked;
      yield round.end;
    } finally {
      silence.stop();
    }
  }

  /**
   * Sends the request, in another form as long as refusals teach one. It goes past the library's own `stream`, which would report prompts to
   * a tracing service if an environment variable of that name happened to be set, merges chunks by rules of its own, and can't be
   * interrupted while it waits to try again.
   */
  private async begin(asked: Asked, signal: AbortSignal): Promise<Begun> {
    for (let lessons = 0; ; lessons += 1) {
      const { api, limit, refusals } = this.profile;
      const known = refusals.size;
      const body = api === 'responses' ? responsesRequest(asked, this.profile) : chatRequest(asked, this.profile);
      try {
        return await this.send(body, signal);
      } catch (error) {
        signal.throwIfAborted();
        const refusal = refusalOf(error);
        if (lessons === MOST_LESSONS || refusal === null) throw error;
        const hasLearned = this.profile.learn(refusal, { api, limit, parameters: Object.keys(body) });
        // Another question may have learned the same meanwhile.
        if (!hasLearned && refusals.size === known) throw error;
      }
    }
  }

  private async send(body: ChatRequest | ResponsesRequest, signal: AbortSignal): Promise<Begun> {
    const asked = { model: this.config.model, stream: true } as const;
    this.clients ??= connect(this.config);
    const { chat, responses } = await this.clients;
    return 'messages' in body
      ? { chunks: await chat.completionWithRetry({ ...body, ...asked }, { signal }), round: new CompletionDeltas() }
      : { chunks: await responses.completionWithRetry({ ...body, ...asked }, { signal }), round: new ResponseDeltas() };
  }
}

interface Begun {
  readonly chunks: AsyncIterable<unknown>;
  readonly round: ModelRound;
}

/** One round as its listener may hear it: without thoughts and without our own rules, and with an id for every call. */
class HeardRound {
  private readonly guard = new PromptGuard(SECRET_RULES);
  readonly spoken: SpokenText;
  private readonly ids = new Map<string, string>();

  constructor(
    private readonly asked: Asked,
    private readonly round: ModelRound,
    waits: boolean,
  ) {
    this.spoken = new SpokenText(
      asked.tools.map(({ name }) => name),
      waits,
    );
  }

  *read(chunk: unknown): Generator<ModelDelta> {
    yield* this.told(this.spoken.passed(this.round.read(chunk)));
  }

  /** What was held back, when nothing follows. */
  *rest(): Generator<ModelDelta> {
    yield* this.told(this.spoken.rest());
    const text = this.guard.end();
    if (text !== '') yield { kind: 'text', text };
    this.asked.conversation.keep(this.ids, this.round.kept);
  }

  private *told(deltas: Iterable<ModelDelta>): Generator<ModelDelta> {
    for (const delta of deltas) {
      if (delta.kind === 'text') yield { ...delta, text: this.guard.push(delta.text) };
      else yield delta.kind === 'call' ? { ...delta, id: this.idOf(delta.key, delta.id) } : delta;
    }
  }

  /** Some servers give calls no id, and then none of another round may have the same. */
  private idOf(key: string, given: string | null): string {
    const made = `${String(this.asked.messages.length).padStart(5, '0')}${String(this.ids.size).padStart(4, '0')}`;
    const id = this.ids.get(key) ?? given ?? made;
    this.ids.set(key, id);
    return id;
  }
}

/** The library takes 0.4 s to load, so whoever has no model never loads it. */
async function connect(config: ModelConfig) {
  const { ChatOpenAICompletions: Chat, ChatOpenAIResponses: Responses } = await import('@langchain/openai');
  const fields = fieldsOf(config, fetchReadably);
  return { chat: new Chat(fields), responses: new Responses(fields) };
}

/** As many words that stand side by side in the rules are no coincidence. */
const MOST_WORDS = 10;
/** Text is held back from here on, until it is told whether it goes on like the rules. */
const HELD_FROM = 4;
const NO_PART_OF_A_WORD = /[^\p{L}\p{N}]+/gu;

/**
 * Keeps what a model was told as its rules out of what it writes, however it was talked into repeating them: word for word, in any
 * case and with any punctuation. It works on a stream; text that is not like the rules passes at once.
 */
export class PromptGuard {
  private readonly words: readonly string[];
  private readonly places = new Map<string, number[]>();
  /** Where in the rules the last words stand, and how many of them go on from each other. */
  private ends: readonly number[] = [];
  private run = 0;
  private word = '';
  private held = '';

  constructor(rules: string) {
    this.words = rules
      .split(/\s+/)
      .map(plain)
      .filter((word) => word !== '');
    for (const [place, word] of this.words.entries()) this.places.set(word, [...(this.places.get(word) ?? []), place]);
  }

  /** What may go out now; it can be empty. */
  push(text: string): string {
    let told = '';
    for (const character of text) {
      if (/\s/.test(character)) told += this.endWord();
      else this.word += character;
      // What will not go out need not be kept.
      if (this.run < HELD_FROM) told += character;
      else if (this.run < MOST_WORDS) this.held += character;
    }
    return told;
  }

  /** What was held back. Nothing follows. */
  end(): string {
    const told = this.endWord();
    const rest = this.run >= MOST_WORDS ? '…' : this.held;
    this.held = '';
    this.run = 0;
    return told + rest;
  }

  /** What goes out because a word has ended. */
  private endWord(): string {
    const raw = this.word;
    const word = plain(raw);
    this.word = '';
    if (word === '') return '';
    const next = this.ends.map((place) => place + 1).filter((place) => this.words[place] === word);
    if (next.length > 0) {
      this.ends = next;
      this.run += 1;
      return '';
    }
    const told = this.run >= MOST_WORDS ? `… ${raw}` : this.held;
    this.held = '';
    this.ends = this.places.get(word) ?? [];
    this.run = this.ends.length > 0 ? 1 : 0;
    return told;
  }
}

function plain(word: string): string {
  return word.toLowerCase().replace(NO_PART_OF_A_WORD, '');
}
