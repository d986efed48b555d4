import { Injectable } from '@nestjs/common';
import type { CompanyId, UserId } from '../../shared/ids.js';
import { AuditRepository } from './audit.repository.js';

/** Removing what the audit log says. */
@Injectable()
export class AuditFacade {
  constructor(private readonly entries: AuditRepository) {}

  removeBefore(companyId: CompanyId, time: Date): Promise<number> {
    return this.entries.removeBefore(companyId, time);
  }

  /** That something was done stays, but not by whom, from where, and about what. Whatever breaks it off, it can be asked for again. */
  async anonymise(companyId: CompanyId, userId: UserId, email: string): Promise<void> {
    await this.entries.anonymise(companyId, { userId });
    await this.entries.anonymiseInvitationsOf(companyId, email);
  }
}
