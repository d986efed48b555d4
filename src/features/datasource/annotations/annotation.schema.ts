import type { TenantDocument } from '../../../ports/document-store.js';
import { required, tenantKind } from '../../../ports/stored-kind.schema.js';
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

export const ANNOTATIONS = tenantKind<Annotation>(
  'annotations',
  required({ datasourceId: String, from: Date, to: Date, text: String, createdBy: String, createdAt: Date }),
  [{ companyId: 1, datasourceId: 1, from: 1 }],
);
