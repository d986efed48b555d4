import { AppError } from '../../shared/app-error.js';

/** One answer to whatever is wrong with a key, so that nobody learns which. */
export function invalidKey(): AppError {
  return new AppError('unauthorized', 'unauthorized - invalid token');
}

export function noSuchKey(): AppError {
  return new AppError('not_found', 'API key not found');
}

export function noSuchAccount(): AppError {
  return new AppError('not_found', 'service account not found');
}

export function tooManyKeys(most: number): AppError {
  return new AppError('conflict', `you have made ${most} API keys: revoke one that is not used any more`);
}

export function wrongExpiry(problem: string): AppError {
  return new AppError('invalid_input', problem, { details: [{ field: 'expires_at', problem }] });
}

export function accountRoleTooHigh(): AppError {
  return new AppError('forbidden', 'forbidden: a service account has at most your own role');
}

export function accountsAreForManagers(): AppError {
  return new AppError('forbidden', 'forbidden: only managers make keys for service accounts');
}
