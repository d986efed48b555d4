import type { FieldProblem } from '../shared/app-error.js';
import type { Envelope } from './envelope.wire.js';

/** The envelope of a success, with the endpoint's own fields. */
export function ok<T extends object>(message: string, fields?: T): Envelope & T {
  return { error: false, message, ...(fields ?? ({} as T)) };
}

/** The envelope of a failure. */
export function failed(
  message: string,
  details: readonly FieldProblem[] = [],
): Envelope & { details?: readonly FieldProblem[] } {
  return details.length === 0 ? { error: true, message } : { error: true, message, details };
}
