import { Injectable } from '@nestjs/common';
import { AnswerMails } from '../../answering/answer-mail.js';
import { AppConfig } from '../../config/app-config.js';
import type { Change } from '../../ports/document-store.js';
import { IdSource } from '../../ports/id-source.js';
import { Log } from '../../ports/log.js';
import { isAppError, messageOf } from '../../shared/app-error.js';
import { inert, paragraphs } from '../../shared/markdown.js';
import { MailFacade } from '../deliveries/mail.facade.js';
import { RecipientsFacade } from '../deliveries/recipients.facade.js';
import { WebhookFacade } from '../settings/webhook/webhook.facade.js';
import { AlertFigures, figureWords, type ReadFigure, verdictOn } from './alert-figure.js';
import { AlertEventRepository, AlertRepository } from './alert.repository.js';
import type { Alert, AlertNews } from './alert.schema.js';

/** Tells the webhook of a company, and those whom an alert names, that it has fired. */
@Injectable()
export class AlertMessages {
  constructor(
    private readonly webhook: WebhookFacade,
    private readonly mail: MailFacade,
    private readonly recipients: RecipientsFacade,
    private readonly mails: AnswerMails,
    private readonly config: AppConfig,
  ) {}

  /** Once, however often it is called for the same news. @throws AppError when the mail can't be ordered. */
  async send(alert: Alert, { eventId, kind, value, words, at }: AlertNews): Promise<void> {
    const { companyId, id, name, datasourceId } = alert;
    if (alert.webhook) {
      const told = { alert_id: id, alert_name: name, datasource_id: datasourceId, value, reason: words };
      await this.webhook.announce(companyId, `alert.${kind}`, { ...told, at: at.toISOString() }, eventId);
    }
    if (kind !== 'fired' || alert.notifyEmails.length === 0 || !this.mail.available) return;
    const to = await this.recipients.addressesOf(companyId, alert.notifyEmails);
    const { publicUrl } = this.config.server;
    const letter = await this.mails.write(companyId, {
      markdown: markdownOf(alert, words, at),
      charts: [],
      link: publicUrl === null ? null : { label: 'Open the alert', url: `${publicUrl}/alerts/${id}` },
    });
    await this.mail.send({ companyId, to, subject: `Alert: ${name}`, ...letter, event: 'alert.fired', about: eventId });
  }
}

function markdownOf(alert: Alert, words: string, at: Date): string {
  const watched = figureWords(alert);
  const { warnings = [] } = alert;
  const time = `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return paragraphs([
    `# ${inert(alert.name, 200)}`,
    `**${inert(words, 500)}.**`,
    watched === '' ? '' : `Watched: ${inert(watched, 500)}`,
    ...warnings.map((warning) => inert(warning, 500)),
    `Checked at ${time}.`,
  ]);
}

/** Writes down what came of checks, and tells it: what was not told yet is told by whoever comes next. */
@Injectable()
export class AlertTeller {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly events: AlertEventRepository,
    private readonly messages: AlertMessages,
    private readonly log: Log,
  ) {}

  /** Tells what is to be told, if there is something. @throws AppError `unavailable`: it is still to be told then. */
  async told(alert: Alert): Promise<Alert> {
    const { news, newsAt, companyId } = alert;
    if (news === null || newsAt === null) return alert;
    const { eventId, ...event } = news;
    await this.events.insertOnce({ ...event, id: eventId, companyId, alertId: alert.id });
    await this.messages.send(alert, news).catch((error: unknown) => {
      // Trying again helps where the store was away; not where there are too many mails.
      if (!isAppError(error) || error.kind === 'unavailable') throw error;
      this.log.warn('an alert was not mailed', { companyId, alertId: alert.id, reason: error.message });
    });
    return (
      (await this.alerts.swap(alert, { newsAt }, { news: null, newsAt: null })) ?? {
        ...alert,
        news: null,
        newsAt: null,
      }
    );
  }
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
      return {
        error: why,
        ...(alert.error === null ? this.newsOf('failed', null, `It could not be checked: ${why}`, now) : {}),
      };
    }
    const { value, warnings } = read;
    const { met, words } = verdictOn(alert.condition, value, alert.value);
    const state = met ? 'firing' : 'ok';
    const common = { value, warnings, error: null };
    if (state === alert.state) return common;
    const isNews = met || alert.state === 'firing';
    return {
      ...common,
      state,
      since: now,
      ...(isNews ? this.newsOf(met ? 'fired' : 'resolved', value, words, now) : {}),
    };
  }

  private newsOf(
    kind: AlertNews['kind'],
    value: number | null,
    words: string,
    at: Date,
  ): Pick<Alert, 'news' | 'newsAt'> {
    return { news: { eventId: this.ids.next(), kind, value, words, at }, newsAt: at };
  }
}
