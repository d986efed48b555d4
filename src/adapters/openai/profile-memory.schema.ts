import { Schema } from 'mongoose';
import type { CollectionDefinition, StoredDocument } from '../../ports/document-store.js';

/** What the endpoint of a model refuses, for a model that is asked in one way. */
export interface LearnedProfile extends StoredDocument {
  readonly model: string;
  readonly refused: readonly string[];
  readonly learnedAt: Date;
}

const THIRTY_DAYS = 30 * 24 * 3600;

const schema = new Schema({
  model: { type: String, required: true },
  refused: { type: [String], required: true },
  learnedAt: { type: Date, required: true },
});
schema.index({ learnedAt: 1 }, { expireAfterSeconds: THIRTY_DAYS });

export const LEARNED_PROFILES: CollectionDefinition<LearnedProfile> = { name: 'learned-profiles', schema };
