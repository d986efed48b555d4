import { Injectable } from '@nestjs/common';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { invalidToken, sessionExpired } from './auth.errors.js';
import { SessionsService } from './sessions.service.js';
import type { SignedIn } from './login.service.js';
import { TokenIssuer, TokenReader, bearerToken } from './token-claims.js';
import type { Principal } from '../../shared/principal.js';

/** Gives a new token for an old one, expired or not, as long as its session lives. */
@Injectable()
export class RefreshService {
  constructor(
    private readonly reader: TokenReader,
    private readonly sessions: SessionsService,
    private readonly users: UsersFacade,
    private readonly companies: CompanyFacade,
    private readonly tokens: TokenIssuer,
  ) {}

  /**
   * The token must come twice, in the header and in the body. What the new one says of the user is what is stored now.
   *
   * @throws AppError `unauthorized`
   */
  async refresh(authorization: string | undefined, inBody: unknown): Promise<SignedIn> {
    const token = bearerToken(authorization);
    if (token === null || token !== inBody) throw invalidToken();

    const claims = this.reader.read(token);
    const session = await this.sessions.rotate(claims);
    const user = await this.users.find(session.companyId, session.userId);
    if (user?.isActive !== true || !(await this.companies.isOpen(user.companyId))) throw sessionExpired();
    return { user, token: this.tokens.issue(user, session) };
  }
}

@Injectable()
export class LogoutService {
  constructor(
    private readonly sessions: SessionsService,
    private readonly users: UsersFacade,
  ) {}

  /** Ends the session of this token at once; other sessions of the same user go on. */
  async logout(by: Principal): Promise<void> {
    await this.sessions.end(by.companyId, by.userId, by.sessionId);
    await this.users.recordLogout(by.companyId, by.userId);
  }
}
