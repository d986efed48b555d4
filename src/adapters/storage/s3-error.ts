import { AppError } from '../../shared/app-error.js';
import { isRecord } from '../../shared/json.js';
import { storageError } from './storage-error.js';

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'EntityTooLarge', 'InsufficientStorage'];

/** What an error of the storage means to a caller. Never names a host or a key. */
export function s3Error(error: unknown): unknown {
  if (error instanceof AppError || statusOf(error) === null)
    return isNetwork(error) ? away(error) : storageError(error);
  if (isRecord(error) && FULL.includes(String(error['name']))) {
    return new AppError('no_space', 'no room left on the storage', { cause: error });
  }
  return away(error);
}

/** Whether it says that there is no such object. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404;
}

/** Whether it says that somebody else was first. */
export function isTaken(error: unknown): boolean {
  return statusOf(error) === 412 || statusOf(error) === 409;
}

function statusOf(error: unknown): number | null {
  const metadata = isRecord(error) ? error['$metadata'] : null;
  const status = isRecord(metadata) ? metadata['httpStatusCode'] : null;
  return typeof status === 'number' ? status : null;
}

function isNetwork(error: unknown): boolean {
  if (!isRecord(error)) return false;
  const { code, name } = error;
  if (name === 'TimeoutError') return true;
  return typeof code === 'string' && /^E(CONN|HOST|NET|PIPE|TIMEDOUT|AI_AGAIN|NOTFOUND)/.test(code);
}

function away(error: unknown): AppError {
  return new AppError('unavailable', 'the file storage is not available', { retryAfter: 5, cause: error });
}
