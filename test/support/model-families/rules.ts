import type { FamilyCall, FamilyMessage, FamilyRefusal, FamilyRequest, FamilyRule } from './family.js';

/** What the doubles think, and what those who want it back must see again. */
export const THOUGHT = 'The rows will tell; I need a query.';
export const SIGNATURE = 'c2lnbmF0dXJl';
export const ENCRYPTED = 'gAAAAABencrypted';

function openAi(message: string, param: string | null, code: string | null = null): FamilyRefusal {
  return { status: 400, body: { error: { message, type: 'invalid_request_error', param, code } } };
}

function invalid(message: string): FamilyRefusal {
  return openAi(message, null, 'invalid_request_error');
}

function mistral(status: number, message: unknown, code: string | null): FamilyRefusal {
  return { status, body: { object: 'error', message, type: 'invalid_request_error', param: null, code } };
}

function gemini(message: string): FamilyRefusal {
  return { status: 400, body: [{ error: { code: 400, message, status: 'INVALID_ARGUMENT' } }] };
}

function vllm(message: string): FamilyRefusal {
  return { status: 400, body: { error: { message, type: 'BadRequestError', param: null, code: 400 } } };
}

function callsOf({ messages = [] }: FamilyRequest): readonly FamilyCall[] {
  return messages.flatMap((message) => message.tool_calls ?? []);
}

function neighbours({
  messages = [],
}: FamilyRequest): readonly (readonly [FamilyMessage | undefined, FamilyMessage])[] {
  return messages.map((message, index) => [messages[index - 1], message]);
}

/** Every call is whole and answered, every outcome has its call. https://platform.openai.com/docs/guides/function-calling */
export const pairsCalls: FamilyRule = (request) => {
  const calls = callsOf(request);
  const answered = (request.messages ?? []).flatMap(({ tool_call_id: id }) => id ?? []);
  const stray = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  if (answered.some((id) => !calls.some((call) => call.id === id))) return openAi(stray, 'messages');
  const open = "An assistant message with 'tool_calls' must be followed by tool messages";
  if (calls.some(({ id }) => !id || !answered.includes(id))) return openAi(open, 'messages');
  const isBroken = calls.some((call) => !call.function.name || !isJson(call.function.arguments));
  return isBroken ? openAi('Invalid tool_calls', 'messages') : null;
};

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** https://github.com/microsoft/vscode-copilot-release/issues/9954 */
export const wantsCompletionTokens: FamilyRule = ({ max_tokens: given }) => {
  const message =
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  return given === undefined ? null : openAi(message, 'max_tokens', 'unsupported_parameter');
};

/** https://platform.openai.com/docs/guides/reasoning; the text is that of https://v0.app/chat/image-analysis-qjuhd3YXzoO */
export const hasOneTemperature: FamilyRule = ({ temperature }) => {
  const message = `Unsupported value: 'temperature' does not support ${JSON.stringify(temperature)} with this model. Only the default (1) value is supported.`;
  return [undefined, 1].includes(temperature as number) ? null : openAi(message, 'temperature', 'unsupported_value');
};

/** They think unless they are told not to. https://github.com/laurent22/joplin/pull/16451 */
export const noToolsWithReasoning: FamilyRule = ({ messages, tools, reasoning_effort: effort }) => {
  const message =
    "Function tools with reasoning_effort are not supported for gpt-5.6-terra in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.";
  const isAllowed = messages === undefined || tools === undefined || effort === 'none';
  return isAllowed ? null : openAi(message, 'reasoning_effort');
};

/** What is not stored has to come back. https://cookbook.openai.com/examples/responses_api/reasoning_items */
export const pairsItems: FamilyRule = ({ input, store, tools }) => {
  if (input === undefined) return null;
  if (store !== false) return openAi('Zero data retention is enforced.', 'store');
  const isStrict = tools?.some(({ strict }) => strict !== false);
  if (isStrict === true) return openAi('Invalid schema for function', 'tools[0].parameters');
  const of = (kind: string) => input.filter(({ type }) => type === kind);
  const [calls, thoughts] = [of('function_call'), of('reasoning')];
  const stray = of('function_call_output').find(({ call_id: id }) => !calls.some((call) => call.call_id === id));
  if (stray !== undefined)
    return openAi(`No tool call found for function call output with call_id ${String(stray.call_id)}.`, 'input');
  // https://community.openai.com/t/requests-api-does-not-support-manual-context-management/1269225
  if (thoughts.some((item) => item.encrypted_content !== ENCRYPTED))
    return openAi("Item with id 'rs_1' not found. Items are not persisted when store is set to false.", 'input');
  // https://github.com/0xPlaygrounds/rig/issues/751
  const message = "Item 'fc_1' of type 'function_call' was provided without its required 'reasoning' item.";
  return calls.length > 0 && thoughts.length === 0 ? openAi(message, 'input') : null;
};

/** https://github.com/pydantic/pydantic-ai/issues/2865 */
export const keepsNoThoughts: FamilyRule = ({ input, include }) =>
  input === undefined || include === undefined
    ? null
    : openAi('Encrypted content is not supported with this model.', 'include');

/** https://github.com/editor-code-assistant/eca/issues/231 */
export const knowsMistralsParameters: FamilyRule = (request) => {
  const known = ['model', 'messages', 'tools', 'stream', 'stream_options', 'temperature', 'max_tokens'];
  const extra = Object.keys(request).find((name) => !known.includes(name));
  if (extra === undefined) return null;
  const detail = [{ type: 'extra_forbidden', loc: ['body', extra], msg: 'Extra inputs are not permitted' }];
  return mistral(422, { detail }, null);
};

/** https://github.com/jackmpcollins/magentic/issues/276 */
export const wantsShortIds: FamilyRule = (request) => {
  const long = callsOf(request).find(({ id }) => !/^[a-zA-Z0-9]{9}$/.test(id));
  if (long === undefined) return null;
  return mistral(400, `Tool call id was ${long.id} but must be a-z, A-Z, 0-9, with a length of 9.`, '3280');
};

/** https://github.com/mistralai/mistral-vibe/issues/578 */
export const noUserAfterTool: FamilyRule = (request) =>
  neighbours(request).some(([before, { role }]) => before?.role === 'tool' && role === 'user')
    ? mistral(400, "Unexpected role 'user' after role 'tool'", '3230')
    : null;

/** https://github.com/decolua/9router/issues/1036, https://github.com/openswarm-ai/openswarm/issues/24 */
export const knowsFewKeywords: FamilyRule = ({ tools }) => {
  const json = JSON.stringify(tools ?? []);
  const keywords = ['$ref', '$schema', 'additionalProperties', 'const'];
  const unknown = keywords.filter((keyword) => json.includes(`"${keyword}":`));
  const place = "at 'tools[0].function_declarations[0].parameters': Cannot find field.";
  const lines = unknown.map((keyword) => `Invalid JSON payload received. Unknown name "${keyword}" ${place}`);
  return lines.length === 0 ? null : gemini(lines.join('\n'));
};

/** https://github.com/vectorize-io/hindsight/pull/187 */
export const wantsToolNames: FamilyRule = ({ messages = [] }) =>
  messages.some(({ role, name }) => role === 'tool' && !name)
    ? gemini('* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.')
    : null;

/** https://ai.google.dev/gemini-api/docs/thought-signatures */
export const wantsSignatures: FamilyRule = (request) =>
  callsOf(request).every(({ extra_content: extra }) => JSON.stringify(extra ?? '').includes(SIGNATURE))
    ? null
    : gemini('Function call is missing a thought_signature in functionCall parts.');

/** https://github.com/RooCodeInc/Roo-Code/issues/12162 */
export const noTemperature: FamilyRule = ({ temperature }) =>
  temperature === undefined ? null : invalid('`temperature` is deprecated for this model.');

/** https://api-docs.deepseek.com/guides/thinking_mode */
export const wantsReasoningBack: FamilyRule = ({ messages = [] }) => {
  const at = messages.findIndex((message) => message.tool_calls !== undefined && message.reasoning_content !== THOUGHT);
  if (at < 0) return null;
  const message = `Missing \`reasoning_content\` field in the assistant message at message index ${at}.`;
  return invalid(message);
};

/** https://openrouter.ai/docs/use-cases/reasoning-tokens */
export const wantsDetailsBack: FamilyRule = ({ messages = [] }) => {
  const calling = messages.filter((message) => message.tool_calls !== undefined);
  const isWhole = calling.every((message) => JSON.stringify(message.reasoning_details ?? []).includes(THOUGHT));
  return isWhole ? null : openAi('Provider returned error', null);
};

/** A server that takes no tools, and what it says then. */
function noTools(status: number, error: object): FamilyRule {
  return ({ tools }) => (tools === undefined ? null : { status, body: { error } });
}

/** https://github.com/dnakov/anon-kode/issues/2 */
export const routesNoTools = noTools(404, { message: 'No endpoints found that support tool use.', code: 404 });

/** https://github.com/louisho5/picobot/issues/6 */
export const ollamaWithoutTools = noTools(400, {
  message: 'registry.ollama.ai/library/gemma3:4b does not support tools',
  ...{ type: 'api_error', param: null, code: null },
});

/** https://kenrollins.github.io/gemma-forge/journal/gotchas/vllm-tool-call-parser/ */
export const vllmWithoutParser = noTools(400, {
  message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  ...{ type: 'BadRequestError', param: null, code: 400 },
});

/** https://github.com/defilantech/LLMKube/issues/126 */
export const llamaWithoutJinja = noTools(500, {
  ...{ code: 500, message: 'tools param requires --jinja flag', type: 'server_error' },
});

/** https://github.com/vllm-project/vllm/issues/42474 */
export const hasSmallContext: FamilyRule = ({ max_tokens: most }) =>
  typeof most === 'number' && most > 8000
    ? vllm(
        `This model's maximum context length is 16384 tokens. However, you requested ${most} output tokens and your prompt contains at least 4000 input tokens, for a total of at least ${most + 4000} tokens.`,
      )
    : null;

/** Templates of Gemma and others: https://github.com/ggml-org/llama.cpp/issues/11866 */
export const noSystemRole: FamilyRule = ({ messages = [] }) =>
  messages.some(({ role }) => role === 'system') ? vllm('System role not supported') : null;

export const rolesAlternate: FamilyRule = (request) =>
  neighbours(request).some(([before, { role }]) => before?.role === role)
    ? vllm('Conversation roles must alternate user/assistant/user/assistant/...')
    : null;
