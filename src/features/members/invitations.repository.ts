import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId, UserId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { INVITATIONS, type Invitation } from './invitation.schema.js';

@Injectable()
export class InvitationsRepository extends TenantRepository<Invitation> {
  constructor(store: DocumentStore) {
    super(store, INVITATIONS);
  }

  /** Of whatever company: who holds a token does not say which. */
  async withToken(tokenHash: string, now: Date): Promise<Invitation | null> {
    const [found] = await this.collection.ofAll().find({ tokenHash, expiresAt: { gt: now } }, { limit: 1 });
    return found ?? null;
  }

  open(companyId: CompanyId, now: Date, page: Page): Promise<PageOf<Invitation>> {
    return this.pageOf(companyId, { expiresAt: { gt: now } }, page, NEWEST_FIRST);
  }

  openFor(companyId: CompanyId, email: string, now: Date): Promise<Invitation | null> {
    return this.first(companyId, { email, purpose: 'join', expiresAt: { gt: now } });
  }

  countOpen(companyId: CompanyId, now: Date): Promise<number> {
    return this.collection.of(companyId).count({ expiresAt: { gt: now } });
  }

  /** Only the last link that was made for somebody lets them in. */
  async removeFor(companyId: CompanyId, who: { readonly email: string } | { readonly userId: UserId }): Promise<void> {
    await this.collection.of(companyId).remove(who);
  }
}
