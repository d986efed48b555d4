import { Injectable } from '@nestjs/common';
import { bearerToken, invalidToken } from '../../http/access.js';
import { AppError, invalidField } from '../../shared/app-error.js';
import type { Principal } from '../../shared/principal.js';
import { CompanyFacade } from '../company/company.facade.js';
import { UsersFacade, type User } from '../users/users.facade.js';
import { LoginLimits } from './login-limits.js';
import { type Origin, sessionExpired, SessionsService } from './sessions.service.js';
import { Tokens } from './token-claims.js';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** What a login and a refresh lead to. */
export interface SignedIn {
  readonly user: User;
  readonly token: string;
}

/** Lets people in who know their password, and lets them stay and leave. */
@Injectable()
export class LoginService {
  constructor(
    private readonly limits: LoginLimits,
    private readonly users: UsersFacade,
    private readonly companies: CompanyFacade,
    private readonly sessions: SessionsService,
    private readonly tokens: Tokens,
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
    const isWelcome = known.isActive && (await this.companies.isOpen(known.companyId));
    if (!isWelcome) throw new AppError('forbidden', 'user is inactive');
    const session = await this.sessions.open(known, origin);
    // Opened first, checked after: who is deactivated at this moment either loses the session or is not let in here.
    const user = await this.users.recordLogin(known);
    if (user !== null) return { user, token: this.tokens.issue(user, session) };
    await this.sessions.end(session.companyId, session.userId, session.id);
    throw badCredentials();
  }

  /**
   * A new token for an old one, expired or not, as long as its session lives. It must come twice, in the header and in the body. What the new
   * one says of the user is what is stored now.
   *
   * @throws AppError `unauthorized`
   */
  async refresh(authorization: string | undefined, inBody: unknown): Promise<SignedIn> {
    const token = bearerToken(authorization);
    if (token === null || token !== inBody) throw invalidToken();

    const session = await this.sessions.rotate(this.tokens.read(token));
    const user = await this.users.find(session.companyId, session.userId);
    if (user?.isActive !== true || !(await this.companies.isOpen(user.companyId))) throw sessionExpired();
    return { user, token: this.tokens.issue(user, session) };
  }

  /** Ends the session of this token at once; other sessions of the same user go on. */
  async logout(by: Principal): Promise<void> {
    await this.sessions.end(by.companyId, by.userId, by.sessionId);
    await this.users.recordLogout(by.companyId, by.userId);
  }

  /**
   * Whoever sits at an open console does not know the password: the present one is asked for, and guessing it is as slow as at the login.
   * Other sessions end.
   *
   * @throws AppError `invalid_input`, `rate_limited` after failures.
   */
  async changePassword(by: Principal, current: string, next: string): Promise<void> {
    const own = await this.users.find(by.companyId, by.userId);
    if (own === null) throw invalidToken();
    const known = await this.limits.run(own.email, () => this.users.findByPassword(own.email, current));
    if (known === null) throw invalidField('current_password', 'this is not your present password');
    await this.users.setPasswordOf(own, next);
    await this.sessions.endOthersOf(by);
  }
}

/** One answer to an unknown address and a wrong password. */
function badCredentials(): AppError {
  return new AppError('unauthorized', 'invalid email or password');
}
