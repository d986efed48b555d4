import { AppError } from './app-error.js';
import type { ApiKeyId, CompanyId, SessionId, UserId } from './ids.js';

export const ROLES = ['user', 'manager', 'system'] as const;
export type Role = (typeof ROLES)[number];

/** What a key may be used for: `read` looks, `ask` asks the assistant, `write` is everything else that its role may. */
export const SCOPES = ['read', 'ask', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Who asks: what a checked token says about its bearer. */
export interface Principal {
  readonly userId: UserId;
  readonly companyId: CompanyId;
  /** With a key, the key's id stands here: it ends as a session does. */
  readonly sessionId: SessionId;
  readonly role: Role;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** The API key that somebody asks with. Not there in a session, which may do all that its role may. */
  readonly key?: { readonly id: ApiKeyId; readonly scopes: readonly Scope[] };
}

/** `system` is above `manager`, `manager` above `user`. */
export function hasRole(role: Role, atLeast: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(atLeast);
}

/** What others call somebody. */
export function nameOf({ firstName, lastName, email }: Principal): string {
  const name = `${firstName} ${lastName}`.trim();
  return name === '' ? email : name;
}

/** What somebody has made is theirs to change; managers may change all. */
export function mayManage(by: Principal, { createdBy }: { readonly createdBy: UserId }): boolean {
  return createdBy === by.userId || hasRole(by.role, 'manager');
}

/** @throws AppError `forbidden` for whoever may not manage it. */
export function assertMayManage(by: Principal, made: { readonly createdBy: UserId }, message = 'forbidden'): void {
  if (!mayManage(by, made)) throw new AppError('forbidden', message);
}

/** Which of a company's documents somebody may manage. */
export function manageableBy({ role, userId }: Principal): { readonly createdBy?: UserId } {
  return hasRole(role, 'manager') ? {} : { createdBy: userId };
}

/** Whether a session asks, or a key that has one of these scopes. */
export function hasScope({ key }: Principal, ...anyOf: readonly Scope[]): boolean {
  return key === undefined || key.scopes.some((scope) => anyOf.includes(scope));
}
