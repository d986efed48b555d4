import type { TableColumn } from '../plan/plan-columns.js';
import type { TenantDocument } from '../ports/document-store.js';
import { MIXED, nullable, required, tenantKind, texts } from '../ports/stored-kind.schema.js';
import type { DatasourceId, Id } from '../shared/ids.js';
import type { RowFile } from './row-objects.js';

/** One generation of a datasource's rows: which files hold them, and up to which batch. A change of it is the moment at which others are seen. */
export interface RowTable extends TenantDocument {
  /** `<datasource>.<generation>` */
  readonly id: Id<'row-tables'>;
  readonly datasourceId: DatasourceId;
  readonly generation: number;
  /** Names one import: batches that were inserted beside it belong to no other. */
  readonly load: string;
  /** Counts the changes; each is made by compare-and-set. */
  readonly version: number;
  /** Their types, as the files hold them. */
  readonly columns: readonly TableColumn[];
  readonly timeField: string;
  readonly metaField: string;
  /** What was imported, or made of that and of later rows. */
  readonly base: RowFile;
  /** Later rows that are too many to be kept as batches and too few to be made part of the base. */
  readonly part: RowFile | null;
  /** Name of the object with the lines that the import left out. */
  readonly rejects: string | null;
  /** Batches up to this number are in the files. */
  readonly through: number;
  /** Batches up to this number hold no rows any more. */
  readonly emptied: number;
}

/** Rows that were inserted together. Their numbers have no gaps: 1, 2, 3 … */
export interface RowBatch extends TenantDocument {
  /** `<load>.<number>` */
  readonly id: Id<'row-batches'>;
  readonly load: string;
  readonly number: number;
  /** What they are known by when they are sent again; null: by nothing. */
  readonly key: string | null;
  readonly note: string;
  readonly at: Date;
  readonly rows: number;
  /** Physical names of the columns of whole numbers that hold other numbers from here on. */
  readonly wider: readonly string[];
  /** No rows come behind it, until a batch opens the table again. */
  readonly seals?: boolean | undefined;
  /** As `packedRows` writes them; null: they are in the files. */
  readonly data: string | null;
  /** A batch whose rows are in the files stays a day, for its key, and so that nobody takes its number again. */
  readonly expiresAt: Date | null;
}

export const ROW_TABLES = tenantKind<RowTable>(
  'row-tables',
  {
    ...required({ datasourceId: String, generation: Number, load: String, version: Number, base: MIXED }),
    ...required({ through: Number, emptied: Number }),
    columns: { type: [MIXED], required: true },
    timeField: { type: String },
    metaField: { type: String },
    ...nullable({ part: MIXED, rejects: String }),
  },
  [{ companyId: 1, datasourceId: 1 }],
);

export const ROW_BATCHES = tenantKind<RowBatch>(
  'row-batches',
  {
    ...required({ load: String, number: Number, at: Date, rows: Number }),
    ...texts('note'),
    wider: { type: [String], required: true },
    seals: { type: Boolean, default: false },
    ...nullable({ key: String, data: String, expiresAt: Date }),
  },
  [
    { companyId: 1, load: 1, number: 1 },
    { companyId: 1, load: 1, key: 1 },
    [{ expiresAt: 1 }, { expireAfterSeconds: 0 }],
  ],
);
