import { Injectable } from '@nestjs/common';
import { DocumentStore, type Change, type FindOptions, type TenantCollection } from '../../ports/document-store.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { USERS } from './user.schema.js';
import type { User } from './user.types.js';

const NEWEST_FIRST: NonNullable<FindOptions<User>['sort']> = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
];

/** The users of all companies. What is asked on behalf of a person names that person's company. */
@Injectable()
export class UsersRepository {
  private readonly collection: TenantCollection<User>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(USERS);
  }

  /** @throws AppError `conflict` when the e-mail address is taken. */
  insert(user: User): Promise<void> {
    return this.collection.of(user.companyId).insert(user);
  }

  find(companyId: CompanyId, id: UserId): Promise<User | null> {
    return this.collection.of(companyId).get(id);
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

  async page(companyId: CompanyId, page: Page): Promise<PageOf<User>> {
    const mine = this.collection.of(companyId);
    const [entries, total] = await Promise.all([
      mine.find({}, { sort: NEWEST_FIRST, skip: page.index * page.size, limit: page.size }),
      mine.count({}),
    ]);
    return { entries, total };
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

  change(companyId: CompanyId, id: UserId, set: Change<User>['set']): Promise<User | null> {
    return this.collection.of(companyId).update({ id }, { set: set ?? {} });
  }

  /** Of whatever company, for administration. */
  changeByEmail(email: string, set: Change<User>['set']): Promise<User | null> {
    return this.collection.ofAll().update({ email: email.toLowerCase() }, { set: set ?? {} });
  }
}
