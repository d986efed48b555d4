import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../ports/document-store.js';
import type { Session } from './session.types.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  userId: { type: String, required: true },
  jti: { type: String, required: true },
  previousJti: { type: String, default: null },
  previousUntil: { type: Date, default: null },
  createdAt: { type: Date, required: true },
  expiresAt: { type: Date, required: true },
});
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const SESSIONS: CollectionDefinition<Session> = { name: 'sessions', schema };
