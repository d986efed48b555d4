import { Schema } from 'mongoose';
import type { CollectionDefinition, StoredDocument } from '../../ports/document-store.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

const schema = new Schema({
  name: { type: String, required: true },
  meta: { type: Schema.Types.Mixed, default: {} },
  isActive: { type: Boolean, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
  deletedAt: { type: Date, default: null },
});

export const COMPANIES: CollectionDefinition<Company> = { name: 'companies', schema };

/** A tenant: everything else belongs to one. */
export interface Company extends StoredDocument {
  readonly id: CompanyId;
  readonly name: string;
  readonly meta: JsonObject;
  readonly isActive: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly deletedAt: Date | null;
}
