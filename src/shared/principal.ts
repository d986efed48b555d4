import type { CompanyId, SessionId, UserId } from './ids.js';

export const ROLES = ['user', 'manager', 'system'] as const;
export type Role = (typeof ROLES)[number];

/** Who asks: what a checked token says about its bearer. */
export interface Principal {
  readonly userId: UserId;
  readonly companyId: CompanyId;
  readonly sessionId: SessionId;
  readonly role: Role;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
}

/** `system` is above `manager`, `manager` above `user`. */
export function hasRole(role: Role, atLeast: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(atLeast);
}
