/** Every way a request can fail that we foresee. One table in `http/` gives each its status. */
export type ErrorKind =
  | 'invalid_input'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unsupported_type'
  | 'rate_limited'
  | 'unavailable'
  | 'timed_out'
  | 'no_space';

export interface FieldProblem {
  readonly field: string;
  readonly problem: string;
}

export interface AppErrorOptions {
  readonly details?: readonly FieldProblem[];
  /** Seconds after which trying again makes sense; sent as `retry-after`. */
  readonly retryAfter?: number;
  readonly cause?: unknown;
}

/** A foreseen failure whose message may be shown to the caller as it is. */
export class AppError extends Error {
  readonly details: readonly FieldProblem[];
  readonly retryAfter: number | null;

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'AppError';
    this.details = options.details ?? [];
    this.retryAfter = options.retryAfter ?? null;
  }
}

export function isAppError(error: unknown, kind?: ErrorKind): error is AppError {
  return error instanceof AppError && (kind === undefined || error.kind === kind);
}

/** For `catch`: what stands in for a failure of this kind; any other is thrown. */
export function onKind<T>(kind: ErrorKind, instead: (error: AppError) => T): (error: unknown) => T {
  return (error) => {
    if (isAppError(error, kind)) return instead(error);
    throw error;
  };
}

/** What is wrong with one field of a request; its sentence is the message, unless another one tells more. */
export function invalidField(field: string, problem: string, message = problem): AppError {
  return new AppError('invalid_input', message, { details: [{ field, problem }] });
}

/** The message of anything that was thrown, for logs and for wrapping. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
