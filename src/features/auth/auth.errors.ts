import { AppError } from '../../shared/app-error.js';

/** One answer to whatever is wrong with a token, so that nobody learns which. */
export function invalidToken(): AppError {
  return new AppError('unauthorized', 'unauthorized - invalid token');
}

export function sessionExpired(): AppError {
  return new AppError('unauthorized', 'session expired');
}

/** One answer to an unknown address and a wrong password. */
export function badCredentials(): AppError {
  return new AppError('unauthorized', 'invalid email or password');
}

export function tooManyFailures(retryAfter: number): AppError {
  return new AppError('rate_limited', 'too many failed logins, try again later', { retryAfter });
}
