import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { USERS, type User } from './user.schema.js';

/** The users of all companies. What is asked on behalf of a person names that person's company. */
@Injectable()
export class UsersRepository extends TenantRepository<User> {
  constructor(store: DocumentStore) {
    super(store, USERS);
  }

  /** Wherever the user is: for `system` alone, whose reach is every company. */
  findAnywhere(id: UserId): Promise<User | null> {
    return this.collection.ofAll().get(id);
  }

  /** Of whatever company: who signs in does not say which. */
  async findByEmail(email: string): Promise<User | null> {
    const [user] = await this.collection.ofAll().find({ email: email.toLowerCase() }, { limit: 1 });
    return user ?? null;
  }

  page(companyId: CompanyId, page: Page): Promise<PageOf<User>> {
    return this.pageOf(companyId, {}, page, NEWEST_FIRST);
  }

  /** Of every company. */
  withAddressLike(part: string): Promise<readonly User[]> {
    return this.collection.ofAll().find({ email: { contains: part } });
  }

  /** Of every company, for administration. */
  all(): Promise<readonly User[]> {
    return this.collection.ofAll().find({}, { sort: NEWEST_FIRST });
  }

  /** Null when there is no such user, or the user is not as `seen` any more: deactivated, or with a new password. */
  changeIfStillWelcome(seen: User, set: Change<User>['set']): Promise<User | null> {
    return this.collection
      .of(seen.companyId)
      .update({ id: seen.id, isActive: true, passwordHash: seen.passwordHash }, { set: set ?? {} });
  }

  /** Of whatever company, for administration. */
  changeByEmail(email: string, set: Change<User>['set']): Promise<User | null> {
    return this.collection.ofAll().update({ email: email.toLowerCase() }, { set: set ?? {} });
  }
}
