import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../ports/clock.js';
import { Log } from '../../ports/log.js';
import { messageOf } from '../../shared/app-error.js';
import { AssistantFacade } from '../assistant/assistant.facade.js';
import { AuditFacade } from '../audit/audit.facade.js';
import { SettingsFacade } from '../settings/settings.facade.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Removes conversations and audit entries that are older than their company keeps them. */
@Injectable()
export class RetentionSweeper implements OnApplicationBootstrap {
  constructor(
    private readonly settings: SettingsFacade,
    private readonly assistant: AssistantFacade,
    private readonly audit: AuditFacade,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onApplicationBootstrap(): void {
    // The service need not wait for it.
    void this.tick();
  }

  @Interval(HOUR)
  async tick(): Promise<void> {
    await this.sweep().catch((error: unknown) => {
      this.log.warn('what is too old could not be removed; the next hour tries again', { reason: messageOf(error) });
    });
  }

  /** Whatever breaks it off, the next one goes on. */
  async sweep(): Promise<void> {
    const before = (days: number): Date => new Date(this.clock.now().getTime() - days * DAY);
    for await (const { companyId, conversationsDays, auditDays } of this.settings.retentions()) {
      if (conversationsDays !== null) await this.assistant.removeUntouchedSince(companyId, before(conversationsDays));
      if (auditDays !== null) await this.audit.removeBefore(companyId, before(auditDays));
    }
  }
}
