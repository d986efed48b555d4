import type { CsvDialect } from '../../ports/csv-inspector.js';
import type { TenantDocument } from '../../ports/document-store.js';
import type { RejectedLine } from '../../ports/row-engine.js';
import type { ColumnType, TableProfile } from '../../ports/table.js';
import type { DatasourceId, UserId } from '../../shared/ids.js';

/** What a datasource may be said to be made from. What its file is, its bytes tell. */
export const SOURCE_TYPES = ['csv', 'tsv', 'txt', 'xlsx', 'parquet', 'json', 'ndjson'] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

export const GRANULARITIES = ['', 'seconds', 'minutes', 'hours', 'days'] as const;
export type Granularity = (typeof GRANULARITIES)[number];

/** What its creator says of a column against what the file does. */
export interface ColumnChange {
  /** As the header calls it. */
  readonly column: string;
  readonly name: string;
  /** A text that is no value of this type is a missing one; null: as it is detected. */
  readonly type: ColumnType | null;
}

/** How a datasource's rows are read. Column names are the header's own, but for those that were changed. */
export interface DatasourceConfig {
  /** Of each file, in its own order. */
  readonly columns: readonly (readonly string[])[];
  /** Not there: none. */
  readonly changes?: readonly ColumnChange[] | undefined;
  readonly isTimeseries: boolean;
  /** The generated column's name when it is no time series. */
  readonly timeField: string;
  readonly metaField: string;
  /** The measures: numeric columns. */
  readonly values: readonly string[];
  /** In the layout language its owner used; empty when it is no time series. */
  readonly timeFormat: string;
  readonly granularity: Granularity;
  /** Seconds from a row's timestamp until it is gone; 0: never. */
  readonly lifespan: number;
  /** Free text that helps answers. */
  readonly context: string;
}

/** One CSV file as it lies in the upload. */
export interface SourceFile {
  /** Its original name; in an archive its path there. */
  readonly name: string;
  readonly dialect: CsvDialect;
  readonly columns: readonly string[];
  /** By column, the type in the table that all files make; empty when the file has no rows. */
  readonly types: readonly ColumnType[];
}

export type ImportStatus = 'pending' | 'running' | 'ready' | 'failed';

/** How the import stands, or how the last one ended. */
export interface ImportState {
  readonly status: ImportStatus;
  readonly rows: number;
  readonly rejected: number;
  readonly rejectedSample: readonly RejectedLine[];
  /** 0 to 100; null while it can't be told. */
  readonly percent: number | null;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** Times it was begun; a file that takes the service down each time is given up. */
  readonly attempts: number;
}

export interface LoadedFile {
  readonly file: string;
  readonly size: number;
  readonly rows: number;
  readonly rejected: number;
}

export interface Datasource extends TenantDocument {
  readonly id: DatasourceId;
  readonly createdBy: UserId;
  readonly name: string;
  readonly type: SourceType;
  /** Key of the upload it was made from. */
  readonly filename: string;
  /** Of its CSV files together, as they were uploaded. */
  readonly fileBytes: number;
  readonly sources: readonly SourceFile[];
  readonly loadedFiles: readonly LoadedFile[];
  readonly config: DatasourceConfig;
  readonly assets: readonly string[];
  readonly docCount: number;
  readonly updating: boolean;
  /** Which generation of rows is read; 0 until the first import is done. */
  readonly generation: number;
  readonly import: ImportState;
  readonly profile: TableProfile | null;
  /** Grows with every insertion that was counted: two that count at once can't undo one another. */
  readonly insertions: number;
  /** Rows may be on their way in until then, or have come in without being counted; null: all rows are counted. */
  readonly insertingUntil: Date | null;
  /** Whoever imports holds a lease, so that nothing stays `updating` when they die. */
  readonly leaseOwner: string | null;
  readonly leaseUntil: Date | null;
  /** Set from the moment of deletion until all that belongs to it is gone; nobody sees it then. */
  readonly deletedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What its users may change; null: it stays as it is. */
export interface DatasourceEdit {
  readonly name: string | null;
  readonly context: string | null;
}

/** What a caller asks for. */
export interface DatasourceDraft {
  readonly name: string;
  readonly filename: string;
  readonly type: SourceType;
  /** Names of the upload's files that are taken; none: all, of a workbook its first sheet with rows. */
  readonly files: readonly string[];
  readonly config: Omit<DatasourceConfig, 'columns'>;
}
