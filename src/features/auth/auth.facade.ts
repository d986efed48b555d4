import { Injectable } from '@nestjs/common';
import type { CompanyId, SessionId, UserId } from '../../shared/ids.js';
import type { Principal } from '../../shared/principal.js';
import { SessionsService } from './sessions.service.js';
import { TokenReader } from './token-reader.js';

/** Sessions for other features: who holds a token, who is still signed in, and putting somebody out. */
@Injectable()
export class AuthFacade {
  constructor(
    private readonly tokens: TokenReader,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Whoever holds this token. `expiresAt` is the end of the session, if nothing ends it sooner: the token itself lives 15 minutes, and
   * what was begun with it may go on.
   *
   * @throws AppError `unauthorized`
   */
  async authenticateToken(token: string): Promise<Principal & { readonly expiresAt: Date }> {
    const claims = this.tokens.read(token);
    const { expiresAt } = await this.sessions.require(claims);
    return { ...claims.principal, expiresAt };
  }

  /** Those of these sessions that have not ended. */
  aliveSessions(ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>> {
    return this.sessions.aliveAmong(ids);
  }

  endSessionsOf(companyId: CompanyId, userId: UserId): Promise<void> {
    return this.sessions.endAllOf(companyId, userId);
  }
}
