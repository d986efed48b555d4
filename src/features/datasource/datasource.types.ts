import type { CsvDialect } from '../../ports/csv-inspector.js';
import type { BinDocument } from '../../ports/bin-repository.js';
import type { FileVersion, PlaceKind } from '../../ports/place-reader.js';
import type { TimeFormatOf } from '../../ports/row-downloads.js';
import type { LoadReport, RejectedLine } from '../../ports/row-engine.js';
import type { ColumnRole, ColumnType, TableProfile } from '../../ports/table.js';
import type { Leased } from '../../queue/lease-keeper.js';
import type { DatasourceId, UserId } from '../../shared/ids.js';
import type { DecimalSign } from '../../shared/number-notation.js';
import type { Rhythm } from '../../shared/planned-turns.js';

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
  /** What is done with its numbers; absent: as it is decided. */
  readonly role?: ColumnRole | undefined;
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
  /** By column, the layout of its times; null, or not there: ISO 8601, or no times. */
  readonly timeFormats?: readonly (string | null)[] | undefined;
}

/** Columns of times that are not in ISO 8601, with their layouts; the time field's is its own. */
export function timeFormatsOf(sources: readonly SourceFile[]): readonly TimeFormatOf[] {
  return sources.flatMap(({ columns, timeFormats = [] }) =>
    columns.flatMap((column, index) => {
      const format = timeFormats[index] ?? null;
      return format === null ? [] : [[column, format] as const];
    }),
  );
}

/** By column, the unit that may stand beside its numbers. Where files differ there is none: the column is one of texts. */
export function unitsOf(sources: readonly Pick<SourceFile, 'columns' | 'dialect'>[]): ReadonlyMap<string, string> {
  const units = new Map<string, string>();
  for (const { columns, dialect } of sources)
    for (const [index, unit] of dialect.units?.entries() ?? []) {
      const column = columns[index] ?? '';
      if (unit !== '') units.set(column, (units.get(column) ?? unit) === unit ? unit : '');
    }
  return units;
}

/** What its numbers have before their fraction. */
export function decimalOf(sources: readonly Pick<SourceFile, 'dialect'>[]): DecimalSign {
  return sources.every(({ dialect }) => dialect.decimal === ',') ? ',' : '.';
}

/** A file in which these units, and no others, may stand beside numbers. */
export function withUnits<T extends Pick<SourceFile, 'columns' | 'dialect'>>(
  file: T,
  units: ReadonlyMap<string, string>,
): T {
  if (units.size === 0 && file.dialect.units === undefined) return file;
  return { ...file, dialect: { ...file.dialect, units: file.columns.map((column) => units.get(column) ?? '') } };
}

/** A further file on its way into a datasource. */
export interface Append {
  /** Key of its upload. */
  readonly filename: string;
  readonly fileBytes: number;
  /** Columns have the names of the datasource; one that is not taken has none. */
  readonly sources: readonly SourceFile[];
  /** What each column of the file is called in the datasource; empty: it is not taken. */
  readonly changes: readonly ColumnChange[];
  /** Columns whose values say which earlier row a row of the file takes the place of; none: all rows are added. */
  readonly keys: readonly string[];
  /** As its times are written; empty when the datasource is no time series. */
  readonly timeFormat: string;
}

/** How the import stands, or how the last one ended. */
export interface ImportState {
  readonly status: 'pending' | 'running' | 'ready' | 'failed';
  /** Those of its files. */
  readonly rows: number;
  readonly rejected: number;
  /** Of a further file: rows that are new, and earlier ones that gave way to others; null or not there: it was the first. */
  readonly added?: number | null | undefined;
  readonly replaced?: number | null | undefined;
  readonly rejectedSample: readonly RejectedLine[];
  /** 0 to 100; null while it can't be told. */
  readonly percent: number | null;
  readonly error: string | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  /** While it is fetched, so many bytes have come. */
  readonly bytes?: number | undefined;
  /** Times it was begun; a file that takes the service down each time is given up. */
  readonly attempts: number;
}

export interface LoadedFile extends Omit<LoadReport['files'][number], 'name'> {
  /** Key of the upload of a further file; not there: it came with the creation. */
  readonly filename?: string | undefined;
  readonly file: string;
}

/** Where rows are fetched from, as it may be shown. */
export interface SourcePlace {
  readonly kind: PlaceKind;
  /** Without the part of an https address that may be a secret. */
  readonly address: string;
  readonly user: string;
  /** Of a database. */
  readonly query: string;
  /** The whole place with its secrets, as JSON, sealed for the company. */
  readonly sealed: string;
  /** Of the file that was fetched first. */
  readonly version?: KnownVersion | undefined;
}

/** Of a file that was fetched, with a key of all that was asked of the place: another query is another file. Null: the place says nothing of it. */
export type KnownVersion = (FileVersion & { readonly key: string }) | null;

/** A further fetch that is under way. */
export interface Refetch {
  /** The file is still to come; then it is imported. */
  readonly isPending: boolean;
  /** Of the file that has come. */
  readonly version?: KnownVersion | undefined;
  /** What there is until it is done, and what there stays when it fails. */
  readonly before: { readonly import: ImportState; readonly docCount: number; readonly columns: readonly string[] };
}

/** What became of a fetch, and what it changed. */
export interface FetchOutcome {
  readonly finishedAt: Date;
  readonly status: 'done' | 'failed' | 'stopped' | 'unchanged';
  readonly error: string | null;
  readonly rowsBefore: number;
  readonly rowsAfter: number;
  readonly rejected: number;
  readonly columnsAdded: readonly string[];
  readonly columnsGone: readonly string[];
}

/** Whoever imports holds the lease, so that nothing stays `updating` when they die. */
export interface Datasource extends BinDocument, Leased {
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
  /** The file that the import adds; null: it makes the first rows, or there is none. */
  readonly append: Append | null;
  readonly profile: TableProfile | null;
  /** Grows with every insertion that was counted: two that count at once can't undo one another. */
  readonly insertions: number;
  /** Rows may be on their way in until then, or have come in without being counted; null: all rows are counted. */
  readonly insertingUntil: Date | null;
  /** Null: it was made from an upload. */
  readonly place: SourcePlace | null;
  /** Names of the files that were chosen when it was made from a place; none: all. */
  readonly placeFiles: readonly string[];
  /** Of the file that its rows are from, where that was not the first. */
  readonly placeVersion?: KnownVersion | undefined;
  /** How often it is fetched by itself; null: only when somebody asks. */
  readonly fetchRhythm: Rhythm | null;
  readonly nextFetchAt: Date | null;
  readonly refetch: Refetch | null;
  /** The last ten, the newest first. */
  readonly fetches: readonly FetchOutcome[];
  /** Rows of the generation before are kept so long, for who has begun to read them; null: there are none. */
  readonly oldRowsUntil: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Something is being done to its rows. */
export const UPDATING = { updating: true, deletedAt: null } as const;

/** What a caller asks for. */
export interface DatasourceDraft {
  readonly name: string;
  readonly filename: string;
  readonly type: SourceType;
  /** Names of the upload's files that are taken; none: all, of a workbook its first sheet with a table. */
  readonly files: readonly string[];
  readonly config: Omit<DatasourceConfig, 'columns'>;
}
