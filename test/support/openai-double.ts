import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';

export interface DoubleCall {
  readonly name: string;
  /** JSON text, sent in pieces as `content` is; cut it to play a model that broke off inside of it. */
  readonly arguments: string | readonly string[];
  readonly id?: string;
}

/** A model's call of `run_query`. */
export function queryCall(sql: string, purpose = 'x'): DoubleCall & { readonly arguments: string } {
  return { name: 'run_query', arguments: JSON.stringify({ sql, purpose }) };
}

/** What the double does with one request. */
export interface DoubleStep {
  /** Sent piece by piece; one text is sent in pieces of five characters. */
  readonly content?: string | readonly string[];
  readonly calls?: readonly DoubleCall[];
  /** `null`: the stream ends properly but never says why. By default what fits. */
  readonly finish?: string | null;
  readonly withoutUsage?: boolean;
  /** Instead of 10 tokens read and 5 written. */
  readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  /** Instead of a stream: this as JSON, of what was asked. */
  readonly json?: (body: DoubleRequestBody) => unknown;
  /** Instead of a stream: an HTTP error. */
  readonly status?: number;
  /** Seconds, of the error's `retry-after` header. */
  readonly retryAfter?: number;
  /** Text of the error's message. */
  readonly message?: string;
  readonly code?: string;
  readonly headersAfterMs?: number;
  readonly pieceAfterMs?: number;
  /** What happens after the pieces, instead of the end. */
  readonly then?: 'hang' | 'cut' | 'garbage' | 'error';
}

export interface DoubleRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: DoubleRequestBody;
  /** Resolves when the client has closed the connection or the answer is complete. */
  readonly closed: Promise<void>;
}

export interface DoubleRequestBody {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: string } }[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly temperature?: number;
  readonly max_tokens?: number;
  readonly stream?: boolean;
  /** Of a request for embeddings. */
  readonly input?: readonly string[];
  readonly encoding_format?: string;
}

/** A server that speaks the OpenAI chat-completions protocol and does, request by request, what its script says. */
export class OpenAiDouble implements AsyncDisposable {
  readonly requests: DoubleRequest[] = [];
  /** What it does when the script is over. */
  otherwise: (body: DoubleRequestBody) => DoubleStep = () => ({ status: 418, message: 'the script is over' });
  private readonly script: DoubleStep[];

  private constructor(
    private readonly server: FastifyInstance,
    script: readonly DoubleStep[],
  ) {
    this.script = [...script];
    server.all('/*', { logLevel: 'silent' }, async (request, reply) => {
      const closed = new Promise<void>((resolve) => reply.raw.once('close', resolve));
      const body = request.body as DoubleRequestBody;
      this.requests.push({ path: request.url, headers: request.headers, body, closed });
      await this.play(this.script.shift() ?? this.otherwise(body), body, reply);
    });
  }

  static async start(...script: readonly DoubleStep[]): Promise<OpenAiDouble> {
    const double = new OpenAiDouble(Fastify({ forceCloseConnections: true }), script);
    await double.server.listen({ port: 0, host: '127.0.0.1' });
    return double;
  }

  /** As `OPENAI_BASE_URL` wants it. */
  get baseUrl(): string {
    const address = this.server.server.address();
    if (address === null || typeof address === 'string') throw new Error('the double does not listen');
    return `http://127.0.0.1:${address.port}/v1`;
  }

  append(...steps: readonly DoubleStep[]): void {
    this.script.push(...steps);
  }

  /** Forgets the steps that nobody asked for. */
  clear(): void {
    this.script.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }

  private async play(step: DoubleStep, body: DoubleRequestBody, reply: FastifyReply): Promise<void> {
    if (step.headersAfterMs !== undefined) await pause(step.headersAfterMs);
    if (step.status !== undefined) {
      await playError(step, step.status, reply);
      return;
    }
    if (step.json !== undefined) {
      await playJson(JSON.stringify(step.json(body)), step.then, reply);
      return;
    }
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'text/event-stream' });
    reply.raw.flushHeaders();
    for (const delta of deltasOf(step)) {
      if (step.pieceAfterMs !== undefined) await pause(step.pieceAfterMs);
      reply.raw.write(event({ delta, finish_reason: null }));
    }
    finish(step, reply);
  }
}

async function playError(step: DoubleStep, status: number, reply: FastifyReply): Promise<void> {
  if (step.retryAfter !== undefined) reply.header('retry-after', String(step.retryAfter));
  const error = { message: step.message ?? 'scripted', type: 'scripted', code: step.code ?? null };
  await reply.code(status).send({ error });
}

async function playJson(json: string, then: DoubleStep['then'], reply: FastifyReply): Promise<void> {
  if (then === undefined) {
    await reply.header('content-type', 'application/json').send(json);
    return;
  }
  reply.hijack();
  reply.raw.writeHead(200, { 'content-type': 'application/json' });
  reply.raw.write(json.slice(0, json.length / 2));
  if (then === 'cut') setImmediate(() => reply.raw.socket?.destroy());
  if (then === 'garbage') reply.raw.end();
}

/** Vectors for the texts of a request: the same text has always the same one, and no two texts are quite alike. */
export function embeddingsOf(body: DoubleRequestBody, dimensions = 8): readonly (readonly number[])[] {
  return (body.input ?? []).map((text) => {
    const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
    return Array.from({ length: dimensions }, (_, place) =>
      codes.reduce((sum, code, index) => sum + Math.sin(code * (place + 1) + index), 0.5),
    );
  });
}

/** An answer as OpenAI gives it. */
export function embeddingsAnswer(vectors: readonly (readonly unknown[] | string)[]): object {
  const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', data, model: 'double', usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function finish(step: DoubleStep, reply: FastifyReply): void {
  const { raw } = reply;
  switch (step.then) {
    case 'hang':
      return;
    case 'cut':
      // What was written must be on its way before the socket breaks.
      setImmediate(() => raw.socket?.destroy());
      return;
    case 'garbage':
      raw.end('data: {"choices": [{"del\n\n');
      return;
    case 'error':
      raw.end(`data: ${JSON.stringify({ error: { message: 'scripted', type: 'server_error', code: null } })}\n\n`);
      return;
    case undefined:
      raw.end(`${ending(step)}data: [DONE]\n\n`);
  }
}

function ending(step: DoubleStep): string {
  if (step.finish === null) return '';
  const reason = step.finish ?? (step.calls === undefined ? 'stop' : 'tool_calls');
  const usage = step.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const end = event({ delta: {}, finish_reason: reason });
  return step.withoutUsage === true ? end : `${end}data: ${JSON.stringify({ ...CHUNK, choices: [], usage })}\n\n`;
}

function* deltasOf(step: DoubleStep): Generator<object> {
  yield { role: 'assistant', content: '' };
  for (const content of piecesOf(step.content ?? [])) yield { content };
  for (const [index, call] of (step.calls ?? []).entries()) {
    const id = call.id ?? `call_${index}`;
    yield { tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] };
    for (const part of piecesOf(call.arguments)) yield { tool_calls: [{ index, function: { arguments: part } }] };
  }
}

function piecesOf(text: string | readonly string[]): readonly string[] {
  return typeof text === 'string' ? (text.match(/[^]{1,5}/g) ?? []) : text;
}

const CHUNK = { id: 'chatcmpl-double', object: 'chat.completion.chunk', created: 1, model: 'double' };

function event(choice: object): string {
  return `data: ${JSON.stringify({ ...CHUNK, choices: [{ index: 0, ...choice }] })}\n\n`;
}
