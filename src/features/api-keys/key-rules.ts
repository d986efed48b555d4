import type { User } from '../users/users.facade.js';
import type { Principal } from '../../shared/principal.js';
import { asId } from '../../shared/ids.js';
import type { ApiKey, ApiKeyDraft } from './api-key.schema.js';
import { AppError } from '../../shared/app-error.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60 * 1000;

/** When a key ends; null: not by itself. @throws AppError `invalid_input` */
export function expiryOf({ expiresAt, days }: Pick<ApiKeyDraft, 'expiresAt' | 'days'>, now: Date): Date | null {
  if (expiresAt !== null && days !== null) throw wrongExpiry('send expires_at or days, not both');
  if (days !== null) return new Date(now.getTime() + days * DAY_MS);
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (Number.isNaN(end.getTime())) throw wrongExpiry('expires_at must be a time in ISO 8601');
  if (end <= now) throw wrongExpiry('expires_at must lie in the future');
  return end;
}

export function isAlive({ expiresAt }: ApiKey, now: Date): boolean {
  return expiresAt === null || now < expiresAt;
}

/** A use is worth noting when none was in the last minute. */
export function isNoteworthy({ lastUsedAt }: ApiKey, now: Date): boolean {
  return lastUsedAt === null || now.getTime() - lastUsedAt.getTime() >= MINUTE_MS;
}

/** Who asks with the key; null when a user's key has no user who may. */
export function principalOfKey(key: ApiKey, user: User | null): Principal | null {
  const { id, companyId, holderId, accountRole, name, scopes } = key;
  const asked = { userId: holderId, companyId, sessionId: asId<Principal['sessionId']>(id), key: { id, scopes } };
  if (accountRole !== null) return { ...asked, role: accountRole, email: '', firstName: name, lastName: '' };
  if (user?.isActive !== true) return null;
  return { ...asked, role: user.role, email: user.email, firstName: user.firstName, lastName: user.lastName };
}

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

function wrongExpiry(problem: string): AppError {
  return new AppError('invalid_input', problem, { details: [{ field: 'expires_at', problem }] });
}

export function accountRoleTooHigh(): AppError {
  return new AppError('forbidden', 'forbidden: a service account has at most your own role');
}

export function accountsAreForManagers(): AppError {
  return new AppError('forbidden', 'forbidden: only managers make keys for service accounts');
}
