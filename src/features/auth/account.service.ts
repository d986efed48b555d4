import { Injectable } from '@nestjs/common';
import type { Principal } from '../../shared/principal.js';
import { UserAccountsFacade, type User, type UserChange } from '../users/user-accounts.facade.js';
import { UsersFacade } from '../users/users.facade.js';
import { invalidToken, wrongPassword } from './auth.errors.js';
import { LoginLimits } from './login-limits.js';
import { SessionsService } from './sessions.service.js';

/** What people change of their own account. */
@Injectable()
export class AccountService {
  constructor(
    private readonly users: UsersFacade,
    private readonly accounts: UserAccountsFacade,
    private readonly limits: LoginLimits,
    private readonly sessions: SessionsService,
  ) {}

  rename(by: Principal, names: Pick<UserChange, 'firstName' | 'lastName'>): Promise<User> {
    return this.accounts.changeOf({ companyId: by.companyId, id: by.userId }, names);
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
    if (known === null) throw wrongPassword();
    await this.accounts.setPasswordOf(own, next);
    await this.sessions.endOthersOf(by);
  }
}
