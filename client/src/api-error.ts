export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

/** The service refused, or failed. `status` 0: it could not be reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    /** Everything that is wrong with a body, field by field. */
    readonly details: readonly FieldProblem[] = [],
    /** Seconds to wait before another try, where the service says so. */
    readonly retryAfter: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }

  /** Nothing was answered: the network, or the service, is away. */
  get isOffline(): boolean {
    return this.status === 0;
  }
}

/** There is no session (any more), and nobody signed in again. */
export class SignedOutError extends ApiError {
  constructor() {
    super(401, 'session expired');
    this.name = 'SignedOutError';
  }
}

/** What a failed answer says, whatever produced it. */
export function errorFrom(status: number, headers: Pick<Headers, 'get'>, body: unknown): ApiError {
  const { message, details } = isRecord(body) ? body : { message: undefined, details: undefined };
  const wait = Number(headers.get('retry-after') ?? NaN);
  return new ApiError(
    status,
    typeof message === 'string' && message !== '' ? message : `the service answered with status ${String(status)}`,
    Array.isArray(details) ? details.filter(isProblem) : [],
    Number.isFinite(wait) ? wait : null,
  );
}

/** A request that was never answered. What was aborted on purpose stays what it is. */
export function unreachable(error: unknown): unknown {
  if (error instanceof ApiError || (error instanceof Error && error.name === 'AbortError')) return error;
  return new ApiError(0, 'the service could not be reached');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isProblem(value: unknown): value is FieldProblem {
  return isRecord(value) && typeof value['field'] === 'string' && typeof value['problem'] === 'string';
}
