import { Injectable } from '@nestjs/common';
import { type Change, DocumentStore } from '../../ports/document-store.js';
import { NEWEST_FIRST, TenantRepository } from '../../ports/tenant-repository.js';
import { AppError } from '../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { ALERT_EVENTS, ALERTS, type Alert, type AlertEvent, type AlertId } from './alert.schema.js';

@Injectable()
export class AlertRepository extends TenantRepository<Alert> {
  constructor(store: DocumentStore) {
    super(store, ALERTS);
  }

  /** @throws AppError `not_found` */
  async get(companyId: CompanyId, id: AlertId): Promise<Alert> {
    const alert = await this.find(companyId, id);
    if (alert === null) throw new AppError('not_found', 'alert not found');
    return alert;
  }

  /** Newest first. */
  list(companyId: CompanyId, page: Page): Promise<PageOf<Alert>> {
    return this.pageOf(companyId, {}, page, NEWEST_FIRST);
  }

  count(companyId: CompanyId): Promise<number> {
    return this.collection.of(companyId).count({});
  }

  /** Null: it was changed since it was seen, or is gone. */
  change(seen: Alert, set: Change<Alert>['set']): Promise<Alert | null> {
    return this.swap(seen, { version: seen.version }, { ...set, version: seen.version + 1 });
  }

  ofDatasource(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly Alert[]> {
    return this.collection.of(companyId).find({ datasourceId });
  }

  /** Of all companies, the longest due first. */
  allDue(now: Date, limit: number): Promise<readonly Alert[]> {
    return this.collection.ofAll().find({ nextCheckAt: { lte: now } }, { sort: [['nextCheckAt', 'asc']], limit });
  }

  /** Those with something to tell since before that time. */
  allWithNews(before: Date): Promise<readonly Alert[]> {
    return this.collection.ofAll().find({ newsAt: { gt: new Date(0), lte: before } });
  }

  /** Those whose next check was set when the clock said more than this. */
  allScheduledAfter(time: Date): Promise<readonly Alert[]> {
    return this.collection.ofAll().find({ scheduledAt: { gt: time } });
  }
}

@Injectable()
export class AlertEventRepository extends TenantRepository<AlertEvent> {
  constructor(store: DocumentStore) {
    super(store, ALERT_EVENTS);
  }

  /** Newest first. */
  history(companyId: CompanyId, alertId: AlertId, page: Page): Promise<PageOf<AlertEvent>> {
    return this.pageOf(companyId, { alertId }, page, [['id', 'desc']]);
  }

  async removeOf(companyId: CompanyId, alertId: AlertId): Promise<void> {
    await this.collection.of(companyId).remove({ alertId });
  }
}
