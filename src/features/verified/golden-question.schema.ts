import type { VerifiedAnswer } from '../../answering/verified-answer.js';
import type { TenantDocument } from '../../ports/document-store.js';
import { lists, MIXED, nullable, required, tenantKind } from '../../ports/stored-kind.schema.js';
import type { JoinedDatasources } from '../datasource/joinable-tables.facade.js';
import type { ConversationId, DatasourceId, Id, UserId } from '../../shared/ids.js';

export type GoldenQuestionId = Id<'golden question'>;

export const GOLDEN_STATES = ['candidate', 'verified', 'rejected'] as const;
export type GoldenState = (typeof GOLDEN_STATES)[number];

export const RATINGS = ['up', 'down'] as const;
export type Rating = (typeof RATINGS)[number];

/** What its asker thinks of an answer. */
export interface Feedback {
  /** `null`: they have only corrected it. */
  readonly rating: Rating | null;
  /** What would be right, in their words; empty when they do not say. */
  readonly correction: string;
  readonly userId: UserId;
  readonly name: string;
  readonly at: Date;
}

/**
 * A question of a datasource with its answer: a candidate, that is an answer which its asker has rated; one that a manager has verified, which
 * answers the question from then on and is asked in evaluations; or one that a manager has rejected.
 */
export interface GoldenQuestion extends TenantDocument, Omit<VerifiedAnswer, 'verification'> {
  /** That of the message, if it came from one. */
  readonly id: GoldenQuestionId;
  readonly datasourceId: DatasourceId;
  /** Those that its answer joins. */
  readonly others?: JoinedDatasources;
  readonly state: GoldenState;
  /** The conversation that it came from, with which a candidate goes. */
  readonly conversationId: ConversationId | null;
  readonly feedback: Feedback | null;
  /** Whoever answers without knowing of it has answered it so, then or in an evaluation. */
  readonly wasRight: boolean;
  readonly verifiedBy: { readonly id: UserId; readonly name: string } | null;
  readonly verifiedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export const GOLDEN_QUESTIONS = tenantKind<GoldenQuestion>(
  'golden-questions',
  {
    ...required({ datasourceId: String, question: String, chartSeed: String, createdAt: Date, updatedAt: Date }),
    state: { type: String, enum: GOLDEN_STATES, required: true },
    ...lists({ others: MIXED, vouched: String }),
    ...nullable({ plan: MIXED, sql: String, chart: MIXED, conversationId: String, feedback: MIXED }),
    ...nullable({ verifiedBy: MIXED, verifiedAt: Date }),
    purpose: { type: String, default: '' },
    wording: { type: String, default: '' },
    wasRight: { type: Boolean, default: false },
  },
  [
    { companyId: 1, datasourceId: 1, state: 1 },
    { companyId: 1, conversationId: 1 },
  ],
);
