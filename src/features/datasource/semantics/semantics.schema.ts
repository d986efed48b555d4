import type { TenantDocument } from '../../../ports/document-store.js';
import { MIXED, required, tenantKind } from '../../../ports/stored-kind.schema.js';
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

export const SEMANTICS = tenantKind<SemanticsVersion>(
  'datasource-semantics',
  required({ datasourceId: String, version: Number, semantics: MIXED, createdBy: String, createdAt: Date }),
  // Of two who write the same version one is refused.
  [[{ companyId: 1, datasourceId: 1, version: -1 }, { unique: true }]],
);
