import { Injectable } from '@nestjs/common';
import { momentWords } from '../../plan/time-words.js';
import { Clock } from '../../ports/clock.js';
import type { Change } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { JobQueue } from '../../ports/job-queue.js';
import type { JobPayloads } from '../../ports/jobs.js';
import { Log, warned } from '../../ports/log.js';
import { JobProcessor } from '../../queue/job-processor.js';
import { TurnReconciler } from '../../queue/reconciler.js';
import { AppError, isAppError, messageOf } from '../../shared/app-error.js';
import { inert, paragraphs } from '../../shared/markdown.js';
import { aheadOf, turnAfter } from '../../shared/planned-turns.js';
import { RecipientsFacade } from '../deliveries/mail.facade.js';
import { WebhookFacade } from '../settings/webhook/webhook.facade.js';
import { AlertFigures, figureWords, type ReadFigure, verdictOn } from './alert-figure.js';
import { AlertEventRepository, AlertRepository } from './alert.repository.js';
import { type Alert, type AlertNews, rhythmOf } from './alert.schema.js';

/** Writes down what came of checks, and tells it to the company's webhook and to those whom an alert names: what was not told yet is told by whoever comes next. */
@Injectable()
export class AlertTeller {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly events: AlertEventRepository,
    private readonly webhook: WebhookFacade,
    private readonly recipients: RecipientsFacade,
    private readonly log: Log,
  ) {}

  /** Tells what is to be told, if there is something. @throws AppError `unavailable`: it is still to be told then. */
  async told(alert: Alert): Promise<Alert> {
    const { news, newsAt } = alert;
    if (news === null || newsAt === null) return alert;
    const { eventId, ...event } = news;
    await this.events.insertOnce({ ...event, id: eventId, companyId: alert.companyId, alertId: alert.id });
    await this.tell(alert, news);
    const told = { news: null, newsAt: null };
    return (await this.alerts.swap(alert, { newsAt }, told)) ?? { ...alert, ...told };
  }

  /** Once, however often it is called for the same news. */
  private async tell(alert: Alert, { eventId, kind, value, words, at }: AlertNews): Promise<void> {
    const { companyId, id, name, datasourceId } = alert;
    if (alert.webhook) {
      const told = { alert_id: id, alert_name: name, datasource_id: datasourceId, value, reason: words };
      await this.webhook.announce(companyId, `alert.${kind}`, { ...told, at: at.toISOString() }, eventId);
    }
    if (kind !== 'fired') return;
    const unsent = await this.recipients.report({
      companyId,
      to: alert.notifyEmails,
      subject: `Alert: ${name}`,
      event: 'alert.fired',
      about: eventId,
      markdown: () => markdownOf(alert, words, at),
      link: { label: 'Open the alert', path: `/alerts/${id}` },
    });
    if (unsent instanceof AppError)
      this.log.warn('an alert was not mailed', { companyId, alertId: id, reason: unsent.message });
  }
}

function markdownOf(alert: Alert, words: string, at: Date): string {
  const watched = figureWords(alert);
  const { warnings = [] } = alert;
  return paragraphs([
    `# ${inert(alert.name, 200)}`,
    `**${inert(words, 500)}.**`,
    watched === '' ? '' : `Watched: ${inert(watched, 500)}`,
    ...warnings.map((warning) => inert(warning, 500)),
    `Checked at ${momentWords(at.toISOString(), 'minute')} UTC.`,
  ]);
}

/**
 * Checks alerts. What came of a check, the state after it and what is to be told are one change, by compare-and-set: of two instances one has
 * made it.
 */
@Injectable()
export class AlertCheck {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly figures: AlertFigures,
    private readonly teller: AlertTeller,
    private readonly ids: IdSource,
    private readonly log: Log,
  ) {}

  /** The alert after its check; null: somebody else changed it meanwhile. `turn` moves its schedule on. */
  async check(seen: Alert, now: Date, turn: Change<Alert>['set']): Promise<Alert | null> {
    const alert = await this.teller.told(seen);
    const outcome = await this.outcomeOf(alert, now);
    const checked = await this.alerts.change(alert, { ...outcome, ...turn, checkedAt: now });
    return checked === null ? null : this.teller.told(checked);
  }

  private async outcomeOf(alert: Alert, now: Date): Promise<Partial<Alert>> {
    let read: ReadFigure;
    try {
      read = await this.figures.read(alert);
    } catch (error) {
      const why = isAppError(error) ? error.message : 'the reason is in the log';
      if (!isAppError(error)) this.log.error('an alert failed', { alertId: alert.id, reason: messageOf(error) });
      // The state stays: an alert that fired does not fire again because it could not be checked once.
      if (alert.error !== null) return { error: why };
      const words = `It could not be checked: ${why}`;
      return { error: why, ...this.newsOf({ kind: 'failed', value: null, words, at: now }) };
    }
    const { value, warnings } = read;
    const { met, words } = verdictOn(alert.condition, value, alert.value);
    const state = met ? 'firing' : 'ok';
    const common = { value, warnings, error: null };
    if (state === alert.state) return common;
    const changed = { ...common, state, since: now } as const;
    if (!met && alert.state !== 'firing') return changed;
    return { ...changed, ...this.newsOf({ kind: met ? 'fired' : 'resolved', value, words, at: now }) };
  }

  private newsOf(news: Omit<AlertNews, 'eventId'>): Pick<Alert, 'news' | 'newsAt'> {
    return { news: { ...news, eventId: this.ids.next() }, newsAt: news.at };
  }
}

const DUE_AT_ONCE = 1_000;
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
  ) {
    super();
  }

  /** Turns that were missed are one: the next is where it would have been. */
  override async look(): Promise<void> {
    const due = { nextCheckAt: { lte: this.clock.now() } };
    const alerts = await this.alerts.anywhere(due, { sort: [['nextCheckAt', 'asc']], limit: DUE_AT_ONCE });
    for (const { id, companyId } of alerts) {
      await this.jobs.enqueue('alert.check', id, { companyId, alertId: id });
    }
  }

  override async reconcile(): Promise<void> {
    const now = this.clock.now();
    const untold = { newsAt: { gt: new Date(0), lte: new Date(now.getTime() - PATIENCE_MS) } };
    for (const alert of await this.alerts.anywhere(untold))
      // One that can't be told now must not hold up the others.
      await this.teller.told(alert).catch(warned(this.log, 'an alert could not be told yet', { alertId: alert.id }));
    for (const alert of await this.alerts.anywhere({ scheduledAt: aheadOf(now) })) {
      const { nextCheckAt } = alert;
      const next = nextCheckAt === null ? null : turnAfter(now, nextCheckAt, rhythmOf(alert));
      await this.alerts.change(alert, { nextCheckAt: next, scheduledAt: now });
    }
  }
}

/** Checks an alert whose turn has come. One that could not be checked is still due, and asked for again. */
@Injectable()
export class AlertProcessor extends JobProcessor<'alert.check'> {
  override readonly job = 'alert.check';

  constructor(
    private readonly alerts: AlertRepository,
    private readonly checks: AlertCheck,
    private readonly clock: Clock,
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
}
