import type { TenantDocument } from '../../../ports/document-store.js';
import { counts, MIXED, nullable, required, tenantKind } from '../../../ports/stored-kind.schema.js';
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
  readonly written: WrittenCsv | null;
  /** Where it was fetched from; null: it was sent. */
  readonly place: SourcePlace | null;
  /** Whose file was fetched again; null: anybody's who names it. */
  readonly replaces: DatasourceId | null;
  readonly createdAt: Date;
}

export const UPLOADS = tenantKind<Upload>(
  'uploads',
  {
    ...required({ createdBy: String, storageKey: String, originalName: String, size: Number, createdAt: Date }),
    ...counts('fileBytes'),
    ...nullable({ written: MIXED, place: MIXED, replaces: String }),
  },
  [[{ storageKey: 1 }, { unique: true }], { companyId: 1, createdBy: 1 }],
);
