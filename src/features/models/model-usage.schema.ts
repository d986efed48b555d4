import { Schema } from 'mongoose';
import type { TokenUsage } from '../../ports/chat-model.js';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';
import type { UserId } from '../../shared/ids.js';

/** What answers took. */
export interface Spending extends TokenUsage {
  readonly questions: number;
  /** At the prices of the moment; tokens without a price cost nothing. */
  readonly cost: number;
}

/** What a company's users asked of one model on one day; or all that they asked in a month, with `all` for user and model. */
export interface ModelUsage extends TenantDocument, Spending {
  /** `2026-01-31`, or `2026-01`; UTC. */
  readonly period: string;
  readonly userId: UserId | typeof ALL;
  readonly model: string;
  readonly createdAt: Date;
}

export const ALL = 'all';

const FOUR_HUNDRED_DAYS = 400 * 24 * 3600;
const sum = { type: Number, required: true } as const;

const schema = new Schema({
  companyId: { type: String, required: true },
  period: { type: String, required: true },
  userId: { type: String, required: true },
  model: { type: String, required: true },
  questions: sum,
  input: sum,
  output: sum,
  cached: sum,
  cost: sum,
  createdAt: { type: Date, required: true },
});
schema.index({ companyId: 1, period: 1, userId: 1, model: 1 }, { unique: true });
schema.index({ createdAt: 1 }, { expireAfterSeconds: FOUR_HUNDRED_DAYS });

export const MODEL_USAGE: CollectionDefinition<ModelUsage> = { name: 'usage', schema };
