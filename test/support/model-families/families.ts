import type { Family, FamilyRule, FamilyStyle } from './family.js';
import * as rules from './rules.js';

const REASONING = [rules.pairsCalls, rules.pairsItems, rules.wantsCompletionTokens, rules.hasOneTemperature];
const NEWEST = [...REASONING, rules.noToolsWithReasoning];
const MISTRAL = [rules.pairsCalls, rules.knowsMistralsParameters, rules.wantsShortIds, rules.noUserAfterTool];
const CALL = [rules.pairsCalls];

/** One that is asked for chat completions; `model` is what `OPENAI_MODEL` would say. */
function chat(
  [name, model]: readonly [name: string, model: string],
  own: readonly FamilyRule[],
  style: FamilyStyle,
  learned: readonly string[] = [],
): Family {
  return { name, model, rules: own, style, learned, serves: ['chat/completions'], api: 'chat/completions' };
}

/** One of OpenAI's, which answers on both ways. */
function openAi(
  named: readonly [name: string, model: string],
  own: readonly FamilyRule[],
  more: Partial<Family> = {},
): Family {
  const style = { callId: 'call_PTLP8xhu3uwZk4l3nlnrrJha', ...more.style };
  return { ...chat(named, own, style), serves: ['chat/completions', 'responses'], ...more, style };
}

/** The families that the service is tried with. A rule's source stands at the rule. */
// prettier-ignore
export const FAMILIES: readonly Family[] = [
  openAi(['OpenAI o-series', 'o4-mini'], REASONING),
  openAi(['OpenAI GPT-5', 'openai/gpt-5-mini'], REASONING),
  openAi(['OpenAI GPT-5.6 (Responses)', 'gpt-5.6-terra-2026-07-01'], NEWEST, { api: 'responses' }),
  openAi(['GPT-5.6 behind a gateway without Responses', 'gateway/gpt-5.6-terra'], NEWEST,
    { serves: ['chat/completions'], learned: ['responses', 'default_reasoning'] }),
  openAi(['OpenAI GPT-4.1', 'gpt-4.1-mini'], [rules.pairsCalls, rules.keepsNoThoughts]),
  openAi(['Azure deployment of o4-mini', 'reports'], REASONING,
    { style: { filterChunk: true }, learned: ['max_tokens', 'temperature'] }),
  openAi(['Azure deployment of GPT-5.6', 'assistant-prod'], NEWEST,
    { learned: ['max_tokens', 'temperature', 'chat_completions'], api: 'responses' }),
  chat(['Mistral', 'mistral-large-latest'], MISTRAL, { callId: 'D681PevKs', wholeCalls: true }),
  chat(['Mistral (Magistral)', 'magistral-medium-2509'], MISTRAL, { thoughts: 'blocks', fallsSilent: true }),
  chat(['Mistral behind an alias', 'analyst'], MISTRAL,
    { callId: 'call_49c89af0', thoughts: 'reasoning_content', fallsSilent: true },
    ['long_call_ids', 'user_after_tool']),
  chat(['Gemini', 'models/gemini-3.5-flash'],
    [rules.pairsCalls, rules.knowsFewKeywords, rules.wantsToolNames, rules.wantsSignatures],
    { callId: 'function-call-1', wholeCalls: true, signature: rules.SIGNATURE }, ['additionalProperties']),
  chat(['Anthropic', 'claude-opus-4-7'], [rules.pairsCalls, rules.noTemperature],
    { callId: 'toolu_01A09q90qw90lq917835lq9' }, ['temperature']),
  chat(['DeepSeek', 'deepseek-reasoner'], [rules.pairsCalls, rules.wantsReasoningBack],
    { callId: 'call_00_Jix34GFEsxl1dwSX', thoughts: 'reasoning_content' }),
  chat(['DeepSeek behind an alias', 'thinker'], [rules.pairsCalls, rules.wantsReasoningBack],
    { callId: 'call_00_Jix34GFEsxl1dwSX', thoughts: 'reasoning_content' }, ['call_without_reasoning']),
  chat(['OpenRouter', 'anthropic/claude-sonnet-4.5'], [rules.pairsCalls, rules.wantsDetailsBack],
    { callId: 'toolu_1', thoughts: 'details' }),
  chat(['OpenRouter, no tools', 'deepseek/deepseek-r1:free'], [rules.pairsCalls, rules.routesNoTools],
    { thoughts: 'reasoning', call: 'text' }, ['tools']),
  chat(['Ollama', 'qwen3:4b'], CALL, { callId: 'call_x1y2z3w4', thoughts: 'reasoning', wholeCalls: true }),
  chat(['Ollama, no tools', 'gemma3:4b'], [rules.pairsCalls, rules.ollamaWithoutTools], { call: 'fence' }, ['tools']),
  chat(['vLLM', 'Qwen/Qwen3-8B'], [rules.pairsCalls, rules.hasSmallContext],
    { callId: 'chatcmpl-tool-2e1b0c5f', thoughts: 'reasoning_content' },
    ['max_tokens', 'max_completion_tokens', 'max_output_tokens']),
  chat(['vLLM, no parsers', 'Qwen/Qwen3-4B-Thinking-2507'], [rules.pairsCalls, rules.vllmWithoutParser],
    { thoughts: 'unmarked', call: 'text' }, ['tools']),
  chat(['vLLM, no system role', 'google/gemma-2-9b-it'],
    [rules.noSystemRole, rules.vllmWithoutParser, rules.rolesAlternate], { call: 'fence' }, ['system', 'tools']),
  chat(['llama.cpp', 'default'], CALL, { callId: 'Abcdefghijklmnopqrstuvwxyz012345', thoughts: 'reasoning_content' }),
  chat(['llama.cpp, no templates', 'local'], [rules.llamaWithoutJinja], { thoughts: 'tags', call: 'text' }, ['tools']),
];
