import type { TenantDocument } from '../../ports/document-store.js';
import { nullable, required, tenantKind, texts } from '../../ports/stored-kind.schema.js';
import type { SessionId, UserId } from '../../shared/ids.js';

export const SESSIONS = tenantKind<Session>(
  'sessions',
  {
    ...required({ userId: String, jti: String, createdAt: Date, expiresAt: Date }),
    ...nullable({ previousJti: String, previousUntil: Date, lastUsedAt: Date }),
    ...texts('address', 'agent'),
  },
  [{ userId: 1 }, [{ expiresAt: 1 }, { expireAfterSeconds: 0 }]],
);

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
