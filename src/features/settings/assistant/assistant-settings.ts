import { z } from 'zod';
import { isRecord, type JsonObject } from '../../../shared/json.js';
import type { ModelPrices } from '../../../shared/model-cost.js';
import { REASONING_EFFORTS, type ReasoningEffort } from '../../../shared/reasoning-effort.js';
import { said } from '../../../shared/said.js';
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

const MAX_PRICES = 100;
const MODEL = text(200, /^[^\s\p{Cc}][^\p{Cc}]*$/u);

const PRICE = fields({
  model: MODEL,
  input: number(0, 1_000_000),
  output: number(0, 1_000_000),
  cached: number(0, 1_000_000).optional(),
});

const LIMITS = fields({
  answer_seconds: whole(5, 600),
  tool_calls: whole(1, 40),
  tokens_per_day: whole(0, 1_000_000_000_000),
  budget_per_month: number(0, 1_000_000_000),
}).partial();

const ASSISTANT = fields({
  model: MODEL,
  temperature: number(0, 2),
  max_tokens: whole(256, 1_000_000),
  context_tokens: whole(4096, 10_000_000),
  reasoning_effort: z.enum(REASONING_EFFORTS, `must be one of ${REASONING_EFFORTS.join(', ')}`),
  refuses: z
    .array(z.string().regex(/^[\w$]{1,100}$/, 'must be a name such as temperature'), 'must be a list')
    .max(50, 'has at most 50 names'),
  language: text(40, /^\p{L}[\p{L}\p{M} ()-]*$/u, 'must be a language such as German or pt-BR'),
  instructions: text(4000, /^[^\0]*$/),
  fallback: z.boolean('must be true or false'),
  // A list, as the name of a model may speak of keys or tokens and would hide its price.
  prices: z.array(PRICE, 'must be a list').max(MAX_PRICES, `has at most ${MAX_PRICES} models`),
  limits: LIMITS,
}).partial();

/** What of the settings can be used; a value that could not be set today counts as not set. */
export function assistantSettingsIn(config: JsonObject): AssistantSettings {
  const given = isRecord(config['assistant']) ? config['assistant'] : {};
  const limits = usable(LIMITS, given['limits']);
  const own = usable(ASSISTANT, { ...given, limits });
  const { model, temperature, refuses, language, instructions, fallback, prices = [] } = own;
  return {
    ...UNSAID,
    ...said({ model, temperature, refuses, language, instructions, fallback, prices: pricesOf(prices) }),
    ...said({
      maxTokens: own.max_tokens,
      contextTokens: own.context_tokens,
      reasoningEffort: own.reasoning_effort,
      answerSeconds: limits.answer_seconds,
      toolCalls: limits.tool_calls,
      tokensPerDay: limits.tokens_per_day,
      budgetPerMonth: limits.budget_per_month,
    }),
  };
}

const UNSAID: AssistantSettings = {
  model: null,
  temperature: null,
  maxTokens: null,
  contextTokens: null,
  reasoningEffort: null,
  refuses: [],
  language: null,
  instructions: '',
  answerSeconds: null,
  toolCalls: null,
  tokensPerDay: null,
  budgetPerMonth: null,
  prices: {},
  fallback: false,
};

/** @throws AppError `invalid_input` that names the first of the assistant's settings that can't be used. */
export function assertAssistant(config: JsonObject): void {
  if (!Object.hasOwn(config, 'assistant')) return;
  const [issue] = ASSISTANT.safeParse(config['assistant']).error?.issues ?? [];
  if (issue === undefined) return;
  const unknown = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const path = [...issue.path, ...unknown].map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`));
  throw refused(`config.assistant${path.join('')}`, issue.message);
}

function pricesOf(prices: readonly z.output<typeof PRICE>[]): ModelPrices {
  return Object.fromEntries(
    prices.map(({ model, input, output, cached }) => [model, { input, output, ...said({ cached }) }]),
  );
}

function usable<S extends typeof ASSISTANT | typeof LIMITS>(schema: S, value: unknown): z.output<S> {
  const object = isRecord(value) ? value : {};
  const issues = schema.safeParse(object).error?.issues ?? [];
  const bad = issues.flatMap(({ path, ...issue }) =>
    issue.code === 'unrecognized_keys' && path.length === 0 ? issue.keys : path.slice(0, 1),
  );
  const good = Object.entries(object).filter(([name]) => !bad.includes(name));
  return schema.parse(Object.fromEntries(good)) as z.output<S>;
}

/** An object of these fields alone. */
function fields<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  const unknown = `is not known; known are ${Object.keys(shape).join(', ')}`;
  return z.strictObject(shape, { error: ({ code }) => (code === 'unrecognized_keys' ? unknown : 'must be an object') });
}

function text(most: number, form: RegExp, rule = 'has a character that it must not have') {
  const fits = (value: string): boolean => value.trim() !== '' && value.length <= most;
  return z
    .string('must be a text')
    .refine(fits, { error: `must have 1 to ${most} characters`, abort: true })
    .regex(form, rule)
    .trim();
}

function number(least: number, most: number) {
  const problem = `must be a number from ${least} to ${most}`;
  return z.number(problem).min(least, problem).max(most, problem);
}

function whole(least: number, most: number) {
  const problem = `must be a whole number from ${least} to ${most}`;
  return z.number(problem).refine(Number.isInteger, problem).min(least, problem).max(most, problem);
}
