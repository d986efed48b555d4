import { isRecord, type JsonObject, type JsonValue } from '../../../shared/json.js';
import { REASONING_EFFORTS, type ReasoningEffort } from '../../../shared/reasoning-effort.js';
import type { ModelPrice, ModelPrices } from '../../../shared/model-cost.js';
import { refused } from '../config-rules.js';

/** What a company's settings say of its assistant; `null`: as the service is configured. */
export interface AssistantSettings {
  readonly model: string | null;
  readonly temperature: number | null;
  /** Of one round of the model, thoughts included. */
  readonly maxTokens: number | null;
  /** Of a request to the model and its answer. */
  readonly contextTokens: number | null;
  readonly reasoningEffort: ReasoningEffort | null;
  /** What the model's endpoint refuses, by the names of docs/models.md. */
  readonly refuses: readonly string[];
  /** Of answers; `null`: that of the question. */
  readonly language: string | null;
  /** Free text of the company's managers for whoever writes answers; empty when there is none. */
  readonly instructions: string;
  readonly answerSeconds: number | null;
  readonly toolCalls: number | null;
  readonly tokensPerDay: number | null;
  /** Of what models cost, in the currency of the prices. */
  readonly budgetPerMonth: number | null;
  /** They stand above the operator's. */
  readonly prices: ModelPrices;
  /** The built-in analyst answers when the model is away. */
  readonly fallback: boolean;
}

type Check = (value: JsonValue) => string | null;

const MAX_MODEL = 200;
const MAX_INSTRUCTIONS = 4000;

const FIELDS: Readonly<Record<string, Check>> = {
  model: (value) => text(value, MAX_MODEL, /^[^\s\p{Cc}][^\p{Cc}]*$/u),
  temperature: (value) => number(value, 0, 2),
  max_tokens: (value) => whole(value, 256, 1_000_000),
  context_tokens: (value) => whole(value, 4096, 10_000_000),
  reasoning_effort: (value) => (effortOf(value) === null ? `must be one of ${REASONING_EFFORTS.join(', ')}` : null),
  refuses: (value) => (isNames(value) ? null : 'must be a list of names, such as ["temperature"]'),
  language: (value) => text(value, 40, /^\p{L}[\p{L}\p{M} ()-]*$/u, 'must be a language such as German or pt-BR'),
  instructions: (value) => text(value, MAX_INSTRUCTIONS, /^[^\0]*$/),
  fallback: (value) => (typeof value === 'boolean' ? null : 'must be true or false'),
  prices: pricesProblem,
  limits: (value) => (isRecord(value) ? null : 'must be an object'),
};

const LIMITS: Readonly<Record<string, Check>> = {
  answer_seconds: (value) => whole(value, 5, 600),
  tool_calls: (value) => whole(value, 1, 40),
  tokens_per_day: (value) => whole(value, 0, 1_000_000_000_000),
  budget_per_month: (value) => number(value, 0, 1_000_000_000),
};

const PRICE: Readonly<Record<string, Check>> = {
  model: (value) => text(value, MAX_MODEL, /^[^\s\p{Cc}][^\p{Cc}]*$/u),
  input: (value) => number(value, 0, 1_000_000),
  output: (value) => number(value, 0, 1_000_000),
  cached: (value) => number(value, 0, 1_000_000),
};
const MAX_PRICES = 100;

/** What of the settings can be used; a value that could not be set today counts as not set. */
export function assistantSettingsIn(config: JsonObject): AssistantSettings {
  const own = isRecord(config['assistant']) ? config['assistant'] : {};
  const said = usable(own, FIELDS);
  const limits = usable(isRecord(own['limits']) ? own['limits'] : {}, LIMITS);
  return {
    model: textOf(said['model']),
    temperature: numberOf(said['temperature']),
    maxTokens: numberOf(said['max_tokens']),
    contextTokens: numberOf(said['context_tokens']),
    reasoningEffort: effortOf(said['reasoning_effort']),
    refuses: isNames(said['refuses']) ? said['refuses'] : [],
    language: textOf(said['language']),
    instructions: textOf(said['instructions']) ?? '',
    answerSeconds: numberOf(limits['answer_seconds']),
    toolCalls: numberOf(limits['tool_calls']),
    tokensPerDay: numberOf(limits['tokens_per_day']),
    budgetPerMonth: numberOf(limits['budget_per_month']),
    prices: pricesOf(said['prices']),
    fallback: said['fallback'] === true,
  };
}

/** @throws AppError `invalid_input` that names the first of the assistant's settings that can't be used. */
export function assertAssistant(config: JsonObject): void {
  if (!Object.hasOwn(config, 'assistant')) return;
  const own = config['assistant'] ?? null;
  if (!isRecord(own)) throw refused('config.assistant', 'must be an object');
  assertFields(own, FIELDS, 'config.assistant');
  if (isRecord(own['limits'])) assertFields(own['limits'], LIMITS, 'config.assistant.limits');
}

function assertFields(object: JsonObject, fields: typeof FIELDS, path: string): void {
  for (const [name, value] of Object.entries(object)) {
    const check = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (check === undefined) {
      throw refused(`${path}.${name}`, `is not known; known are ${Object.keys(fields).join(', ')}`);
    }
    const problem = check(value);
    if (problem !== null) throw refused(`${path}.${name}`, problem);
  }
}

const MAX_REFUSED = 50;

function isNames(value: JsonValue | undefined): value is readonly string[] {
  if (!Array.isArray(value) || value.length > MAX_REFUSED) return false;
  return value.every((name) => typeof name === 'string' && /^[\w$]{1,100}$/.test(name));
}

function effortOf(value: JsonValue | undefined): ReasoningEffort | null {
  return REASONING_EFFORTS.find((effort) => effort === value) ?? null;
}

/** A list, as the name of a model may speak of keys or tokens and would hide its price. */
function pricesProblem(prices: JsonValue): string | null {
  if (!Array.isArray(prices)) return 'must be a list';
  if (prices.length > MAX_PRICES) return `has at most ${MAX_PRICES} models`;
  return prices.every((price: JsonValue) => isPrice(price))
    ? null
    : 'must have entries like {"model":"gpt-4o","input":2.5,"output":10,"cached":1.25}, in prices of a million tokens; cached can be left out';
}

function isPrice(price: JsonValue): price is JsonObject {
  if (!isRecord(price)) return false;
  const hasAll = ['model', 'input', 'output'].every((name) => Object.hasOwn(price, name));
  return hasAll && Object.keys(usable(price, PRICE)).length === Object.keys(price).length;
}

function pricesOf(value: JsonValue | undefined): ModelPrices {
  if (!Array.isArray(value)) return {};
  const prices = value.filter((price: JsonValue) => isPrice(price));
  return Object.fromEntries(
    prices.map(({ model, ...price }): [string, ModelPrice] => {
      const [input, output, cached] = [price['input'], price['output'], price['cached']].map(numberOf);
      return [textOf(model) ?? '', { input: input ?? 0, output: output ?? 0, ...(cached == null ? {} : { cached }) }];
    }),
  );
}

function usable(object: JsonObject, fields: typeof FIELDS): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([name, value]) => Object.hasOwn(fields, name) && fields[name]?.(value) === null),
  );
}

function text(
  value: JsonValue,
  most: number,
  form: RegExp,
  rule = 'has a character that it must not have',
): string | null {
  if (typeof value !== 'string') return 'must be a text';
  if (value.trim() === '' || value.length > most) return `must have 1 to ${most} characters`;
  return form.test(value) ? null : rule;
}

function number(value: JsonValue, least: number, most: number): string | null {
  const fits = typeof value === 'number' && value >= least && value <= most;
  return fits ? null : `must be a number from ${least} to ${most}`;
}

function whole(value: JsonValue, least: number, most: number): string | null {
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
  return fits ? null : `must be a whole number from ${least} to ${most}`;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value.trim() : null;
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' ? value : null;
}
