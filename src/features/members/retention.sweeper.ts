import { Injectable } from '@nestjs/common';
import { Sweeper } from '../../queue/reconciler.js';
import { Clock } from '../../ports/clock.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { AuditFacade } from '../audit/audit.facade.js';
import { SettingsFacade } from '../settings/settings.facade.js';
import { DAY_MS } from '../../shared/durations.js';

/** Removes conversations and audit entries that are older than their company keeps them. */
@Injectable()
export class RetentionSweeper extends Sweeper {
  protected override readonly failure = 'what is too old could not be removed';

  constructor(
    private readonly settings: SettingsFacade,
    private readonly assistant: AssistantFacade,
    private readonly audit: AuditFacade,
    private readonly clock: Clock,
  ) {
    super();
  }

  /** Whatever breaks it off, the next one goes on. */
  override async sweep(): Promise<void> {
    const before = (days: number): Date => new Date(this.clock.now().getTime() - days * DAY_MS);
    for await (const { companyId, conversationsDays, auditDays } of this.settings.retentions()) {
      if (conversationsDays !== null) await this.assistant.removeUntouchedSince(companyId, before(conversationsDays));
      if (auditDays !== null) await this.audit.removeBefore(companyId, before(auditDays));
    }
  }
}
