import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { WrittenCsv } from '../../../ports/csv-inspector.js';
import type { DatasourceId, Id, UserId } from '../../../shared/ids.js';
import type { SourcePlace } from '../datasource.types.js';

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
  /** What a database told of the rows; null: the bytes tell. */
  readonly written?: WrittenCsv | null | undefined;
  /** Where it was fetched from; null: it was sent. */
  readonly place?: SourcePlace | null | undefined;
  /** Whose file was fetched again; null: anybody's who names it. */
  readonly replaces?: DatasourceId | null | undefined;
  readonly createdAt: Date;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  createdBy: { type: String, required: true },
  storageKey: { type: String, required: true },
  originalName: { type: String, required: true },
  size: { type: Number, required: true },
  fileBytes: { type: Number, default: 0 },
  written: { type: Schema.Types.Mixed, default: null },
  place: { type: Schema.Types.Mixed, default: null },
  replaces: { type: String, default: null },
  createdAt: { type: Date, required: true },
});
schema.index({ storageKey: 1 }, { unique: true });
schema.index({ companyId: 1, createdBy: 1 });

export const UPLOADS: CollectionDefinition<Upload> = { name: 'uploads', schema };
