import { HttpException } from '@nestjs/common';
import { AppError, type ErrorKind, type FieldProblem } from '../shared/app-error.js';
import { isRecord } from '../shared/json.js';

const STATUS: Readonly<Record<ErrorKind, number>> = {
  invalid_input: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  rate_limited: 429,
  unavailable: 503,
  timed_out: 504,
  no_space: 507,
};

/** What a caller is told of an error. */
export interface Failure {
  readonly status: number;
  readonly message: string;
  readonly details: readonly FieldProblem[];
  readonly retryAfter: number | null;
}

/** Turns anything that was thrown into what the caller may know. What we did not foresee is an `internal error`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) {
    const { kind, message, details, retryAfter } = error;
    return { status: STATUS[kind], message, details, retryAfter: retryAfter ?? (kind === 'unavailable' ? 5 : null) };
  }
  const status = error instanceof HttpException ? error.getStatus() : frameworkStatus(error);
  if (status === null || status >= 500) return plain(500, 'internal error');
  return plain(status, FRAMEWORK_MESSAGES[status] ?? clientMessage(error));
}

/** Our own words for what the framework refuses before a handler sees it. */
const FRAMEWORK_MESSAGES: Readonly<Record<number, string>> = {
  404: 'not found',
  405: 'method not allowed',
  408: 'the request took too long to arrive',
  413: 'request body is too large',
  415: 'unsupported media type',
};

function plain(status: number, message: string): Failure {
  return { status, message, details: [], retryAfter: null };
}

/** Fastify's own errors carry a status code and are no HttpExceptions. */
function frameworkStatus(error: unknown): number | null {
  if (!isRecord(error) && !(error instanceof Error)) return null;
  const status: unknown = 'statusCode' in error ? error['statusCode'] : null;
  return typeof status === 'number' && status >= 400 ? status : null;
}

function clientMessage(error: unknown): string {
  const text = error instanceof Error ? error.message : '';
  if (/json/i.test(text) || error instanceof SyntaxError) return 'the body is not valid JSON';
  return text === '' ? 'bad request' : text.charAt(0).toLowerCase() + text.slice(1);
}
