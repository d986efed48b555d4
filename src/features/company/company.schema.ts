import { Schema } from 'mongoose';
import type { CollectionDefinition, StoredDocument } from '../../ports/document-store.js';
import { MIXED, nullable, required } from '../../ports/stored-kind.schema.js';
import type { CompanyId } from '../../shared/ids.js';
import type { JsonObject } from '../../shared/json.js';

const schema = new Schema({
  ...required({ name: String, isActive: Boolean, createdAt: Date, updatedAt: Date }),
  meta: { type: MIXED, default: {} },
  ...nullable({ deletedAt: Date }),
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
