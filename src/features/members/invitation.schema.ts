import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { InvitationId, UserId } from '../../shared/ids.js';
import { ROLES, type Role } from '../../shared/principal.js';

const PURPOSES = ['join', 'reset'] as const;

const schema = new Schema({
  companyId: { type: String, required: true },
  purpose: { type: String, enum: PURPOSES, required: true },
  email: { type: String, required: true, lowercase: true },
  role: { type: String, enum: ROLES, required: true },
  userId: { type: String, default: null },
  tokenHash: { type: String, required: true },
  invitedBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ tokenHash: 1 }, { unique: true });
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const INVITATIONS: CollectionDefinition<Invitation> = { name: 'invitations', schema };

/** Lets one person choose a password, once: to join a company, or because the old one is lost. */
export interface Invitation extends TenantDocument {
  readonly id: InvitationId;
  readonly purpose: (typeof PURPOSES)[number];
  readonly email: string;
  readonly role: Role;
  /** Whose password is set anew; `null`: somebody who joins. */
  readonly userId: UserId | null;
  /** SHA-256 of the token, which is random and long. */
  readonly tokenHash: string;
  /** The manager's e-mail address. */
  readonly invitedBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}
