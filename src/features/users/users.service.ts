import { Injectable } from '@nestjs/common';
import type { UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import type { Principal } from '../../shared/principal.js';
import type { User } from './user.schema.js';
import { noSuchUser } from './users.errors.js';
import { UsersRepository } from './users.repository.js';

/** Reading users. Somebody else's user and one that does not exist can't be told apart. */
@Injectable()
export class UsersService {
  constructor(private readonly users: UsersRepository) {}

  /** `system` reaches every company, everybody else their own. */
  async get(by: Principal, id: UserId): Promise<User> {
    const user = by.role === 'system' ? await this.users.findAnywhere(id) : await this.users.find(by.companyId, id);
    if (user === null) throw noSuchUser();
    return user;
  }

  /** Of the caller's own company, whatever the role. */
  list(by: Principal, page: Page): Promise<PageOf<User>> {
    return this.users.page(by.companyId, page);
  }
}
