import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../ports/document-store.js';

/** What models behind an endpoint wrote and read for a company on one day. */
export interface ModelUsage extends TenantDocument {
  /** `2026-01-31`, UTC. */
  readonly day: string;
  readonly tokens: number;
  readonly createdAt: Date;
}

const NINETY_DAYS = 90 * 24 * 3600;

const schema = new Schema({
  companyId: { type: String, required: true },
  day: { type: String, required: true },
  tokens: { type: Number, required: true },
  createdAt: { type: Date, required: true },
});
schema.index({ companyId: 1, day: 1 }, { unique: true });
schema.index({ createdAt: 1 }, { expireAfterSeconds: NINETY_DAYS });

export const MODEL_USAGE: CollectionDefinition<ModelUsage> = { name: 'model-usage', schema };
