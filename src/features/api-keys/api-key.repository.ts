import { Injectable } from '@nestjs/common';
import { DocumentStore, type FindOptions, type TenantCollection, type Where } from '../../ports/document-store.js';
import type { ApiKeyId, CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { API_KEYS } from './api-key.schema.js';
import type { ApiKey } from './api-key.types.js';

const NEWEST_FIRST: NonNullable<FindOptions<ApiKey>['sort']> = [
  ['createdAt', 'desc'],
  ['id', 'desc'],
];

@Injectable()
export class ApiKeyRepository {
  private readonly collection: TenantCollection<ApiKey>;

  constructor(store: DocumentStore) {
    this.collection = store.tenantCollection(API_KEYS);
  }

  insert(key: ApiKey): Promise<void> {
    return this.collection.of(key.companyId).insert(key);
  }

  find(companyId: CompanyId, id: ApiKeyId): Promise<ApiKey | null> {
    return this.collection.of(companyId).get(id);
  }

  /** Of whatever company: who comes with a key does not say which. Its secret decides. */
  findAnywhere(id: ApiKeyId): Promise<ApiKey | null> {
    return this.collection.ofAll().get(id);
  }

  /** Of every company, to look after open sockets. */
  amongAll(ids: readonly ApiKeyId[]): Promise<readonly ApiKey[]> {
    return this.collection.ofAll().find({ id: { in: ids } });
  }

  /** Any key of the service account; null: there is no such account. */
  async ofAccount(companyId: CompanyId, accountId: UserId): Promise<ApiKey | null> {
    const where = { holderId: accountId, accountRole: { not: null } };
    const [key] = await this.collection.of(companyId).find(where, { limit: 1 });
    return key ?? null;
  }

  countMadeBy(companyId: CompanyId, userId: UserId): Promise<number> {
    return this.collection.of(companyId).count({ createdBy: userId });
  }

  /** Newest first: those of one holder, or all of the company. */
  async page(companyId: CompanyId, holderId: UserId | null, page: Page): Promise<PageOf<ApiKey>> {
    const mine = this.collection.of(companyId);
    const where: Where<ApiKey> = holderId === null ? {} : { holderId };
    const [entries, total] = await Promise.all([
      mine.find(where, { sort: NEWEST_FIRST, skip: page.index * page.size, limit: page.size }),
      mine.count(where),
    ]);
    return { entries, total };
  }

  /** Nothing when somebody else has noted a use since `seen` was read. */
  async noteUse({ companyId, id, lastUsedAt }: ApiKey, now: Date): Promise<void> {
    await this.collection.of(companyId).update({ id, lastUsedAt }, { set: { lastUsedAt: now } });
  }

  async remove({ companyId, id }: ApiKey): Promise<boolean> {
    return (await this.collection.of(companyId).remove({ id })) > 0;
  }
}
