import { Schema } from 'mongoose';
import type { TableColumn } from '../plan/plan-columns.js';
import type { CollectionDefinition, TenantDocument } from '../ports/document-store.js';
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

const tables = new Schema(
  {
    companyId: { type: String, required: true },
    datasourceId: { type: String, required: true },
    generation: { type: Number, required: true },
    load: { type: String, required: true },
    version: { type: Number, required: true },
    columns: { type: [Schema.Types.Mixed], required: true },
    timeField: String,
    metaField: String,
    base: { type: Schema.Types.Mixed, required: true },
    part: { type: Schema.Types.Mixed, default: null },
    rejects: { type: String, default: null },
    through: { type: Number, required: true },
    emptied: { type: Number, required: true },
  },
  { minimize: false },
);
tables.index({ companyId: 1, datasourceId: 1 });

const batches = new Schema(
  {
    companyId: { type: String, required: true },
    load: { type: String, required: true },
    number: { type: Number, required: true },
    key: { type: String, default: null },
    note: { type: String, default: '' },
    at: { type: Date, required: true },
    rows: { type: Number, required: true },
    wider: { type: [String], required: true },
    seals: { type: Boolean, default: false },
    data: { type: String, default: null },
    expiresAt: { type: Date, default: null },
  },
  { minimize: false },
);
batches.index({ companyId: 1, load: 1, number: 1 });
batches.index({ companyId: 1, load: 1, key: 1 });
batches.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const ROW_TABLES: CollectionDefinition<RowTable> = { name: 'row-tables', schema: tables };
export const ROW_BATCHES: CollectionDefinition<RowBatch> = { name: 'row-batches', schema: batches };
