import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { SessionId, UserId } from '../../shared/ids.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  userId: { type: String, required: true },
  jti: { type: String, required: true },
  previousJti: { type: String, default: null },
  previousUntil: { type: Date, default: null },
  address: { type: String, default: '' },
  agent: { type: String, default: '' },
  lastUsedAt: { type: Date, default: null },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SESSIONS: CollectionDefinition<Session> = { name: 'sessions', schema };

/** From a login to its end. A token is worth nothing without its session. */
export interface Session extends TenantDocument {
  readonly id: SessionId;
  readonly userId: UserId;
  /** Names the one token that is current. */
  readonly jti: string;
  /** Names the token before it, which another tab may still hold. */
  readonly previousJti: string | null;
  readonly previousUntil: Date | null;
  /** From where it was opened, and with which program. */
  readonly address: string;
  readonly agent: string;
  /** When its token was last renewed: exact to a quarter of an hour. */
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  /** Seven days from login, however often the token is refreshed. */
  readonly expiresAt: Date;
}
