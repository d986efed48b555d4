import type { Change } from '../../ports/document-store.js';
import { repositoryOf } from '../../ports/tenant-repository.js';
import { ALERT_EVENTS, ALERTS, type Alert } from './alert.schema.js';

export class AlertRepository extends repositoryOf(ALERTS, 'alert') {
  /** Null: it was changed since it was seen, or is gone. */
  change(seen: Alert, set: Change<Alert>['set']): Promise<Alert | null> {
    return this.swap(seen, { version: seen.version }, { ...set, version: seen.version + 1 });
  }
}

export class AlertEventRepository extends repositoryOf(ALERT_EVENTS) {}
