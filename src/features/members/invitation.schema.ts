import type { TenantDocument } from '../../ports/document-store.js';
import { nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { InvitationId, UserId } from '../../shared/ids.js';
import { ROLES, type Role } from '../../shared/principal.js';

const PURPOSES = ['join', 'reset'] as const;

export const INVITATIONS = tenantKind<Invitation>(
  'invitations',
  {
    ...required({ tokenHash: String, invitedBy: String, createdAt: Date, expiresAt: Date }),
    purpose: { type: String, enum: PURPOSES, required: true },
    email: { type: String, required: true, lowercase: true },
    role: { type: String, enum: ROLES, required: true },
    ...nullable({ userId: String }),
  },
  [
    [{ tokenHash: 1 }, { unique: true }],
    { companyId: 1, createdAt: -1 },
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
);

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
