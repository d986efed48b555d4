import type { Where } from '../../ports/document-store.js';
import { NEWEST_FIRST, repositoryOf } from '../../ports/tenant-repository.js';
import type { CompanyId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { said } from '../../shared/said.js';
import { AUDIT_ENTRIES, type AuditEntry } from './audit-entry.schema.js';

/** Which entries are wanted; what is left out is not asked for. */
export interface AuditFilter {
  readonly email?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

/** Instead of a user's id. */
const ERASED = 'erased';
const AT_ONCE = 100;

export class AuditRepository extends repositoryOf(AUDIT_ENTRIES) {
  page(companyId: CompanyId, filter: AuditFilter, page: Page): Promise<PageOf<AuditEntry>> {
    return this.pageOf(companyId, whereOf(filter), page, NEWEST_FIRST);
  }

  /** Counts one more of the same; null: there is none yet. */
  count(companyId: CompanyId, fold: string, rows: number | null): Promise<AuditEntry | null> {
    const increment = { times: 1, ...(rows === null ? {} : { rows }) };
    return this.collection.of(companyId).update({ fold }, { increment });
  }

  /** Takes the person out of their entries. */
  async anonymise(companyId: CompanyId, { userId }: Pick<AuditEntry, 'userId'>): Promise<void> {
    const own = this.collection.of(companyId);
    for (;;) {
      const found = await own.find({ userId }, { limit: AT_ONCE });
      if (found.length === 0) return;
      const set = { userId: ERASED, email: '', address: '', details: {}, fold: null };
      await Promise.all(found.map(({ id }) => own.update({ id }, { set })));
    }
  }

  /** Who invited the person says their address. */
  async anonymiseInvitationsOf(companyId: CompanyId, email: string): Promise<void> {
    for await (const { id, details } of this.allOf(companyId, { action: 'POST secure/invitation' }))
      if (details['email']?.toLowerCase() === email)
        await this.collection.of(companyId).update({ id }, { set: { details: {} } });
  }

  /** In the order in which things happened. */
  all(companyId: CompanyId, filter: AuditFilter): AsyncGenerator<AuditEntry> {
    return this.allOf(companyId, whereOf(filter));
  }
}

function whereOf({ email, action, from, to }: AuditFilter): Where<AuditEntry> {
  const createdAt = from === undefined && to === undefined ? null : said({ gte: from, lt: to });
  return said({ email: email?.toLowerCase(), action, createdAt });
}
