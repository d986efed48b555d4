import { mongo } from 'mongoose';
import { AppError, isAppError } from '../../../shared/app-error.js';
import { documentError } from '../mongo-errors.js';
import { isRecord } from '../../../shared/json.js';

/** What a query meets whose collection was removed under it: the collection is dropped, or its cursor is gone. */
const REMOVED = [26, 43, 175];
const TOO_LATE = 50;

/** What an error of the driver means to somebody who asked for rows. Never names the address: it can hold a password. */
export function rowsError(error: unknown): unknown {
  if (isAppError(error)) return error;
  const code = isRecord(error) ? error['code'] : null;
  return (typeof code === 'number' ? byCode(error, code) : byKind(error)) ?? generalError(error);
}

function byCode(error: unknown, code: number): AppError | null {
  if (code === TOO_LATE) return new AppError('timed_out', 'the query took too long', { cause: error });
  if (!REMOVED.includes(code)) return null;
  return new AppError('unavailable', 'the rows were replaced while they were read: ask again', {
    ...{ retryAfter: 1, cause: error },
  });
}

/** What happens to many rows on their way, or before they leave, has no code. */
function byKind(error: unknown): AppError | null {
  if (error instanceof mongo.MongoBulkWriteError) return rowsUnavailable(error);
  if (error instanceof mongo.MongoInvalidArgumentError && /maximum size/i.test(error.message)) return tooLarge(error);
  return null;
}

/** As of any document, in the words for rows. */
function generalError(error: unknown): unknown {
  const known = documentError(error);
  if (isAppError(known, 'unavailable')) return rowsUnavailable(error);
  return isAppError(known, 'too_large') ? tooLarge(error) : known;
}

function tooLarge(cause: unknown): AppError {
  return new AppError('invalid_input', 'a row is too large to be stored', { cause });
}

export function rowsUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', 'the rows are not available', { retryAfter: 5, cause });
}

/** Does something with the database; what goes wrong is told in the words of the ports. */
export async function inDatabase<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw rowsError(error);
  }
}
