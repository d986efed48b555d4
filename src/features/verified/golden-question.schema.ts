import { Schema } from 'mongoose';
import type { VerifiedAnswer } from '../../answering/verified-answer.js';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
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

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    datasourceId: { type: String, required: true },
    others: { type: [Schema.Types.Mixed], default: [] },
    state: { type: String, enum: GOLDEN_STATES, required: true },
    question: { type: String, required: true },
    plan: { type: Schema.Types.Mixed, default: null },
    sql: { type: String, default: null },
    purpose: { type: String, default: '' },
    chart: { type: Schema.Types.Mixed, default: null },
    wording: { type: String, default: '' },
    vouched: { type: [String], default: [] },
    chartSeed: { type: String, required: true },
    conversationId: { type: String, default: null },
    feedback: { type: Schema.Types.Mixed, default: null },
    wasRight: { type: Boolean, default: false },
    verifiedBy: { type: Schema.Types.Mixed, default: null },
    verifiedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { minimize: false },
);
schema.index({ companyId: 1, datasourceId: 1, state: 1 });
schema.index({ companyId: 1, conversationId: 1 });

export const GOLDEN_QUESTIONS: CollectionDefinition<GoldenQuestion> = { name: 'golden-questions', schema };
