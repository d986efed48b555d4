import type { TenantDocument } from '../../ports/document-store.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Role } from '../../shared/principal.js';

/** Somebody who can sign in. Belongs to one company. */
export interface User extends TenantDocument {
  readonly id: UserId;
  /** In lower case, and nobody else's in any company. */
  readonly email: string;
  readonly passwordHash: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly avatar: string;
  readonly isActive: boolean;
  readonly meta: Readonly<Record<string, string>>;
  readonly lastLogin: Date | null;
  readonly lastLogout: Date | null;
  readonly createdAt: Date;
}

/** What has to be said to make a user. */
export interface UserDraft {
  readonly companyId: CompanyId;
  readonly email: string;
  readonly password: string;
  readonly role: string;
  readonly firstName: string;
  readonly lastName: string;
}
