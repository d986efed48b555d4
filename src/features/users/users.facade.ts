import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { PasswordHasher } from '../../ports/password-hasher.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import { noSuchUser } from './users.errors.js';
import type { User } from './user.schema.js';
import { UsersRepository } from './users.repository.js';

export type { User } from './user.schema.js';
export { MAX_NAME_LENGTH, MAX_PASSWORD_LENGTH } from './users.errors.js';
export { EMAIL_FORM, FullUser, ReducedUser, fullUser, reducedUser } from './users.wire.js';

/** Reads users, and what signing in and out needs of them. */
@Injectable()
export class UsersFacade {
  constructor(
    private readonly users: UsersRepository,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Null when nobody has this address or the password is another: one answer, after the same time. */
  async findByPassword(email: string, password: string): Promise<User | null> {
    const user = await this.users.findByEmail(email);
    const right = await this.hasher.verify(user?.passwordHash ?? null, password);
    return right ? user : null;
  }

  /** Of whatever company. */
  findByEmail(email: string): Promise<User | null> {
    return this.users.findByEmail(email);
  }

  /** `system` reaches every company, everybody else their own; somebody else's user and an unknown one can't be told apart. */
  async get(by: Principal, id: UserId): Promise<User> {
    const user = by.role === 'system' ? await this.users.findAnywhere(id) : await this.find(by.companyId, id);
    if (user === null) throw noSuchUser();
    return user;
  }

  /** Of the caller's own company, whatever the role. */
  list(by: Principal, page: Page): Promise<PageOf<User>> {
    return this.users.page(by.companyId, page);
  }

  find(companyId: CompanyId, id: UserId): Promise<User | null> {
    return this.users.find(companyId, id);
  }

  /** Null when the user was deactivated or got a new password since `user` was read. */
  recordLogin(user: User): Promise<User | null> {
    return this.users.changeIfStillWelcome(user, { lastLogin: this.clock.now() });
  }

  async recordLogout(companyId: CompanyId, id: UserId): Promise<void> {
    await this.users.swap({ companyId, id }, {}, { lastLogout: this.clock.now() });
  }
}
