import { Injectable } from '@nestjs/common';
import { DocumentStore, type Where } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { ApiKeyId, CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { API_KEYS, type ApiKey } from './api-key.schema.js';

@Injectable()
export class ApiKeyRepository extends TenantRepository<ApiKey> {
  constructor(store: DocumentStore) {
    super(store, API_KEYS);
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
  ofAccount(companyId: CompanyId, accountId: UserId): Promise<ApiKey | null> {
    const where = { holderId: accountId, accountRole: { not: null } };
    return this.first(companyId, where);
  }

  countMadeBy(companyId: CompanyId, userId: UserId): Promise<number> {
    return this.collection.of(companyId).count({ createdBy: userId });
  }

  /** Newest first: those of one holder, or all of the company. */
  page(companyId: CompanyId, holderId: UserId | null, page: Page): Promise<PageOf<ApiKey>> {
    const where: Where<ApiKey> = holderId === null ? {} : { holderId };
    return this.pageOf(companyId, where, page, NEWEST_FIRST);
  }

  async removeOf(companyId: CompanyId, holderId: UserId): Promise<void> {
    await this.collection.of(companyId).remove({ holderId });
  }

  /** Nothing when somebody else has noted a use since `seen` was read. */
  async noteUse({ companyId, id, lastUsedAt }: ApiKey, now: Date): Promise<void> {
    await this.collection.of(companyId).update({ id, lastUsedAt }, { set: { lastUsedAt: now } });
  }
}
