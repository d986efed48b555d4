import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { Id } from '../../../shared/ids.js';

/** Names all embeddings of a company. */
export interface PassageCollection extends TenantDocument {
  readonly id: Id<'collection'>;
  readonly createdAt: Date;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
schema.index({ companyId: 1 }, { unique: true });

export const PASSAGE_COLLECTIONS: CollectionDefinition<PassageCollection> = { name: 'passage-collections', schema };
