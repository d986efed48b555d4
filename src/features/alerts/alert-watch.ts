import { Injectable } from '@nestjs/common';
import { Clock } from '../../ports/clock.js';
import { JobQueue } from '../../ports/job-queue.js';
import type { JobPayloads } from '../../ports/jobs.js';
import { Log } from '../../ports/log.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { TurnReconciler } from '../../queue/reconciler.js';
import { messageOf } from '../../shared/app-error.js';
import { turnAfter } from '../../shared/planned-turns.js';
import { AlertCheck, AlertTeller } from './alert-check.js';
import { AlertRepository } from './alert.repository.js';
import { type Alert, rhythmOf } from './alert.schema.js';

const DUE_AT_ONCE = 1_000;
const MINUTE = 60_000;
/** Whoever made the news is telling it. */
const PATIENCE_MS = 10_000;

/** Asks every second for checks of the alerts whose turn has come, and tells what whoever checked died before telling. */
@Injectable()
export class AlertReconciler extends TurnReconciler {
  protected override readonly failure = 'alerts could not be looked up';

  constructor(
    private readonly alerts: AlertRepository,
    private readonly teller: AlertTeller,
    private readonly jobs: JobQueue,
    private readonly clock: Clock,
    protected override readonly log: Log,
  ) {
    super();
  }

  /** Turns that were missed are one: the next is where it would have been. */
  override async look(): Promise<void> {
    for (const { id, companyId } of await this.alerts.allDue(this.clock.now(), DUE_AT_ONCE)) {
      await this.jobs.enqueue('alert.check', id, { companyId, alertId: id });
    }
  }

  override async reconcile(): Promise<void> {
    const now = this.clock.now();
    for (const alert of await this.alerts.allWithNews(new Date(now.getTime() - PATIENCE_MS))) await this.tell(alert);
    // Clocks of several instances are never quite the same: a minute is no jump.
    for (const alert of await this.alerts.allScheduledAfter(new Date(now.getTime() + MINUTE))) {
      const { nextCheckAt } = alert;
      const next = nextCheckAt === null ? null : turnAfter(now, nextCheckAt, rhythmOf(alert));
      await this.alerts.change(alert, { nextCheckAt: next, scheduledAt: now });
    }
  }

  /** One that can't be told now must not hold up the others. */
  private async tell(alert: Alert): Promise<void> {
    await this.teller.told(alert).catch((error: unknown) => {
      this.log.warn('an alert could not be told yet', { alertId: alert.id, reason: messageOf(error) });
    });
  }
}

/** Checks an alert whose turn has come. */
@Injectable()
export class AlertProcessor extends JobProcessor<'alert.check'> {
  override readonly job = 'alert.check';

  constructor(
    private readonly alerts: AlertRepository,
    private readonly checks: AlertCheck,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {
    super();
  }

  override async run({ companyId, alertId }: JobPayloads['alert.check']): Promise<void> {
    const alert = await this.alerts.find(companyId, alertId);
    const now = this.clock.now();
    if (alert?.nextCheckAt == null || alert.nextCheckAt > now) return;
    await this.checks.check(alert, now, {
      nextCheckAt: turnAfter(now, alert.nextCheckAt, rhythmOf(alert)),
      scheduledAt: now,
    });
  }

  /** It is still due, and asked for again. */
  override giveUp({ companyId, alertId }: JobPayloads['alert.check'], error: Error): Promise<void> {
    this.log.warn('an alert could not be checked', { companyId, alertId, reason: error.message });
    return Promise.resolve();
  }
}
