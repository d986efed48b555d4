import { Injectable, type OnModuleInit } from '@nestjs/common';
import { type Alert, type AlertEvent, type AlertId, ALERTS, rhythmOf } from './alert.schema.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { PageOf, Page } from '../../shared/page.js';
import { firstTurn, turnWhenSet } from '../../shared/planned-turns.js';
import { assertMayManage, type Principal } from '../../shared/principal.js';
import { DatasourceFacade } from '../datasource/datasource.facade.js';
import { MailFacade, type MailState, RecipientsFacade } from '../deliveries/mail.facade.js';
import { AlertCheck } from './alert-check.js';
import { AlertFigures } from './alert-figure.js';
import { AlertEventRepository, AlertRepository } from './alert.repository.js';

const MOST_ALERTS = 200;
const LIMIT = { most: MOST_ALERTS, where: {}, full: `a company has at most ${MOST_ALERTS} alerts: delete one first` };
const NOT_THEIRS = 'whoever made an alert, and managers, may change it';

export type AlertDraft = Pick<
  Alert,
  'name' | 'datasourceId' | 'plan' | 'dbquery' | 'condition' | 'enabled' | 'checkInterval' | 'checkAt' | 'webhook'
> & {
  readonly notifyEmails: readonly string[];
  /** Those that the figure may join. */
  readonly otherIds: readonly DatasourceId[];
};

/** What is left out stays. */
export type AlertChange = Partial<Omit<AlertDraft, 'datasourceId' | 'otherIds' | 'plan' | 'dbquery'>>;

export interface ShownEvent {
  readonly event: AlertEvent;
  readonly mails: readonly MailState[];
}

/** Shows a company's alerts to everybody of it, and has them checked. */
@Injectable()
export class AlertReader {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly events: AlertEventRepository,
    private readonly mail: MailFacade,
    private readonly checks: AlertCheck,
    private readonly clock: Clock,
  ) {}

  list(by: Principal, page: Page): Promise<PageOf<Alert>> {
    return this.alerts.pageOf(by.companyId, {}, page, NEWEST_FIRST);
  }

  get(by: Principal, id: AlertId): Promise<Alert> {
    return this.alerts.get(by.companyId, id);
  }

  /** Newest first. @throws AppError `not_found` */
  async history(by: Principal, id: AlertId, page: Page): Promise<PageOf<ShownEvent>> {
    await this.get(by, id);
    const { entries, total } = await this.events.pageOf(by.companyId, { alertId: id }, page, [['id', 'desc']]);
    const ids = entries.map((event) => event.id);
    const mails = await this.mail.about(by.companyId, ids);
    return { entries: entries.map((event) => ({ event, mails: mails.get(event.id) ?? [] })), total };
  }

  /** Checks it now, whatever its schedule, which stays as it is. @throws AppError `not_found` */
  async check(by: Principal, id: AlertId): Promise<Alert> {
    for (;;) {
      const checked = await this.checks.check(await this.get(by, id), this.clock.now(), {});
      if (checked !== null) return checked;
    }
  }
}

/** Removes alerts, with the datasource of which they watch a figure, too. */
@Injectable()
export class AlertRemover implements OnModuleInit {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly events: AlertEventRepository,
    private readonly datasources: DatasourceFacade,
  ) {}

  onModuleInit(): void {
    this.datasources.alsoRemove(async (companyId, datasourceId) => {
      for (const alert of await this.alerts.allWhere(companyId, { datasourceId })) await this.removeWhole(alert);
    });
  }

  /** @throws AppError `not_found`, `forbidden` */
  async remove(by: Principal, id: AlertId): Promise<void> {
    const alert = await this.alerts.get(by.companyId, id);
    assertMayManage(by, alert, NOT_THEIRS);
    await this.removeWhole(alert);
  }

  /** The history first: a cut-off removal is asked for again. */
  private async removeWhole(alert: Alert): Promise<void> {
    await this.events.removeWhere(alert.companyId, { alertId: alert.id });
    await this.alerts.remove(alert);
  }
}

/** Makes alerts, as everybody of a company may, and changes them: whoever made one may, and managers. */
@Injectable()
export class AlertService {
  constructor(
    private readonly alerts: AlertRepository,
    private readonly figures: AlertFigures,
    private readonly recipients: RecipientsFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {
    recipients.keptIn(alerts, (alert, notifyEmails) => alerts.swap(alert, {}, { notifyEmails }));
  }

  /** Its figure is read once before it is kept. @throws AppError as reading does, `conflict` when the company has too many, `forbidden`. */
  async create(by: Principal, { otherIds, ...draft }: AlertDraft): Promise<Alert> {
    const { companyId } = by;
    const notifyEmails = await this.recipients.checked(by, draft.notifyEmails);
    const others = await this.figures.othersOf({ companyId, ...draft }, [draft.datasourceId, ...otherIds]);
    const { value, warnings } = await this.figures.read({ companyId, ...draft, others });
    const now = this.clock.now();
    const alert: Alert = {
      ...ALERTS.blank,
      ...draft,
      id: this.ids.next(),
      companyId,
      createdBy: by.userId,
      others,
      notifyEmails,
      state: 'waiting',
      since: now,
      value,
      warnings,
      nextCheckAt: draft.enabled ? firstTurn(now, rhythmOf(draft)) : null,
      scheduledAt: draft.enabled ? now : null,
      version: 0,
      createdAt: now,
      updatedAt: now,
    };
    await this.alerts.insertWithin(companyId, LIMIT, [alert]);
    return alert;
  }

  /** With another condition it begins anew: it may fire at its next check. @throws AppError `not_found`, `forbidden` */
  async change(by: Principal, id: AlertId, { notifyEmails, ...change }: AlertChange): Promise<Alert> {
    for (;;) {
      const seen = await this.alerts.get(by.companyId, id);
      assertMayManage(by, seen, NOT_THEIRS);
      const now = this.clock.now();
      const changed = await this.alerts.change(seen, {
        ...change,
        notifyEmails: await this.recipients.checked(by, notifyEmails, seen.notifyEmails),
        ...scheduleAfter(seen, { ...seen, ...change }, now),
        ...(change.condition === undefined ? {} : { state: 'waiting', since: now, error: null }),
        updatedAt: now,
      });
      // Null: it was checked at this moment, so look again.
      if (changed !== null) return changed;
    }
  }
}

function scheduleAfter(seen: Alert, wanted: Alert, now: Date): Partial<Alert> {
  const [before, after] = [seen, wanted].map((alert) => (alert.enabled ? rhythmOf(alert) : null));
  const nextCheckAt = turnWhenSet(before ?? null, after ?? null, now);
  return nextCheckAt === undefined ? {} : { nextCheckAt, scheduledAt: nextCheckAt === null ? null : now };
}
