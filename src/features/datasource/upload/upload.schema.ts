import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { Id, UserId } from '../../../shared/ids.js';

/** A file that was uploaded and has become no datasource yet. */
export interface Upload extends TenantDocument {
  readonly id: Id<'upload'>;
  readonly createdBy: UserId;
  /** Its key in the object store: what the API calls `filename`. */
  readonly storageKey: string;
  readonly originalName: string;
  readonly size: number;
  /** Of its CSV files together: more than `size` for an archive. */
  readonly fileBytes: number;
  readonly createdAt: Date;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  createdBy: { type: String, required: true },
  storageKey: { type: String, required: true },
  originalName: { type: String, required: true },
  size: { type: Number, required: true },
  fileBytes: { type: Number, default: 0 },
  createdAt: { type: Date, required: true },
});
schema.index({ storageKey: 1 }, { unique: true });

export const UPLOADS: CollectionDefinition<Upload> = { name: 'uploads', schema };
