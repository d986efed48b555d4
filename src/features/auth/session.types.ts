import type { TenantDocument } from '../../ports/document-store.js';
import type { SessionId, UserId } from '../../shared/ids.js';

/** From a login to its end. A token is worth nothing without its session. */
export interface Session extends TenantDocument {
  readonly id: SessionId;
  readonly userId: UserId;
  /** Names the one token that is current. */
  readonly jti: string;
  /** Names the token before it, which another tab may still hold. */
  readonly previousJti: string | null;
  readonly previousUntil: Date | null;
  readonly createdAt: Date;
  /** Seven days from login, however often the token is refreshed. */
  readonly expiresAt: Date;
}
