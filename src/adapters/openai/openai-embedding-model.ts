import { z } from 'zod';
import type { EmbeddingConfig } from '../../config/app-config.js';
import { EmbeddingModel, ofLengthOne } from '../../ports/embedding-model.js';
import { AppError } from '../../shared/app-error.js';
import { Deadline } from '../../shared/deadline.js';
import { KeyedSemaphore } from '../../shared/keyed-semaphore.js';
import { fieldsOf } from './endpoint.js';
import { GenAiCall } from './gen-ai-call.js';
import { modelFailure, RETRY_PAUSE_MS, withRetries } from './model-failure.js';

const BATCH = 64;
const BATCHES_AT_ONCE = 3;
/** About what the usual models read, even where a character is a token or more. */
const MAX_TEXT = 6000;

/** Sends one request and returns the body of its answer, whatever that is. */
type Request = (texts: readonly string[], signal: AbortSignal) => Promise<unknown>;

/** Any endpoint that speaks the OpenAI embeddings protocol. A text is read up to its 6,000th character. */
export class OpenAiEmbeddingModel extends EmbeddingModel {
  override readonly weight = 1;
  private client: Promise<Request> | null = null;

  constructor(
    private readonly config: EmbeddingConfig,
    private readonly retryPauseMs = RETRY_PAUSE_MS,
  ) {
    super();
  }

  override get name(): string {
    return this.config.model;
  }

  override async embed(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const failed = new AbortController();
    const either = AbortSignal.any([signal, failed.signal]);
    const turns = new KeyedSemaphore(BATCHES_AT_ONCE);
    try {
      const whole = texts.map(presentable);
      const batches = Array.from({ length: Math.ceil(whole.length / BATCH) }, (_, at) =>
        turns.run('', () => this.embedBatch(whole.slice(at * BATCH, (at + 1) * BATCH), either)),
      );
      const vectors = (await Promise.all(batches)).flat();
      if (vectors.every(({ length }) => length === vectors[0]?.length)) return vectors;
      throw new AppError('unavailable', 'the embedding model sent vectors of different lengths');
    } catch (error) {
      signal.throwIfAborted();
      throw unavailable(error);
    } finally {
      // Nobody waits for the requests beside the one that failed.
      failed.abort();
    }
  }

  private async embedBatch(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    signal.throwIfAborted();
    const call = new GenAiCall('embeddings', this.config);
    try {
      return await withRetries(() => this.attempt(texts, call, signal), this.retryPauseMs, signal);
    } catch (error) {
      call.failed(error);
      throw error;
    } finally {
      call.end();
    }
  }

  private async attempt(texts: readonly string[], call: GenAiCall, signal: AbortSignal): Promise<Float32Array[]> {
    this.client ??= connect(this.config);
    const request = await this.client;
    signal.throwIfAborted();
    using deadline = new Deadline(this.config.timeoutMs);
    const answer = answerSchema.safeParse(await request(texts, AbortSignal.any([signal, deadline.signal])));
    if (!answer.success) throw unreadable('sent something unreadable');
    const vectors = vectorsOf(answer.data, texts.length);
    const input = answer.data.usage?.prompt_tokens ?? null;
    call.done(input === null ? null : { input, output: 0, cached: 0 });
    return vectors;
  }
}

/** What every endpoint takes: never empty, and without half characters, which some refuse. */
function presentable(text: string): string {
  const whole = text.slice(0, MAX_TEXT).toWellFormed();
  return whole.trim() === '' ? '-' : whole;
}

/** Nothing about a text makes a request wrong for ever, so callers hear of one kind of failure only. */
function unavailable(error: unknown): AppError {
  const failure = modelFailure(error);
  if (failure.kind === 'unavailable') return failure;
  return new AppError('unavailable', 'a text is too long for the embedding model', { cause: failure.cause });
}

/**
 * The library takes 0.4 s to load, so whoever has no endpoint never loads it. It passes no signal on, retries in ways that can't be
 * interrupted and ignores the order that an endpoint gives; its own request is used, with a signal of ours in its way to the network.
 */
async function connect(config: EmbeddingConfig): Promise<Request> {
  const { OpenAIEmbeddings } = await import('@langchain/openai');
  class Endpoint extends OpenAIEmbeddings {
    request(texts: readonly string[]): Promise<unknown> {
      return this.embeddingWithRetry({ model: config.model, input: [...texts], encoding_format: 'float' });
    }
  }
  return (texts, signal) => {
    const fetchAs: typeof fetch = (url, init) => {
      const signals = [signal, init?.signal].filter((each) => each != null);
      return fetch(url, { ...init, signal: AbortSignal.any(signals) });
    };
    return new Endpoint(fieldsOf(config, fetchAs)).request(texts);
  };
}

const answerSchema = z.object({
  data: z.array(z.object({ index: z.number().nullish(), embedding: z.unknown() })),
  usage: z.object({ prompt_tokens: z.number().nullish() }).nullish().catch(null),
});
type Answer = z.infer<typeof answerSchema>;

/**
 * The vectors of an endpoint's answer in the order of the texts, each brought to length 1.
 *
 * @throws AppError `unavailable` when there are more or fewer than `count`, or one is no vector.
 */
function vectorsOf({ data }: Answer, count: number): Float32Array[] {
  if (data.length !== count) throw unreadable('did not send one vector for each text');
  return inOrder(data).map(({ embedding }) => vectorOf(embedding));
}

/** Endpoints may answer in any order and say so; one whose numbers make no sense is taken to keep the order. */
function inOrder(data: Answer['data']): Answer['data'] {
  const ordered = new Array<Answer['data'][number] | undefined>(data.length).fill(undefined);
  for (const place of data) ordered[place.index ?? -1] ??= place;
  const whole = ordered.filter((place) => place !== undefined);
  return whole.length === data.length ? whole : data;
}

/** Some servers send base64 to everybody: four bytes a number, the least significant first. */
function numbersOf(embedding: unknown): Float32Array {
  if (typeof embedding === 'string') {
    const bytes = Buffer.from(embedding, 'base64');
    if (bytes.length % 4 !== 0) throw unreadable('sent something unreadable');
    return Float32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4));
  }
  if (!Array.isArray(embedding)) throw unreadable('sent something unreadable');
  const numbers: readonly unknown[] = embedding;
  // Whatever is no number becomes NaN, which is refused with the rest.
  return Float32Array.from(numbers, (value) => (typeof value === 'number' ? value : NaN));
}

function vectorOf(embedding: unknown): Float32Array {
  const vector = ofLengthOne(numbersOf(embedding));
  if (vector === null) throw unreadable('sent a vector that says nothing');
  return vector;
}

function unreadable(what: string): AppError {
  return new AppError('unavailable', `the embedding model ${what}`);
}
