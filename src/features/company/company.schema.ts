import { Schema } from 'mongoose';
import type { CollectionDefinition } from '../../ports/document-store.js';
import type { Company } from './company.types.js';

const schema = new Schema({
  name: { type: String, required: true },
  meta: { type: Schema.Types.Mixed, default: {} },
  isActive: { type: Boolean, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  deletedAt: { type: Date, default: null },
});

export const COMPANIES: CollectionDefinition<Company> = { name: 'companies', schema };
