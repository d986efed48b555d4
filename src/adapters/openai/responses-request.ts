import type { ChatOpenAIResponses } from '@langchain/openai';
import { z } from 'zod';
import { isRecord, type JsonObject } from '../../shared/json.js';
import type { Asked } from './chat-request.js';
import type { Conversation } from './conversation.js';
import type { ModelProfile } from './model-profile.js';
import type { PromptMessage } from './prompt.js';
import { schemaWithout } from './tool-schema.js';

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
  const { limit, effort, refusals } = profile;
  const told = tools.map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    parameters: schemaWithout(parameters, refusals),
    // Not said, it is true there, and our schemas leave out what is optional.
    strict: false,
  }));
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
