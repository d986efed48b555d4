import type { ChatOpenAICompletions } from '@langchain/openai';
import type { ToolDefinition } from '../../ports/chat-model.js';
import type { JsonObject } from '../../shared/json.js';
import { type Conversation, shortId } from './conversation.js';
import type { ModelProfile } from './model-profile.js';
import type { PromptCall, PromptMessage } from './prompt.js';
import { schemaWithout } from './tool-schema.js';

/** A conversation as it is to be sent, and the tools that can be called now. */
export interface Asked {
  readonly messages: readonly PromptMessage[];
  readonly tools: readonly ToolDefinition[];
  readonly conversation: Conversation;
  readonly temperature: number;
}

interface ChatTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
  };
}
type ChatCall = PromptCall & { readonly extra_content?: JsonObject };
type ChatMessage =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string | null;
      readonly tool_calls?: ChatCall[];
      readonly reasoning_content?: string;
      readonly reasoning_details?: readonly JsonObject[];
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string; readonly name?: string };

export type ChatRequest = Omit<Parameters<ChatOpenAICompletions['completionWithRetry']>[0], 'model' | 'stream'>;

/** The body of a request to chat completions, as the endpoint takes it. */
export function chatRequest(asked: Asked, profile: ModelProfile): ChatRequest {
  const { tools, temperature } = asked;
  const { limit, effort } = profile;
  const sent = profile.refuses('tools') ? [] : tools.map((tool) => toolParameter(tool, profile));
  return {
    ...(sent.length > 0 ? { tools: sent } : {}),
    ...(profile.refuses('stream_options') ? {} : { stream_options: { include_usage: true } }),
    ...(profile.refuses('temperature') ? {} : { temperature }),
    ...(limit === null ? {} : { [limit]: profile.maxTokens }),
    ...(effort === null ? {} : { reasoning_effort: effort }),
    messages: messagesFor(asked, profile),
  };
}

function toolParameter({ name, description, parameters }: ToolDefinition, profile: ModelProfile): ChatTool {
  return { type: 'function', function: { name, description, parameters: schemaWithout(parameters, profile.refusals) } };
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
  if (!('tool_calls' in message)) return asChat(message);
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

/** Said by one role of three, which the protocol takes for three kinds of messages. */
function asChat(message: Exclude<PromptMessage, { tool_calls: unknown }>): ChatMessage {
  if (message.role === 'tool') return message;
  const { role, content } = message;
  return role === 'assistant' ? { role, content } : { role, content };
}

/** Models, or servers, without tools are told of them in words, and answer with calls in words. */
function inWriting(
  messages: readonly PromptMessage[],
  tools: readonly ToolDefinition[],
  profile: ModelProfile,
): ChatMessage[] {
  const told = tools.map((tool) => JSON.stringify(toolParameter(tool, profile).function));
  const rules = `To call a tool, write nothing but <tool_call>{"name": "…", "arguments": {…}}</tool_call>; its result comes in the next message. The tools:\n${told.join('\n')}`;
  const written: ChatMessage[] = [];
  for (const message of messages) {
    if ('tool_calls' in message) written.push({ role: 'assistant', content: calledInWriting(message) });
    else if (message.role === 'system' && tools.length > 0) {
      written.push({ role: 'system', content: `${message.content}\n\n${rules}` });
    } else if (message.role === 'system' || message.role === 'assistant') written.push(asChat(message));
    else addForUser(written, message.role === 'tool' ? resultInWriting(message.content) : message.content);
  }
  return written;
}

function calledInWriting(message: Extract<PromptMessage, { tool_calls: unknown }>): string {
  const calls = message.tool_calls.map(
    ({ function: { name, arguments: json } }) =>
      `<tool_call>{"name": ${JSON.stringify(name)}, "arguments": ${json}}</tool_call>`,
  );
  return [message.content ?? '', ...calls].join('\n').trim();
}

function resultInWriting(content: string): string {
  return `<tool_response>\n${content}\n</tool_response>`;
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
  const idFor = (id: string): string =>
    profile.refuses('long_call_ids') && !/^[a-zA-Z0-9]{9}$/.test(id) ? shortId(id) : id;
  if (message.role === 'assistant' && message.tool_calls !== undefined) {
    return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: idFor(call.id) })) };
  }
  if (message.role !== 'tool') return message;
  const id = message.tool_call_id;
  const calls = messages.flatMap((each) => ('tool_calls' in each ? each.tool_calls : []));
  const name = calls.find((call) => call.id === id)?.function.name;
  const isNamed = profile.refuses('tool_without_name') && name !== undefined;
  return { ...message, tool_call_id: idFor(id), ...(isNamed ? { name } : {}) };
}
