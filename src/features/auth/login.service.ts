import { Injectable } from '@nestjs/common';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade, type User } from '../users/users.facade.js';
import { badCredentials, userInactive } from './auth.errors.js';
import { LoginLimits } from './login-limits.js';
import { type Origin, SessionsService } from './sessions.service.js';
import { TokenIssuer } from './token-claims.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** Lets people in who know their password. */
@Injectable()
export class LoginService {
  constructor(
    private readonly limits: LoginLimits,
    private readonly users: UsersFacade,
    private readonly companies: CompanyFacade,
    private readonly sessions: SessionsService,
    private readonly tokens: TokenIssuer,
  ) {}

  /** @throws AppError `unauthorized`, `forbidden` when the user or the company is inactive, `rate_limited`. */
  async login({ email, password }: Credentials, origin: Origin): Promise<SignedIn> {
    await this.limits.admit(origin.address);
    const user = await this.limits.run(email.toLowerCase(), () => this.users.findByPassword(email, password));
    if (user === null) throw badCredentials();
    return this.signIn(user, origin);
  }

  /** For whom it is certain who they are. @throws AppError `forbidden` when the user or the company is inactive. */
  async signIn(known: User, origin: Origin): Promise<SignedIn> {
    if (!known.isActive || !(await this.companies.isOpen(known.companyId))) throw userInactive();
    const session = await this.sessions.open(known, origin);
    // Opened first, checked after: who is deactivated at this moment either loses the session or is not let in here.
    const user = await this.users.recordLogin(known);
    if (user !== null) return { user, token: this.tokens.issue(user, session) };
    await this.sessions.end(session.companyId, session.userId, session.id);
    throw badCredentials();
  }
}

/** What a login and a refresh lead to. */
export interface SignedIn {
  readonly user: User;
  readonly token: string;
}
