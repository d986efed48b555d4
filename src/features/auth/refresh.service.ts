import { Injectable } from '@nestjs/common';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { invalidToken, sessionExpired } from './auth.errors.js';
import { SessionsService } from './sessions.service.js';
import type { SignedIn } from './signed-in.types.js';
import { TokenIssuer } from './token-issuer.js';
import { TokenReader, bearerToken } from './token-reader.js';

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
