import type { TenantDocument } from '../../../ports/document-store.js';
import { LEASE_FIELDS, MIXED, nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
import type { TableSemantics } from '../../../ports/table-semantics.js';
import type { Leased } from '../../../queue/lease-keeper.js';
import type { DatasourceId, Id } from '../../../shared/ids.js';
import type { GoldenQuestionId } from '../golden-question.schema.js';

export type EvaluationId = Id<'evaluation'>;

export const OUTCOMES = ['right', 'wrong', 'refused', 'failed'] as const;
/** `refused`: it was asked back, or nothing was looked up; `failed`: no answer came, or nothing to compare it with. */
export type Outcome = (typeof OUTCOMES)[number];

export const EVALUATION_STATES = ['waiting', 'running', 'done', 'failed', 'stopped'] as const;
export type EvaluationState = (typeof EVALUATION_STATES)[number];

export const TRIGGERS = ['person', 'schedule', 'command'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** What became of one question with one model. */
export interface Judged {
  readonly outcome: Outcome;
  /** Why it is not right; empty when it is. */
  readonly reason: string;
  /** It was right before. */
  readonly regressed: boolean;
  readonly dbquery: string;
  /** `null`: nobody counts. */
  readonly tokens: number | null;
  /** In the currency of the prices; `null`: there are none. */
  readonly cost: number | null;
  readonly ms: number;
}

export interface AskedQuestion {
  readonly id: GoldenQuestionId;
  readonly question: string;
  /** For each model of the evaluation, in their order; empty as long as it was not asked. */
  readonly judged: readonly Judged[];
}

/** The verified questions of a datasource, asked without their answers, and what came of it. */
export interface Evaluation extends TenantDocument, Leased {
  readonly id: EvaluationId;
  readonly datasourceId: DatasourceId;
  readonly trigger: Trigger;
  readonly state: EvaluationState;
  /** Who answers, one or two; `null`: the company's own model. */
  readonly models: readonly (string | null)[];
  /** A description that is tried; `null`: the one that counts. */
  readonly semantics: TableSemantics | null;
  readonly questions: readonly AskedQuestion[];
  /** Why it could not be done; empty when it was. */
  readonly error: string;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
}

export const EVALUATIONS = tenantKind<Evaluation>(
  'evaluations',
  {
    ...required({ datasourceId: String, models: MIXED, questions: MIXED, createdAt: Date }),
    trigger: { type: String, enum: TRIGGERS, required: true },
    state: { type: String, enum: EVALUATION_STATES, required: true },
    error: { type: String, default: '' },
    ...nullable({ semantics: MIXED, endedAt: Date }),
    ...LEASE_FIELDS,
  },
  [{ companyId: 1, datasourceId: 1, _id: -1 }, { state: 1 }],
);

/** When the questions of a datasource are asked by themselves. */
export interface EvaluationSchedule extends TenantDocument {
  readonly datasourceId: DatasourceId;
  /** Minutes. */
  readonly interval: number;
  readonly enabled: boolean;
  /** `null` while it is not enabled. */
  readonly nextRunAt: Date | null;
}

export const EVALUATION_SCHEDULES = tenantKind<EvaluationSchedule>(
  'evaluation-schedules',
  { ...required({ datasourceId: String, interval: Number, enabled: Boolean }), ...nullable({ nextRunAt: Date }) },
  [[{ companyId: 1, datasourceId: 1 }, { unique: true }], { nextRunAt: 1 }],
);
