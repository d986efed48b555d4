import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import type { Family, FamilyRefusal, FamilyRequest, FamilyStyle } from './family.js';
import { ENCRYPTED, THOUGHT } from './rules.js';

/** What the doubles call, and what they say to the rows. */
export interface FamilyScript {
  readonly call: { readonly name: string; readonly arguments: object };
  readonly answer: string;
}

/**
 * A server of one family: it refuses what that family refuses, by its rules, calls a tool as long as it has seen no result, and
 * then answers, each in the family's own kind of stream.
 */
export class FamilyServer implements AsyncDisposable {
  /** As `OPENAI_BASE_URL` wants it. */
  baseUrl = '';
  readonly requests: FamilyRequest[] = [];
  readonly refusals: FamilyRefusal[] = [];

  private constructor(
    private readonly server: FastifyInstance,
    private readonly family: Family,
    private readonly script: FamilyScript,
  ) {
    server.post('/v1/*', { logLevel: 'silent', bodyLimit: 10_000_000 }, async (request, reply) => {
      await this.reply(request.url.slice('/v1/'.length), request.body as FamilyRequest, reply);
    });
  }

  static async start(family: Family, script: FamilyScript): Promise<FamilyServer> {
    const server = new FamilyServer(Fastify({ forceCloseConnections: true }), family, script);
    server.baseUrl = `${await server.server.listen({ port: 0, host: '127.0.0.1' })}/v1`;
    return server;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.close();
  }

  private async reply(path: string, request: FamilyRequest, reply: FastifyReply): Promise<void> {
    this.requests.push(request);
    const refusal = this.refusalOf(path, request);
    if (refusal !== null) {
      this.refusals.push(refusal);
      await reply.code(refusal.status).send(refusal.body);
      return;
    }
    const events = path === 'responses' ? this.response(request) : this.completion(request);
    const data = [...events].map((event) => `data: ${JSON.stringify(event)}\n\n`);
    await reply.header('content-type', 'text/event-stream').send(`${data.join('')}data: [DONE]\n\n`);
  }

  private refusalOf(path: string, request: FamilyRequest): FamilyRefusal | null {
    const { serves, rules } = this.family;
    if (!serves.some((served) => served === path)) return { status: 404, body: { detail: 'Not Found' } };
    for (const rule of rules) {
      const refusal = rule(request);
      if (refusal !== null) return refusal;
    }
    return null;
  }

  private *completion(request: FamilyRequest): Generator<object> {
    const { style } = this.family;
    if (style.filterChunk === true) yield { choices: [], prompt_filter_results: [{ prompt_index: 0 }] };
    yield chunk({ role: 'assistant', content: '' });
    for (const delta of thoughts(style)) yield chunk(delta);
    const callsNow = style.call === undefined && !hasResult(request);
    if (callsNow) for (const delta of this.callDeltas(style)) yield chunk({ tool_calls: [delta] });
    else for (const content of pieces(this.textFor(request))) yield chunk({ content });
    yield {
      choices: [{ index: 0, delta: {}, finish_reason: callsNow && style.wholeCalls !== true ? 'tool_calls' : 'stop' }],
    };
    yield { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } };
  }

  private textFor(request: FamilyRequest): string {
    const { style } = this.family;
    if (!hasResult(request)) return this.writtenCall(style);
    const isSilent = style.fallsSilent === true && request.messages?.at(-1)?.role === 'tool';
    return isSilent ? '' : this.script.answer;
  }

  private *callDeltas({ callId, wholeCalls = false, signature }: FamilyStyle): Generator<object> {
    const { name, arguments: given } = this.script.call;
    const json = JSON.stringify(given);
    const extra = signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } };
    const marks = { index: 0, ...(callId === undefined ? {} : { id: callId }), type: 'function', ...extra };
    yield { ...marks, function: { name, arguments: wholeCalls ? json : '' } };
    if (!wholeCalls) for (const part of pieces(json)) yield { index: 0, function: { arguments: part } };
  }

  private writtenCall({ call }: FamilyStyle): string {
    const json = JSON.stringify(this.script.call);
    return call === 'fence' ? `\`\`\`json\n${json}\n\`\`\`` : `<tool_call>\n${json}\n</tool_call>`;
  }

  /** https://platform.openai.com/docs/api-reference/responses-streaming */
  private *response(request: FamilyRequest): Generator<object> {
    const calls = !hasResult(request);
    yield { type: 'response.created', response: { id: 'resp_1', status: 'in_progress' } };
    if (calls) {
      const item = { id: 'rs_1', type: 'reasoning', summary: [], encrypted_content: ENCRYPTED };
      yield { type: 'response.output_item.done', output_index: 0, item };
      yield* this.callEvents();
    } else {
      for (const delta of pieces(this.script.answer))
        yield { type: 'response.output_text.delta', output_index: 0, delta };
    }
    yield { type: 'response.completed', response: { id: 'resp_1', status: 'completed', usage: { total_tokens: 15 } } };
  }

  private *callEvents(): Generator<object> {
    const { name, arguments: given } = this.script.call;
    const json = JSON.stringify(given);
    const item = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name, arguments: '' };
    const place = { output_index: 1, item_id: 'fc_1' };
    yield { type: 'response.output_item.added', ...place, item };
    for (const delta of pieces(json)) yield { type: 'response.function_call_arguments.delta', ...place, delta };
    yield { type: 'response.output_item.done', ...place, item: { ...item, arguments: json } };
  }
}

function hasResult({ messages = [], input = [] }: FamilyRequest): boolean {
  const isTold = messages.some(({ role, content }) => role === 'tool' || content?.includes('<tool_response>') === true);
  return isTold || input.some(({ type }) => type === 'function_call_output');
}

function* thoughts({ thoughts: place }: FamilyStyle): Generator<object> {
  for (const text of pieces(THOUGHT)) {
    if (place === 'reasoning_content') yield { reasoning_content: text };
    if (place === 'reasoning') yield { content: '', reasoning: text };
    if (place === 'details') yield { reasoning: text, reasoning_details: [{ type: 'reasoning.text', index: 0, text }] };
    if (place === 'blocks') yield { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] };
  }
  if (place === 'tags') for (const content of pieces(`<think>\n${THOUGHT}\n</think>\n\n`)) yield { content };
  if (place === 'unmarked') for (const content of pieces(`${THOUGHT}\n</think>\n\n`)) yield { content };
}

function pieces(text: string): readonly string[] {
  return text.match(/[^]{1,5}/g) ?? [];
}

function chunk(delta: object): object {
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: null }] };
}
