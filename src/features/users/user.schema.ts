import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../ports/document-store.js';
import { ROLES } from '../../shared/principal.js';
import type { User } from './user.types.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  email: { type: String, required: true, lowercase: true },
  passwordHash: { type: String, required: true },
  firstName: { type: String, default: '' },
  lastName: { type: String, default: '' },
  role: { type: String, enum: ROLES, required: true },
  avatar: { type: String, default: '' },
  isActive: { type: Boolean, required: true },
  meta: { type: Map, of: String, default: {} },
  lastLogin: { type: Date, default: null },
  lastLogout: { type: Date, default: null },
  createdAt: { type: Date, required: true },
});
schema.index({ email: 1 }, { unique: true });
schema.index({ companyId: 1, createdAt: -1 });

export const USERS: CollectionDefinition<User> = { name: 'users', schema };
