import { Injectable } from '@nestjs/common';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { ApiKeysFacade, KEY_PREFIX } from '../api-keys/api-keys.facade.js';
import type { User } from '../users/users.facade.js';
import { LoginLimits } from './login-limits.js';
import { LoginService, type SignedIn } from './login.service.js';
import { type Origin, SessionsService } from './sessions.service.js';
import { Tokens } from './token-claims.js';

export { LoginResponse, loginView } from './auth.wire.js';
export type { SignedIn } from './login.service.js';
export type { Origin } from './sessions.service.js';

/** Sessions for other features, and API keys, which are sessions to them: who holds one, whose has not ended, and putting somebody out. */
@Injectable()
export class AuthFacade {
  constructor(
    private readonly tokens: Tokens,
    private readonly sessions: SessionsService,
    private readonly keys: ApiKeysFacade,
    private readonly logins: LoginService,
    private readonly limits: LoginLimits,
  ) {}

  /**
   * Whoever holds this token or API key. `expiresAt` is the end of the session, if nothing ends it sooner: the token itself lives 15
   * minutes, and what was begun with it may go on. Null: a key, whose end is to be asked for.
   *
   * @throws AppError `unauthorized`
   */
  async authenticateToken(token: string): Promise<Principal & { readonly expiresAt: Date | null }> {
    if (token.startsWith(KEY_PREFIX)) return { ...(await this.keys.bearerOf(token)), expiresAt: null };
    const claims = this.tokens.read(token);
    const { expiresAt } = await this.sessions.require(claims);
    return { ...claims.principal, expiresAt };
  }

  /** An attempt to sign in, from wherever. @throws AppError `rate_limited` when the address has used up its minute. */
  admit(address: string): Promise<void> {
    return this.limits.admit(address);
  }

  /** For somebody of whom another way has shown who they are. @throws AppError `forbidden` when the user or the company is inactive. */
  signIn(user: User, origin: Origin): Promise<SignedIn> {
    return this.logins.signIn(user, origin);
  }

  /** Those of these sessions and keys that have not ended. */
  async aliveSessions(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    const sessions = await this.sessions.aliveAmong(ids);
    const others = ids.filter((id) => !sessions.has(id));
    return others.length === 0 ? sessions : new Set([...sessions, ...(await this.keys.aliveAmong(others))]);
  }

  endSessionsOf(companyId: CompanyId, userId: UserId): Promise<void> {
    return this.sessions.endAllOf(companyId, userId);
  }
}
