import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../ports/document-store.js';
import type { Settings } from './settings.types.js';

const schema = new Schema({
  companyId: { type: String, required: true },
  name: { type: String, required: true },
  config: { type: Schema.Types.Mixed, default: {} },
  revision: { type: Number },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
});
schema.index({ companyId: 1 }, { unique: true });

export const SETTINGS: CollectionDefinition<Settings> = { name: 'settings', schema };
