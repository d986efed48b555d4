import { KEY_PREFIX } from '../../http/access.js';
import { invalidField } from '../../shared/app-error.js';
import { asId, type ApiKeyId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import type { User } from '../users/users.facade.js';
import type { ApiKey, ApiKeyDraft } from './api-key.schema.js';
import { DAY_MS, MINUTE_MS } from '../../shared/durations.js';

/** When a key ends; null: not by itself. @throws AppError `invalid_input` */
export function expiryOf({ expiresAt, days }: Pick<ApiKeyDraft, 'expiresAt' | 'days'>, now: Date): Date | null {
  if (expiresAt !== null && days !== null) throw invalidField('expires_at', 'send expires_at or days, not both');
  if (days !== null) return new Date(now.getTime() + days * DAY_MS);
  if (expiresAt === null) return null;
  const end = new Date(expiresAt);
  if (Number.isNaN(end.getTime())) throw invalidField('expires_at', 'expires_at must be a time in ISO 8601');
  if (end <= now) throw invalidField('expires_at', 'expires_at must lie in the future');
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

/** What a program sends: the key's id, and 256 random bits. */
export interface KeyText {
  readonly id: ApiKeyId;
  readonly secret: string;
}

const FORM = new RegExp(`^${KEY_PREFIX}([0-9a-f]{24})_([0-9a-f]{64})$`);

export function writtenKey({ id, secret }: KeyText): string {
  return `${KEY_PREFIX}${id}_${secret}`;
}

/** Null: nothing that we have made. */
export function readKey(text: string): KeyText | null {
  const [, id, secret] = FORM.exec(text) ?? [];
  return id === undefined || secret === undefined ? null : { id: asId(id), secret };
}
