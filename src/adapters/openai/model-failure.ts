import { setTimeout as pause } from 'node:timers/promises';
import { AppError, isAppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';

const MAX_RETRY_AFTER_S = 3600;
const DEFAULT_RETRY_AFTER_S = 30;
const RETRIES = 2;
export const RETRY_PAUSE_MS = 500;
const MAX_PAUSE_MS = 20_000;

/**
 * What comes of the attempt, which is made again where that may help, after as long as the endpoint asks for.
 *
 * @throws AppError as `modelFailure` tells it; the signal's reason when it aborts.
 */
export async function withRetries<T>(attempt: () => Promise<T>, pauseMs: number, signal: AbortSignal): Promise<T> {
  for (let retry = 0; ; retry += 1) {
    try {
      return await attempt();
    } catch (error) {
      signal.throwIfAborted();
      const wanted = (retryAfterOf(error) ?? 0) * 1000;
      if (retry === RETRIES || !isPassing(error) || wanted > MAX_PAUSE_MS) throw modelFailure(error);
      // A pause that is cut short would tell a reason of its own.
      await pause(Math.max(wanted, pauseMs * 2 ** retry), undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }
  }
}

/**
 * What our callers are told when a model fails. Nothing the provider wrote goes into it, not even as the cause: their texts quote keys
 * and prompts.
 */
export function modelFailure(error: unknown): AppError {
  if (isAppError(error)) return error;
  const { status, code, name } = marksOf(error);
  const cause = new Error(['model request failed', status, code, name].filter((mark) => mark !== null).join(' '));
  if (name === 'ContextOverflowError' || code === 'context_length_exceeded') {
    return new AppError('invalid_input', 'the conversation is too long for the model', { cause });
  }
  const retryAfter = Math.min(retryAfterOf(error) ?? DEFAULT_RETRY_AFTER_S, MAX_RETRY_AFTER_S);
  const sentence = SENTENCES.get(status ?? name ?? '') ?? 'the model is not available';
  return new AppError('unavailable', sentence, { cause, ...(status === 429 ? { retryAfter } : {}) });
}

/** Whether the same request may succeed in a moment. */
export function isPassing(error: unknown): boolean {
  const { status, code, name } = marksOf(error);
  if (code === 'insufficient_quota' || name === 'ContextOverflowError') return false;
  if (status !== null) return status === 408 || status === 409 || status === 429 || status >= 500;
  return name !== null && RETRIED_NAMES.has(name);
}

/** Seconds that the provider asks to wait. */
function retryAfterOf(error: unknown): number | null {
  if (!isRecord(error) || !(error['headers'] instanceof Headers)) return null;
  const value = error['headers'].get('retry-after');
  if (value === null || value.trim() === '') return null;
  const seconds = Number(value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** By the status of the answer, or by the error's name where there was none. */
const SENTENCES: ReadonlyMap<number | string, string> = new Map<number | string, string>([
  [400, 'the model did not accept the request'],
  [401, 'the model does not accept our credentials'],
  [403, 'the model does not accept our credentials'],
  [404, 'the configured model is not there'],
  [422, 'the model did not accept the request'],
  [429, 'the model has too many requests at the moment'],
  ['TimeoutError', 'the model did not answer in time'],
  ['APIConnectionTimeoutError', 'the model did not answer in time'],
  ['APIConnectionError', 'the model could not be reached'],
  ['SyntaxError', 'the model sent something unreadable'],
  ['TypeError', 'the model broke off'],
]);

const RETRIED_NAMES = new Set(['TimeoutError', 'APIConnectionError', 'APIConnectionTimeoutError']);

function marksOf(error: unknown) {
  if (!isRecord(error)) return { status: null, code: null, name: null };
  const { status, code } = error;
  return {
    status: typeof status === 'number' ? status : null,
    code: typeof code === 'string' && /^[a-z_]{1,40}$/.test(code) ? code : null,
    // The client's classes don't set `name`, so some are only known by their constructor.
    name: error instanceof Error ? (error.name === 'Error' ? error.constructor.name : error.name) : null,
  };
}
