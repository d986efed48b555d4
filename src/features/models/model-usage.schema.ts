import type { TokenUsage } from '../../ports/chat-model.js';
import type { TenantDocument } from '../../ports/document-store.js';
import { required, tenantKind } from '../../ports/stored-kind.schema.js';
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

export const MODEL_USAGE = tenantKind<ModelUsage>(
  'usage',
  {
    ...required({ period: String, userId: String, model: String, createdAt: Date }),
    ...required({ questions: Number, input: Number, output: Number, cached: Number, cost: Number }),
  },
  [
    [{ companyId: 1, period: 1, userId: 1, model: 1 }, { unique: true }],
    [{ createdAt: 1 }, { expireAfterSeconds: FOUR_HUNDRED_DAYS }],
  ],
);
