import { randomBytes } from 'node:crypto';
import type { ChatOpenAICompletions, ChatOpenAIResponses } from '@langchain/openai';
import { z } from 'zod';
import type { ModelDelta, TokenUsage, ToolDefinition } from '../../ports/chat-model.js';
import { sha256 } from '../../shared/checksum.js';
import { isRecord, type JsonObject } from '../../shared/json.js';
import type { ModelProfile } from './model-profile.js';
import type { CallingMessage, PromptMessage } from './prompt.js';

/** What a model sent in one round beside its text and its calls, and wants to see again with them. */
export interface KeptRound {
  /** Output items of the Responses API, as they came. */
  readonly items: readonly JsonObject[];
  /** `reasoning_content` of the message. */
  readonly reasoning: string;
  /** `reasoning_details` of the message. */
  readonly details: readonly JsonObject[];
  /** `extra_content` by the key of the call. */
  readonly extras: ReadonlyMap<string, JsonObject>;
}

interface KeptCall extends Omit<KeptRound, 'extras'> {
  readonly extra: JsonObject | null;
}

/** What this process remembers of one question while it is being answered. */
export class Conversation {
  /** One word for all rounds, so that they begin alike and the provider can reuse what it has read. */
  readonly boundary = randomBytes(12).toString('hex');
  private readonly calls = new Map<string, KeptCall>();

  /** `ids` are those of the round's calls, by key. */
  keep(ids: ReadonlyMap<string, string>, { extras, ...round }: KeptRound): void {
    for (const [key, id] of ids) this.calls.set(id, { ...round, extra: extras.get(key) ?? null });
  }

  /** What came with a call. */
  of(callId: string): KeptCall | null {
    return this.calls.get(callId) ?? null;
  }
}

/** A conversation as it is to be sent, and the tools that can be called now. */
export interface Asked {
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly conversation: Conversation;
  readonly temperature: number;
}

type ChatMessage =
  | Exclude<PromptMessage, CallingMessage>
  | (CallingMessage & { readonly reasoning_content?: string; readonly reasoning_details?: readonly JsonObject[] });

export type ChatRequest = Omit<Parameters<ChatOpenAICompletions['completionWithRetry']>[0], 'model' | 'stream'>;

/** The body of a request to chat completions, as the endpoint takes it. */
export function chatRequest(asked: Asked, profile: ModelProfile): ChatRequest {
  const { tools, temperature } = asked;
  const { limit, effort } = profile;
  const sent = profile.refuses('tools') ? [] : tools.map((tool) => taken(tool, profile));
  return {
    ...(sent.length > 0 ? { tools: sent.map((tool) => ({ type: 'function', function: tool })) } : {}),
    ...(profile.refuses('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(profile.refuses('temperature') ? {} : { temperature }),
    ...(limit === null ? {} : { [limit]: profile.maxTokens }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    messages: messagesFor(asked, profile),
  };
}

/** A tool as the endpoint takes it. */
function taken({ name, description, parameters }: ToolDefinition, { refusals }: ModelProfile) {
  return { name, description, parameters: schemaWithout(parameters, refusals) };
}

function messagesFor({ messages, tools, conversation }: Asked, profile: ModelProfile): ChatMessage[] {
  const withTools = profile.refuses('tools')
    ? inWriting(messages, tools, profile)
    : messages.map((message) => withReasoning(message, conversation, profile));
  const inOrder = profile.refuses('user_after_tool') ? bridged(withTools) : withTools;
  const adapted = profile.refuses('system') ? withoutSystem(inOrder) : inOrder;
  return adapted.map((message) => withIds(message, messages, profile));
}

/**
 * Calls go back with what came with them. Gemini refuses a call without its signature
 * (https://ai.google.dev/gemini-api/docs/thought-signatures), DeepSeek one without its reasoning
 * (https://api-docs.deepseek.com/guides/thinking_mode), and OpenRouter passes such details on to whoever wants them
 * (https://openrouter.ai/docs/use-cases/reasoning-tokens).
 */
function withReasoning(message: PromptMessage, conversation: Conversation, profile: ModelProfile): ChatMessage {
  if (!('tool_calls' in message)) return message;
  const kept = conversation.of(message.tool_calls[0]?.id ?? '');
  const { reasoning = '', details = [] } = kept ?? {};
  return {
    ...message,
    tool_calls: message.tool_calls.map((call) => {
      const extra = conversation.of(call.id)?.extra ?? null;
      return extra === null ? call : { ...call, extra_content: extra };
    }),
    ...(profile.refuses('call_without_reasoning') ? { reasoning_content: reasoning } : {}),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
  };
}

/** Models, or servers, without tools are told of them in words, and answer with calls in words. */
function inWriting(
  messages: readonly PromptMessage[],
  tools: readonly ToolDefinition[],
  profile: ModelProfile,
): ChatMessage[] {
  const told = tools.map((tool) => JSON.stringify(taken(tool, profile)));
  const rules = `To call a tool, write nothing but <tool_call>{"name": "…", "arguments": {…}}</tool_call>; its result comes in the next message. The tools:\n${told.join('\n')}`;
  const written: ChatMessage[] = [];
  for (const message of messages) {
    if ('tool_calls' in message) written.push({ role: 'assistant', content: calledInWriting(message) });
    else if (message.role === 'system' && tools.length > 0) {
      written.push({ role: 'system', content: `${message.content}\n\n${rules}` });
    } else if (message.role === 'system' || message.role === 'assistant') written.push(message);
    else {
      const { role, content } = message;
      addForUser(written, role === 'tool' ? `<tool_response>\n${content}\n</tool_response>` : content);
    }
  }
  return written;
}

function calledInWriting(message: CallingMessage): string {
  const calls = message.tool_calls.map(
    ({ function: { name, arguments: json } }) =>
      `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${json}}</tool_call>`,
  );
  return [message.content ?? '', ...calls].join('\n').trim();
}

/** Roles take turns, so what is told twice in a row is told at once. */
function addForUser(messages: ChatMessage[], content: string): void {
  const last = messages.at(-1);
  if (last?.role === 'user') messages[messages.length - 1] = { role: 'user', content: `${last.content}\n\n${content}` };
  else messages.push({ role: 'user', content });
}

/** Between results and a user somebody has to speak: https://github.com/mistralai/mistral-vibe/issues/578 */
function bridged(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.flatMap((message, index) =>
    message.role === 'user' && messages[index - 1]?.role === 'tool'
      ? [{ role: 'assistant' as const, content: 'I have the results.' }, message]
      : [message],
  );
}

function withoutSystem(messages: readonly ChatMessage[]): ChatMessage[] {
  const rest: ChatMessage[] = [];
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'user') addForUser(rest, message.content);
    else rest.push(message);
  }
  return rest;
}

function withIds(message: ChatMessage, messages: readonly PromptMessage[], profile: ModelProfile): ChatMessage {
  // Nine letters and digits every server takes.
  const isTaken = (id: string): boolean => !profile.refuses('long_call_ids') || /^[a-zA-Z0-9]{9}$/.test(id);
  const idFor = (id: string): string => (isTaken(id) ? id : sha256(id).slice(0, 9));
  if ('tool_calls' in message) {
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: idFor(call.id) })) };
  }
  if (message.role !== 'tool') return message;
  const id = message.tool_call_id;
  const calls = messages.flatMap((each) => ('tool_calls' in each ? each.tool_calls : []));
  const name = calls.find((call) => call.id === id)?.function.name;
  const isNamed = profile.refuses('tool_without_name') && name !== undefined;
  return { ...message, tool_call_id: idFor(id), ...(isNamed ? { name } : {}) };
}

export type End = Extract<ModelDelta, { kind: 'end' }>;

/** What an endpoint counted, under the names of whichever protocol. */
export const countedSchema = z.object({
  total_tokens: z.number().nullish(),
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  // https://api-docs.deepseek.com/guides/kv_cache
  prompt_cache_hit_tokens: z.number().nullish(),
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  input_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
});

/** What the end of a round says of its tokens. */
export function tokensOf(counted: z.infer<typeof countedSchema> | null | undefined): Pick<End, 'tokens' | 'usage'> {
  const usage = counted == null ? null : usageOf(counted);
  const tokens = counted?.total_tokens ?? (usage === null ? null : usage.input + usage.output);
  return usage === null ? { tokens } : { tokens, usage };
}

function usageOf(counted: z.infer<typeof countedSchema>): TokenUsage | null {
  const input = counted.prompt_tokens ?? counted.input_tokens;
  const output = counted.completion_tokens ?? counted.output_tokens;
  if (input == null || output == null) return null;
  const details = counted.prompt_tokens_details ?? counted.input_tokens_details;
  const cached = details?.cached_tokens ?? counted.prompt_cache_hit_tokens ?? 0;
  return { input, output, cached: Math.min(cached, input) };
}

/** Reads one streamed answer of an endpoint, whatever its protocol. */
export interface ModelRound {
  /** The deltas of one chunk. @throws AppError `unavailable` when it isn't one, or tells of a failure. */
  read(chunk: unknown): Generator<ModelDelta>;
  /** `null` as long as the model has not said that it is done: a stream that ends then was cut. */
  readonly end: End | null;
  readonly kept: KeptRound;
}

/** The schema of a tool's arguments without the keywords that an endpoint refuses. Names of properties are no keywords. */
export function schemaWithout(
  schema: Readonly<Record<string, unknown>>,
  refused: ReadonlySet<string>,
): Record<string, unknown> {
  const inner = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inner);
    return isRecord(value) ? schemaWithout(value, refused) : value;
  };
  const kept = Object.entries(schema).filter(([keyword]) => !refused.has(keyword));
  const entries = kept.map(([keyword, value]) => {
    if (keyword !== 'properties' || !isRecord(value)) return [keyword, inner(value)] as const;
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, inner(each)]))] as const;
  });
  return Object.fromEntries(entries);
}

export type ResponsesRequest = Omit<Parameters<ChatOpenAIResponses['completionWithRetry']>[0], 'model' | 'stream'>;
type InputItem = Exclude<ResponsesRequest['input'], string | undefined>[number];

/** What the API sent it takes back, whatever is in it. */
const sentItem = z.custom<InputItem>(isRecord);

/**
 * The body of a request to the Responses API. Nothing is stored there: what the model thought comes encrypted, and goes back with the
 * calls that it led to (https://platform.openai.com/docs/guides/reasoning, "Encrypted reasoning items";
 * https://cookbook.openai.com/examples/responses_api/reasoning_items).
 */
export function responsesRequest(
  { messages, tools, conversation, temperature }: Asked,
  profile: ModelProfile,
): ResponsesRequest {
  const { limit, effort } = profile;
  // Not said, `strict` is true there, and our schemas leave out what is optional.
  const told = tools.map((tool) => ({ type: 'function' as const, ...taken(tool, profile), strict: false }));
  return {
    ...(told.length > 0 ? { tools: told } : {}),
    ...(profile.refuses('store') ? {} : { store: false }),
    ...(profile.refuses('include') ? {} : { include: ['reasoning.encrypted_content'] }),
    ...(profile.refuses('temperature') ? {} : { temperature }),
    ...(limit === null ? {} : { [limit]: profile.maxTokens }),
    ...(effort === null ? {} : { reasoning: { effort } }),
    input: messages.flatMap((message) => itemsFor(message, conversation)),
  };
}

function itemsFor(message: PromptMessage, conversation: Conversation): readonly InputItem[] {
  if (message.role === 'tool') {
    return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  }
  if (!('tool_calls' in message)) return [{ role: message.role, content: message.content }];
  const ids = message.tool_calls.map(({ id }) => id);
  const { items = [] } = conversation.of(ids[0] ?? '') ?? {};
  if (canGoBack(items, ids)) return items.map((item) => sentItem.parse(item));
  const spoken = message.content === null ? [] : [{ role: 'assistant' as const, content: message.content }];
  const calls = message.tool_calls.map(({ id, function: { name, arguments: json } }) => ({
    type: 'function_call' as const,
    call_id: id,
    name,
    arguments: json,
  }));
  return [...spoken, ...calls];
}

/** A thought that is not encrypted is looked for in the store, where it isn't, and a call without a result is refused. */
function canGoBack(items: readonly JsonObject[], callIds: readonly string[]): boolean {
  const called = items.filter(({ type }) => type === 'function_call').map((item) => item['call_id']);
  const thoughts = items.filter(({ type }) => type === 'reasoning');
  const isWhole = called.length === callIds.length && callIds.every((id) => called.includes(id));
  return isWhole && thoughts.length > 0 && thoughts.every((item) => typeof item['encrypted_content'] === 'string');
}
