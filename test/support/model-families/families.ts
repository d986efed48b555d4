import type { Family, FamilyRule, FamilyStyle } from './family.js';
import * as rules from './rules.js';

const OPENAI = { callId: 'call_PTLP8xhu3uwZk4l3nlnrrJha' };
const THINKS = { thoughts: 'reasoning_content' } as const;
const DEEPSEEK = { ...THINKS, callId: 'call_00_Jix34GFEsxl1dwSX' };
const REASONING = [rules.pairsCalls, rules.pairsItems, rules.wantsCompletionTokens, rules.hasOneTemperature];
const NEWEST = [...REASONING, rules.noToolsWithReasoning];
const MISTRAL = [rules.pairsCalls, rules.knowsMistralsParameters, rules.wantsShortIds, rules.noUserAfterTool];

/** A family behind a server of chat completions alone; `learned`, by words, is what is learned while it answers one question. */
function chat(name: string, model: string, style: FamilyStyle, own: readonly FamilyRule[], learned = ''): Family {
  const words = learned === '' ? [] : learned.split(' ');
  return { name, model, style, rules: own, learned: words, serves: ['chat/completions'], api: 'chat/completions' };
}

/** A family whose server has the Responses API, too. */
function both(...[name, model, style, own, learned]: Parameters<typeof chat>): Omit<Family, 'api'> {
  return { ...chat(name, model, style, own, learned), serves: ['chat/completions', 'responses'] };
}

const ANSWERS_CHAT = [
  both('OpenAI o-series', 'o4-mini', OPENAI, REASONING),
  both('OpenAI GPT-5', 'openai/gpt-5-mini', OPENAI, REASONING),
  both('OpenAI GPT-4.1', 'gpt-4.1-mini', OPENAI, [rules.pairsCalls, rules.keepsNoThoughts]),
  both('Azure deployment of o4-mini', 'reports', { ...OPENAI, filterChunk: true }, REASONING, 'max_tokens temperature'),
];
const ANSWERS_RESPONSES = [
  both('OpenAI GPT-5.6 (Responses)', 'gpt-5.6-terra-2026-07-01', OPENAI, NEWEST),
  both('Azure deployment of GPT-5.6', 'assistant-prod', OPENAI, NEWEST, 'max_tokens temperature chat_completions'),
];

/** The families that the service is tried with. A rule's source stands at the rule. */
export const FAMILIES: readonly Family[] = [
  ...ANSWERS_CHAT.map((family) => ({ ...family, api: 'chat/completions' as const })),
  ...ANSWERS_RESPONSES.map((family) => ({ ...family, api: 'responses' as const })),
  chat(
    ...(['GPT-5.6 behind a gateway without Responses', 'gateway/gpt-5.6-terra', OPENAI] as const),
    ...([NEWEST, 'responses default_reasoning'] as const),
  ),
  chat('Mistral', 'mistral-large-latest', { callId: 'D681PevKs', wholeCalls: true }, MISTRAL),
  chat('Mistral (Magistral)', 'magistral-medium-2509', { thoughts: 'blocks', fallsSilent: true }, MISTRAL),
  chat(
    ...(['Mistral behind an alias', 'analyst', { ...THINKS, callId: 'call_49c89af0', fallsSilent: true }] as const),
    ...([MISTRAL, 'long_call_ids user_after_tool'] as const),
  ),
  chat(
    ...(['Gemini', 'models/gemini-3.5-flash'] as const),
    { callId: 'function-call-1', wholeCalls: true, signature: rules.SIGNATURE },
    [rules.pairsCalls, rules.knowsFewKeywords, rules.wantsToolNames, rules.wantsSignatures],
    'additionalProperties',
  ),
  chat(
    ...(['Anthropic', 'claude-opus-4-7', { callId: 'toolu_01A09q90qw90lq917835lq9' }] as const),
    ...([[rules.pairsCalls, rules.noTemperature], 'temperature'] as const),
  ),
  chat('DeepSeek', 'deepseek-reasoner', DEEPSEEK, [rules.pairsCalls, rules.wantsReasoningBack]),
  chat(
    ...(['DeepSeek behind an alias', 'thinker', DEEPSEEK] as const),
    ...([[rules.pairsCalls, rules.wantsReasoningBack], 'call_without_reasoning'] as const),
  ),
  chat(...(['OpenRouter', 'anthropic/claude-sonnet-4.5', { callId: 'toolu_1', thoughts: 'details' }] as const), [
    rules.pairsCalls,
    rules.wantsDetailsBack,
  ]),
  chat(
    ...(['OpenRouter, no tools', 'deepseek/deepseek-r1:free', { thoughts: 'reasoning', call: 'text' }] as const),
    ...([[rules.pairsCalls, rules.routesNoTools], 'tools'] as const),
  ),
  chat('Ollama', 'qwen3:4b', { callId: 'call_x1', thoughts: 'reasoning', wholeCalls: true }, [rules.pairsCalls]),
  chat('Ollama, no tools', 'gemma3:4b', { call: 'fence' }, [rules.pairsCalls, rules.ollamaWithoutTools], 'tools'),
  chat(
    ...(['vLLM', 'Qwen/Qwen3-8B', { ...THINKS, callId: 'chatcmpl-tool-2e1b0c5f' }] as const),
    [rules.pairsCalls, rules.hasSmallContext],
    'max_tokens max_completion_tokens max_output_tokens',
  ),
  chat(
    ...(['vLLM, no parsers', 'Qwen/Qwen3-4B-Thinking-2507', { thoughts: 'unmarked', call: 'text' }] as const),
    ...([[rules.pairsCalls, rules.vllmWithoutParser], 'tools'] as const),
  ),
  chat(
    ...(['vLLM, no system role', 'google/gemma-2-9b-it', { call: 'fence' }] as const),
    ...([[rules.noSystemRole, rules.vllmWithoutParser, rules.rolesAlternate], 'system tools'] as const),
  ),
  chat('llama.cpp', 'default', { ...THINKS, callId: 'Abcdefghijklmnopqrstuvwxyz012345' }, [rules.pairsCalls]),
  chat(
    ...(['llama.cpp, no templates', 'local', { thoughts: 'tags', call: 'text' }] as const),
    ...([[rules.llamaWithoutJinja], 'tools'] as const),
  ),
];
