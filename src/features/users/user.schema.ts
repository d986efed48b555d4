import type { TenantDocument } from '../../ports/document-store.js';
import { MIXED, nullable, required, tenantKind, texts } from '../../ports/stored-kind.schema.js';
import { ROLES, type Role } from '../../shared/principal.js';
import type { CompanyId, UserId } from '../../shared/ids.js';

export const USERS = tenantKind<User>(
  'users',
  {
    ...required({ passwordHash: String, isActive: Boolean, createdAt: Date }),
    email: { type: String, required: true, lowercase: true },
    role: { type: String, enum: ROLES, required: true },
    ...texts('firstName', 'lastName', 'avatar'),
    meta: { type: MIXED, default: {} },
    ...nullable({ lastLogin: Date, lastLogout: Date }),
  },
  [[{ email: 1 }, { unique: true }], { companyId: 1, createdAt: -1 }],
);

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
