import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../ports/document-store.js';
import { ROLES, SCOPES } from '../../shared/principal.js';
import type { ApiKey } from './api-key.types.js';

/** An expired key is listed so long, so that people see why something stopped. */
const THIRTY_DAYS = 30 * 24 * 60 * 60;

const schema = new Schema({
  companyId: { type: String, required: true },
  name: { type: String, required: true },
  holderId: { type: String, required: true },
  accountRole: { type: String, enum: [...ROLES, null], default: null },
  createdBy: { type: String, required: true },
  scopes: { type: [{ type: String, enum: SCOPES }], required: true },
  secretHash: { type: String, required: true },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, default: null },
  lastUsedAt: { type: Date, default: null },
});
schema.index({ companyId: 1, createdAt: -1 });
schema.index({ companyId: 1, holderId: 1 });
schema.index({ companyId: 1, createdBy: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: THIRTY_DAYS });

export const API_KEYS: CollectionDefinition<ApiKey> = { name: 'api-keys', schema };
