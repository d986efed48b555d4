import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { TableSemantics } from '../../../ports/table-semantics.js';
import type { DatasourceId, Id, UserId } from '../../../shared/ids.js';

/** What a datasource's table means, as it was written at one time. */
export interface SemanticsVersion extends TenantDocument {
  readonly id: Id<'semantics'>;
  readonly datasourceId: DatasourceId;
  /** 1, 2, 3 …; the highest is the one that counts. */
  readonly version: number;
  readonly semantics: TableSemantics;
  readonly createdBy: UserId;
  readonly createdAt: Date;
}

const schema = new Schema(
  {
    companyId: { type: String, required: true },
    datasourceId: { type: String, required: true },
    version: { type: Number, required: true },
    semantics: { type: Schema.Types.Mixed, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { minimize: false },
);
// Of two who write the same version one is refused.
schema.index({ companyId: 1, datasourceId: 1, version: -1 }, { unique: true });

export const SEMANTICS: CollectionDefinition<SemanticsVersion> = { name: 'datasource-semantics', schema };
