import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { TenantDocument } from '../../ports/document-store.js';
import { lists, MIXED, nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { DatasourceId, Id, UserId } from '../../shared/ids.js';
import type { Rhythm, WeeklyTime } from '../../shared/planned-turns.js';
import type { JoinedDatasources } from '../datasource/joinable-tables.facade.js';
import type { Recipient } from '../deliveries/mail.facade.js';

export type AlertId = Id<'alert'>;

export const CONDITION_TYPES = ['above', 'below', 'changes', 'no_data'] as const;

export type AlertCondition =
  | { readonly type: 'above' | 'below'; readonly value: number }
  /** By so many percent or more since the check before. */
  | { readonly type: 'changes'; readonly percent: number }
  /** No row has a figure, or no rows are counted. */
  | { readonly type: 'no_data' };

export const ALERT_STATES = ['waiting', 'ok', 'firing'] as const;
/** `waiting`: not checked yet; `firing`: its condition was met at the last check. */
export type AlertState = (typeof ALERT_STATES)[number];

export const EVENT_KINDS = ['fired', 'resolved', 'failed'] as const;

/** What came of a check that changed something. `failed`: it could not be made, and the one before it could. */
export interface AlertNews {
  readonly eventId: Id<'alert-event'>;
  readonly kind: (typeof EVENT_KINDS)[number];
  readonly value: number | null;
  readonly words: string;
  readonly at: Date;
}

/** A figure of a datasource that is watched. */
export interface Alert extends TenantDocument {
  readonly id: AlertId;
  readonly createdBy: UserId;
  readonly name: string;
  readonly datasourceId: DatasourceId;
  /** Those that it joins. */
  readonly others?: JoinedDatasources;
  /** One of these two gives the figure. */
  readonly plan: AnalysisPlan | null;
  readonly dbquery: string | null;
  readonly condition: AlertCondition;
  readonly enabled: boolean;
  /** Minutes; they count while there is no `checkAt`. */
  readonly checkInterval: number;
  readonly checkAt: WeeklyTime | null;
  readonly notifyEmails: readonly Recipient[];
  /** The company's webhook is told, too. */
  readonly webhook: boolean;
  readonly state: AlertState;
  /** When it came into its state. */
  readonly since: Date;
  /** At the last check that could be made; before the first, when it was made. */
  readonly value: number | null;
  /** What its join made of the rows then. */
  readonly warnings?: readonly string[];
  /** Why the last check could not be made. */
  readonly error: string | null;
  readonly checkedAt: Date | null;
  /** Null while it is off. */
  readonly nextCheckAt: Date | null;
  /** What the clock said when `nextCheckAt` was set: later than now means that the clock was set back. */
  readonly scheduledAt: Date | null;
  /** What is to be told, and since when; null both: everything is. */
  readonly news: AlertNews | null;
  readonly newsAt: Date | null;
  /** Counts what changes it: a check and a person at the same moment do not undo each other. */
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An entry of an alert's history. Gone after a year. */
export interface AlertEvent extends TenantDocument, Omit<AlertNews, 'eventId'> {
  readonly id: Id<'alert-event'>;
  readonly alertId: AlertId;
}

export function rhythmOf({ checkInterval, checkAt }: Pick<Alert, 'checkInterval' | 'checkAt'>): Rhythm {
  return checkAt ?? checkInterval;
}

export const ALERTS = tenantKind<Alert>(
  'alerts',
  {
    ...required({ createdBy: String, name: String, datasourceId: String, condition: MIXED, enabled: Boolean }),
    ...required({ checkInterval: Number, webhook: Boolean, since: Date, version: Number }),
    ...required({ createdAt: Date, updatedAt: Date }),
    state: { type: String, enum: ALERT_STATES, required: true },
    ...lists({ others: MIXED, notifyEmails: MIXED, warnings: String }),
    ...nullable({ plan: MIXED, dbquery: String, checkAt: MIXED, value: Number, error: String, checkedAt: Date }),
    ...nullable({ nextCheckAt: Date, scheduledAt: Date, news: MIXED, newsAt: Date }),
  },
  [
    { companyId: 1, createdAt: -1 },
    { companyId: 1, datasourceId: 1 },
    { nextCheckAt: 1 },
    { scheduledAt: 1 },
    { newsAt: 1 },
  ],
);

const YEAR = 366 * 24 * 60 * 60;

export const ALERT_EVENTS = tenantKind<AlertEvent>(
  'alert-events',
  {
    ...required({ alertId: String, words: String, at: Date }),
    kind: { type: String, enum: EVENT_KINDS, required: true },
    ...nullable({ value: Number }),
  },
  [{ companyId: 1, alertId: 1, _id: -1 }, [{ at: 1 }, { expireAfterSeconds: YEAR }]],
);
