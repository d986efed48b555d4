import { Injectable } from '@nestjs/common';
import { Authenticator } from '../../http/authenticator.js';
import type { Principal } from '../../shared/principal.js';
import { invalidToken } from './auth.errors.js';
import type { Session } from './session.types.js';
import { SessionsService } from './sessions.service.js';
import { TokenReader, bearerToken } from './token-reader.js';

/** Knows people by their token, and asks the store for nothing but its session. */
@Injectable()
export class SessionAuthenticator extends Authenticator {
  constructor(
    private readonly tokens: TokenReader,
    private readonly sessions: SessionsService,
  ) {
    super();
  }

  override async authenticate(authorization: string | undefined): Promise<Principal> {
    const token = bearerToken(authorization);
    if (token === null) throw invalidToken();
    return (await this.authenticateToken(token)).principal;
  }

  /** @throws AppError `unauthorized` */
  async authenticateToken(token: string): Promise<{ readonly principal: Principal; readonly session: Session }> {
    const claims = await this.tokens.read(token);
    return { principal: claims.principal, session: await this.sessions.require(claims) };
  }
}
