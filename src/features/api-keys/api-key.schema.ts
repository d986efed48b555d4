import type { TenantDocument } from '../../ports/document-store.js';
import { nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import { ROLES, SCOPES, type Role, type Scope } from '../../shared/principal.js';
import type { ApiKeyId, UserId } from '../../shared/ids.js';

/** An expired key is listed so long, so that people see why something stopped. */
const THIRTY_DAYS = 30 * 24 * 60 * 60;

export const API_KEYS = tenantKind<ApiKey>(
  'api-keys',
  {
    ...required({ name: String, holderId: String, createdBy: String, secretHash: String, createdAt: Date }),
    accountRole: { type: String, enum: [...ROLES, null], default: null },
    scopes: { type: [{ type: String, enum: SCOPES }], required: true },
    ...nullable({ expiresAt: Date, lastUsedAt: Date }),
  },
  [
    { companyId: 1, createdAt: -1 },
    { companyId: 1, holderId: 1 },
    { companyId: 1, createdBy: 1 },
    [{ expiresAt: 1 }, { expireAfterSeconds: THIRTY_DAYS }],
  ],
);

/** Lets a program in, in the name of a user or of a service account. */
export interface ApiKey extends TenantDocument {
  readonly id: ApiKeyId;
  readonly name: string;
  /** Whose requests these are: a user, or a service account, which is nobody but its keys. */
  readonly holderId: UserId;
  /** Of a service account; null: the key is a user's and has the role that the user has at the moment. */
  readonly accountRole: Role | null;
  readonly createdBy: UserId;
  readonly scopes: readonly Scope[];
  /** SHA-256 of the secret, which is random and long: nothing slower is needed. */
  readonly secretHash: string;
  readonly createdAt: Date;
  /** Null: it does not end by itself. */
  readonly expiresAt: Date | null;
  /** Exact to the minute. */
  readonly lastUsedAt: Date | null;
}

/** What a caller asks for. */
export interface ApiKeyDraft {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: string | null;
  readonly days: number | null;
  /** Null: a key of the caller's own. */
  readonly account: AccountDraft | null;
}

/** A new service account with a role, or another key for one that there is. */
export type AccountDraft = { readonly role: Role } | { readonly id: UserId };

/** A key, and who it belongs to as people know them. */
export interface HeldKey {
  readonly key: ApiKey;
  /** Null: a service account, or a user who is gone. */
  readonly user: { readonly email: string; readonly role: Role; readonly isActive: boolean } | null;
}
