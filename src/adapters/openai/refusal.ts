import { isRecord, parsedJson } from '../../shared/json.js';

/** What an endpoint answered instead of a stream. The text quotes keys and prompts at times, so it goes into no log and no error. */
export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly param: string;
  /** The whole body, as far as it was read. */
  readonly text: string;
}

/** What of a request can be refused, beside the names of its parameters. */
export type Refusable =
  | (typeof PARAMETERS)[number]
  | Limit
  | 'chat_completions'
  | 'responses'
  | 'default_reasoning'
  | 'tools'
  | 'system'
  | 'user_after_tool'
  | 'long_call_ids'
  | 'tool_without_name'
  | 'call_without_reasoning';
export type Limit = (typeof LIMITS)[number];

export const LIMITS = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'] as const;
const PARAMETERS = ['temperature', 'stream_options', 'reasoning_effort', 'include', 'store'] as const;

const MOST_READ = 8000;

/** `null` when the error is no answer of the endpoint. */
export function refusalOf(error: unknown): Refusal | null {
  if (!isRecord(error)) return null;
  const { status, code, param, message, cause } = error;
  // The library wraps what it takes for a conversation that is too long, and leaves the status inside.
  if (typeof status !== 'number') return cause === undefined ? null : refusalOf(cause);
  return { status, code: textOf(code), param: textOf(param), text: textOf(message) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/**
 * Fetches as the client would, and gives every error the one shape that the client can read. Servers answer `{ error: { … } }`,
 * `{ message }`, `{ detail: [ … ] }` or a list of these, and the client keeps the text of the first alone.
 */
export async function fetchReadably(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (response.ok) return response;
  const text = (await response.text()).slice(0, MOST_READ);
  const { code, param } = marksOf(text);
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const body = { error: { message: text.replaceAll('\\', ''), code, param } };
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

function marksOf(text: string): { readonly code: unknown; readonly param: unknown } {
  const parsed = parsedJson(text);
  const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  const error = isRecord(first) && isRecord(first['error']) ? first['error'] : first;
  return isRecord(error) ? { code: error['code'], param: error['param'] } : { code: null, param: null };
}

/** What was sent, as far as a refusal can be about it. */
export interface Sent {
  readonly api: 'chat_completions' | 'responses';
  readonly limit: Limit | null;
  /** Names of its parameters. */
  readonly parameters: readonly string[];
}

/** What an endpoint refuses by its answer; empty when it says nothing that we could do without. */
export function refusedBy(refusal: Refusal, sent: Sent): readonly string[] {
  if (FOREIGN.has(refusal.status)) return [];
  const { status, code, text } = refusal;
  if (sent.api === 'chat_completions' && NEEDS_RESPONSES.test(text)) return ['chat_completions'];
  if (sent.api === 'responses' && NOT_SERVED.has(status) && code !== 'model_not_found') return ['responses'];
  const habits = TEXTS.filter(([, said]) => said.test(text)).map(([name]) => name);
  if (habits.length > 0) return habits;
  const keywords = [...text.matchAll(UNKNOWN_KEYWORD)].map(([, keyword = '']) => keyword);
  if (keywords.length > 0) return [...new Set(keywords)];
  return [...refusedLimits(refusal, sent), ...refusedParameters(refusal, sent)];
}

/** Credentials, rights and quotas are no matter of the request's form. */
const FOREIGN = new Set([401, 403, 429]);
const NOT_SERVED = new Set([404, 405, 501]);
const NEEDS_RESPONSES = /(use|only (be )?(supported|used)[^.]*|via|through) [^.]{0,20}v1\/responses|not a chat model/i;
/** Gemini names each keyword of a schema that it doesn't know. */
const UNKNOWN_KEYWORD = /Unknown name "([$\w]{1,40})" at '[^']*(?:tools|function_declarations)/g;

const TEXTS: readonly (readonly [Refusable, RegExp])[] = [
  [
    'tools',
    /not support (tool|function)|support tool use|tool choice requires|requires --jinja|roles must alternate|"tools"\],"msg":"extra/i,
  ],
  ['system', /system role (is )?not supported|does not support 'system'/i],
  ['user_after_tool', /unexpected role 'user' after role 'tool'/i],
  ['long_call_ids', /tool call id was/i],
  ['tool_without_name', /function_response\.name/i],
  ['call_without_reasoning', /missing .?reasoning_content|reasoning_\w+\W.{0,60}must be passed back/i],
  ['include', /encrypted content is not supported/i],
  ['reasoning_effort', /think value/i],
];

function refusedLimits({ code, param, text }: Refusal, { limit }: Sent): readonly string[] {
  if (limit === null) return [];
  const isTooLong = code === 'context_length_exceeded' || /maximum context length/i.test(text);
  if (isTooLong ? !OF_THE_OUTPUT.test(text) : param !== limit && !mentions(text, limit)) return [];
  return !isTooLong && OF_THE_NAME.test(`${code} ${text}`) ? [limit] : LIMITS;
}

/** The prompt alone would fit. */
const OF_THE_OUTPUT = /in the completion|output tokens|max_tokens|max_completion_tokens/i;
/** It is the parameter that is not known, not its value that is too large. */
const OF_THE_NAME = /unsupported_parameter|unsupported parameter|not supported|extra_forbidden|unrecognized|unknown/i;

function refusedParameters({ param, text }: Refusal, { parameters }: Sent): readonly string[] {
  return PARAMETERS.filter((name) => {
    const inner = name === 'reasoning_effort' ? 'reasoning.effort' : name;
    const isSent = parameters.includes(name) || parameters.includes(inner.replace(/\..*/, ''));
    return isSent && [name, inner].some((spelling) => param === spelling || mentions(text, spelling));
  });
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(^|[^\\w])${name.replace('.', '\\.')}($|[^\\w])`).test(text);
}
