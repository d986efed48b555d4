import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import { ROLES, type Role } from '../../shared/principal.js';
import type { CompanyId, UserId } from '../../shared/ids.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  email: { type: String, required: true, lowercase: true },
  passwordHash: { type: String, required: true },
  firstName: { type: String, default: '' },
  lastName: { type: String, default: '' },
  role: { type: String, enum: ROLES, required: true },
  avatar: { type: String, default: '' },
  isActive: { type: Boolean, required: true },
  meta: { type: Schema.Types.Mixed, default: {} },
  lastLogin: { type: Date, default: null },
  lastLogout: { type: Date, default: null },
  createdAt: { type: Date, required: true },
});
schema.index({ email: 1 }, { unique: true });
schema.index({ companyId: 1, createdAt: -1 });

export const USERS: CollectionDefinition<User> = { name: 'users', schema };

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
