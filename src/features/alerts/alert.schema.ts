import { Schema } from 'mongoose';
import type { AnalysisPlan } from '../../ports/analysis-plan.js';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
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

const alerts = new Schema(
  {
    companyId: { type: String, required: true },
    createdBy: { type: String, required: true },
    name: { type: String, required: true },
    datasourceId: { type: String, required: true },
    others: { type: [Schema.Types.Mixed], default: [] },
    plan: { type: Schema.Types.Mixed, default: null },
    dbquery: { type: String, default: null },
    condition: { type: Schema.Types.Mixed, required: true },
    enabled: { type: Boolean, required: true },
    checkInterval: { type: Number, required: true },
    checkAt: { type: Schema.Types.Mixed, default: null },
    notifyEmails: { type: [Schema.Types.Mixed], default: [] },
    webhook: { type: Boolean, required: true },
    state: { type: String, enum: ALERT_STATES, required: true },
    since: { type: Date, required: true },
    value: { type: Number, default: null },
    warnings: { type: [String], default: [] },
    error: { type: String, default: null },
    checkedAt: { type: Date, default: null },
    nextCheckAt: { type: Date, default: null },
    scheduledAt: { type: Date, default: null },
    news: { type: Schema.Types.Mixed, default: null },
    newsAt: { type: Date, default: null },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
alerts.index({ companyId: 1, createdAt: -1 });
alerts.index({ companyId: 1, datasourceId: 1 });
alerts.index({ nextCheckAt: 1 });
alerts.index({ scheduledAt: 1 });
alerts.index({ newsAt: 1 });

export const ALERTS: CollectionDefinition<Alert> = { name: 'alerts', schema: alerts };

const YEAR = 366 * 24 * 60 * 60;

const events = new Schema({
  companyId: { type: String, required: true },
  alertId: { type: String, required: true },
  kind: { type: String, enum: EVENT_KINDS, required: true },
  value: { type: Number, default: null },
  words: { type: String, required: true },
  at: { type: Date, required: true },
});
events.index({ companyId: 1, alertId: 1, _id: -1 });
events.index({ at: 1 }, { expireAfterSeconds: YEAR });

export const ALERT_EVENTS: CollectionDefinition<AlertEvent> = { name: 'alert-events', schema: events };
