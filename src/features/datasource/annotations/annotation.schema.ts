import { Schema } from 'mongoose';
import type { CollectionDefinition, TenantDocument } from '../../../ports/document-store.js';
import type { DatasourceId, Id, UserId } from '../../../shared/ids.js';

export type AnnotationId = Id<'annotation'>;

/** What somebody of the company says of a range of time in a datasource. */
export interface Annotation extends TenantDocument {
  readonly id: AnnotationId;
  readonly datasourceId: DatasourceId;
  readonly from: Date;
  /** Not before `from`; the same: a moment. */
  readonly to: Date;
  readonly text: string;
  readonly createdBy: UserId;
  readonly createdAt: Date;
}

const schema = new Schema({
  companyId: { type: String, required: true },
  datasourceId: { type: String, required: true },
  from: { type: Date, required: true },
  to: { type: Date, required: true },
  text: { type: String, required: true },
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
});
schema.index({ companyId: 1, datasourceId: 1, from: 1 });

export const ANNOTATIONS: CollectionDefinition<Annotation> = { name: 'annotations', schema };
