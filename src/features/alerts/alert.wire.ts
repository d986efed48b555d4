import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsIn, IsNumber, IsOptional, IsPositive, Max, ValidateIf } from 'class-validator';
import { planFrom } from '../../answering/given-plan.js';
import { answerOf, Envelope, onWire } from '../../http/envelope.wire.js';
import {
  IsIdentifier,
  OptionalFlag,
  OptionalIdentifiers,
  OptionalPart,
  OptionalPlan,
  OptionalText,
  OptionalWholeNumber,
  Part,
  Recipients,
  Name,
} from '../../http/fields.js';
import type { MailView } from '../../http/mail.wire.js';
import { WeeklyTimeBody, weeklyTimeFrom, type WeeklyTimeView, weeklyTimeView } from '../../http/weekly-time.wire.js';
import { invalidField } from '../../shared/app-error.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { PageOf } from '../../shared/page.js';
import { said } from '../../shared/said.js';
import { idsFrom, MOST_TOGETHER } from '../datasource/joinable-tables.facade.js';
import { figureWords } from './alert-figure.js';
import { type Alert, type AlertCondition, type AlertNews, type AlertState, CONDITION_TYPES } from './alert.schema.js';
import type { AlertChange, AlertDraft, ShownEvent } from './alert.service.js';

const LONGEST_QUERY = 20_000;
const LONGEST_INTERVAL = 1440;
const DEFAULT_INTERVAL = 15;

const ifLimit = ValidateIf(({ type }: AlertConditionBody) => type === 'above' || type === 'below');
const ifChange = ValidateIf(({ type }: AlertConditionBody) => type === 'changes');

/** When an alert fires. */
export class AlertConditionBody {
  /** `above` and `below` a `value`; `changes` by `percent` or more since the check before; `no_data`: no row has a figure, or no rows are counted. */
  @IsIn(CONDITION_TYPES) readonly type!: AlertCondition['type'];

  @ifLimit
  @IsNumber({ allowNaN: false, allowInfinity: false })
  readonly value?: number;

  @ifChange
  @IsNumber({ allowNaN: false, allowInfinity: false })
  @IsPositive()
  @Max(1_000_000)
  readonly percent?: number;
}

export class AlertConditionView {
  readonly type!: AlertCondition['type'];
  readonly value?: number;
  readonly percent?: number;
}

export class CreateAlertBody {
  /** Not empty, at most 200 characters. */
  @Name(200) readonly name!: string;
  @IsIdentifier() readonly datasource_id!: DatasourceId;
  /** Further datasources that the figure may join, along relations that are confirmed. */
  @OptionalIdentifiers(MOST_TOGETHER - 1) readonly datasource_ids?: DatasourceId[];
  /** A plan with one figure, as `understood` of an answer has it. Either this or `dbquery`. */
  @OptionalPlan() readonly plan?: Record<string, unknown>;
  /** One SELECT with one figure over the table `data`, such as an answer's `dbquery`. */
  @OptionalText(1, LONGEST_QUERY) readonly dbquery?: string;
  @Part(() => AlertConditionBody) readonly condition!: AlertConditionBody;
  /** False: it is checked when somebody asks; default true. */
  @OptionalFlag() readonly enabled?: boolean;
  /** Minutes between two checks, 1 to 1440; default 15. */
  @OptionalWholeNumber(1, LONGEST_INTERVAL) readonly check_interval?: number;
  /** At times of the week in place of the interval; null: the interval counts. */
  @OptionalPart(() => WeeklyTimeBody) readonly check_at?: WeeklyTimeBody | null;
  /** Who gets a mail when it fires, up to 20: people of the company, and whomever a manager names. */
  @Recipients() readonly notify_emails?: string[];
  /** The company's webhook is told, too; default false. */
  @OptionalFlag() readonly webhook?: boolean;
}

/** What is left out stays as it is. */
export class ChangeAlertBody extends PickType(CreateAlertBody, [
  'enabled',
  'check_interval',
  'check_at',
  'notify_emails',
  'webhook',
] as const) {
  @IsOptional() @Name(200) readonly name?: string;
  @OptionalPart(() => AlertConditionBody) readonly condition?: AlertConditionBody;
}

export class AlertView {
  readonly id!: string;
  readonly name!: string;
  readonly datasource_id!: string;
  /** Those that it joins. */
  readonly datasource_ids!: string[];
  /** What is watched, in words; empty for a query. */
  readonly figure!: string;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  readonly plan!: Record<string, unknown> | null;
  readonly dbquery!: string | null;
  readonly condition!: AlertConditionView;
  readonly enabled!: boolean;
  /** Minutes; they count while `check_at` is null. */
  readonly check_interval!: number;
  readonly check_at!: WeeklyTimeView | null;
  readonly notify_emails!: string[];
  readonly webhook!: boolean;
  /** waiting for its first check, ok, or firing: its condition was met at the last check. */
  readonly state!: AlertState;
  /** Since when it is in this state. */
  readonly since!: string;
  /** The figure at the last check; before the first, when the alert was made. Null: there was none. */
  readonly value!: number | null;
  /** What its join makes of the rows: those that count several times, those without a partner. */
  readonly warnings!: string[];
  /** Why the last check could not be made. */
  readonly error!: string | null;
  readonly checked_at!: string | null;
  /** Null while it is off. */
  readonly next_check_at!: string | null;
  readonly created_by!: string;
  readonly created_at!: string;
  readonly updated_at!: string;
}

export class AlertResponse extends answerOf({ alert: AlertView }) {}

export class AlertsResponse extends Envelope {
  /** Newest first. */
  readonly alerts!: AlertView[];
  readonly total!: number;
}

export class AlertEventView {
  readonly id!: string;
  /** fired, resolved, or failed: it could not be checked. */
  readonly kind!: AlertNews['kind'];
  readonly value!: number | null;
  readonly reason!: string;
  readonly at!: string;
  /** Who was mailed; kept for 30 days. */
  readonly mails!: MailView[];
}

export class AlertHistoryResponse extends Envelope {
  /** Newest first; a year of them. */
  readonly history!: AlertEventView[];
  readonly total!: number;
}

/** @throws AppError `invalid_input` */
export function alertDraftFrom(body: CreateAlertBody): AlertDraft {
  const { plan, dbquery } = body;
  if ((plan == null) === (dbquery == null)) {
    throw invalidField('plan', 'either plan or dbquery says which figure is watched');
  }
  const [datasourceId, ...otherIds] = idsFrom(body.datasource_id, body.datasource_ids);
  return {
    name: body.name,
    datasourceId,
    otherIds,
    plan: plan == null ? null : planFrom(plan),
    dbquery: dbquery ?? null,
    condition: conditionFrom(body.condition),
    enabled: body.enabled ?? true,
    checkInterval: body.check_interval ?? DEFAULT_INTERVAL,
    checkAt: body.check_at == null ? null : weeklyTimeFrom(body.check_at),
    notifyEmails: body.notify_emails ?? [],
    webhook: body.webhook ?? false,
  };
}

export function alertChangeFrom(body: ChangeAlertBody): AlertChange {
  const { name, condition, enabled, check_interval: minutes, check_at: at, notify_emails: emails, webhook } = body;
  return {
    ...said({
      name,
      condition: condition && conditionFrom(condition),
      enabled,
      checkInterval: minutes,
      notifyEmails: emails,
      webhook,
    }),
    // Null is none.
    ...(at === undefined ? {} : { checkAt: at && weeklyTimeFrom(at) }),
  };
}

function conditionFrom({ type, value = 0, percent = 0 }: AlertConditionBody): AlertCondition {
  switch (type) {
    case 'above':
    case 'below':
      return { type, value };
    case 'changes':
      return { type, percent };
    case 'no_data':
      return { type };
  }
}

export function alertView(alert: Alert): AlertView {
  return {
    ...onWire(alert, 'id', 'name', 'datasourceId', 'dbquery', 'enabled', 'checkInterval', 'webhook', 'state', 'since'),
    ...onWire(alert, 'value', 'error', 'checkedAt', 'nextCheckAt', 'createdBy', 'createdAt', 'updatedAt'),
    datasource_ids: (alert.others ?? []).map(({ id }) => id),
    figure: figureWords(alert),
    plan: alert.plan && { ...alert.plan },
    condition: { ...alert.condition },
    check_at: alert.checkAt && weeklyTimeView(alert.checkAt),
    notify_emails: alert.notifyEmails.map(({ address }) => address),
    warnings: [...(alert.warnings ?? [])],
  };
}

export function historyView({ entries, total }: PageOf<ShownEvent>): Pick<AlertHistoryResponse, 'history' | 'total'> {
  const history = entries.map(({ event, mails }) => ({
    ...onWire(event, 'id', 'kind', 'value', 'at'),
    reason: event.words,
    mails: [...mails],
  }));
  return { history, total };
}
