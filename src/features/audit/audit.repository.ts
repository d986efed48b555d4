import { Injectable } from '@nestjs/common';
import { DocumentStore, type Where } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import type { CompanyId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { AUDIT_ENTRIES, type AuditEntry } from './audit-entry.schema.js';

/** Which entries are wanted; what is left out is not asked for. */
export interface AuditFilter {
  readonly email?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

@Injectable()
export class AuditRepository extends TenantRepository<AuditEntry> {
  constructor(store: DocumentStore) {
    super(store, AUDIT_ENTRIES);
  }

  page(companyId: CompanyId, filter: AuditFilter, page: Page): Promise<PageOf<AuditEntry>> {
    return this.pageOf(companyId, whereOf(filter), page, NEWEST_FIRST);
  }

  /** In the order in which things happened. */
  all(companyId: CompanyId, filter: AuditFilter): AsyncGenerator<AuditEntry> {
    return this.allOf(companyId, whereOf(filter));
  }
}

function whereOf({ email, action, from, to }: AuditFilter): Where<AuditEntry> {
  const period = { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) };
  return {
    ...(email === undefined ? {} : { email: email.toLowerCase() }),
    ...(action === undefined ? {} : { action }),
    ...(from === undefined && to === undefined ? {} : { createdAt: period }),
  };
}
