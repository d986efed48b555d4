import type { CompanyId, DatasourceId } from '../shared/ids.js';
import type { JsonPrimitive } from '../shared/json.js';

/** `integer` is a number without a fraction; `time` is a UTC timestamp. */
export const COLUMN_TYPES = ['number', 'integer', 'boolean', 'time', 'text'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export function isNumeric(type: ColumnType): boolean {
  return type === 'number' || type === 'integer';
}

/** What is done with the numbers of several rows where nobody says it: they add up, are averaged, or are no figures at all. */
export const COLUMN_ROLES = ['', 'sum', 'average', 'none'] as const;
export type ColumnRole = (typeof COLUMN_ROLES)[number];

/** One generation of a datasource's rows. */
export interface TableRef {
  readonly companyId: CompanyId;
  readonly datasourceId: DatasourceId;
  /** 1, 2, 3 …: which immutable base file, and which file of later inserts beside it. */
  readonly generation: number;
  /** Rows older than this have outlived the datasource's lifespan and are never seen. `null`: all rows are seen. */
  readonly visibleFrom: Date | null;
  /** What its rows may be joined with; left out: nothing. */
  readonly joinable?: Joinable | undefined;
}

/** What statements call the table that they are about. */
export const MAIN_TABLE = 'data';

/** Further tables beside the table `data`, and which rows of two of them belong together. */
export interface Joinable {
  readonly tables: readonly { readonly name: string; readonly table: TableRef }[];
  readonly relations: readonly TableRelation[];
}

/** Rows belong together where all pairs of columns are equal. `left` and `right` are names of tables in statements; `left` is nearer to `data`. */
export interface TableRelation {
  readonly id: string;
  readonly left: string;
  readonly right: string;
  readonly on: readonly ColumnPair[];
}

/** A column of the left table and one of the right. */
export type ColumnPair = readonly [string, string];

/** How a join along a relation came out on the rows as they were. */
export interface JoinCount {
  readonly left: string;
  readonly right: string;
  /** Rows of the left table. */
  readonly of: number;
  /** Rows that they are when each is joined with all that belong to it, and stays alone when there is none. */
  readonly rows: number;
  /** Rows of the left table to which none belongs. */
  readonly alone: number;
}

/** What is known about one column. Names are the header's own, as data; nothing about them can be trusted but that they differ. */
export interface ColumnProfile {
  readonly name: string;
  readonly type: ColumnType;
  /** Rows without a value. */
  readonly nulls: number;
  readonly distinct: number;
  /** Numbers as numbers, times as ISO 8601, text as text; null when the column is empty. */
  readonly min: JsonPrimitive;
  readonly max: JsonPrimitive;
  /** Numeric columns only. */
  readonly mean: number | null;
  /** Text and boolean columns, most frequent first, at most 1,000; a value longer than 200 characters is left out. */
  readonly topValues: readonly { readonly value: string; readonly count: number }[];
  /** Decided once for the datasource. Not there: not yet. */
  readonly role?: ColumnRole;
}

/** What is known about a table; also what a model or the analyst is told. */
export interface TableProfile {
  readonly rowCount: number;
  /** First and last timestamp, ISO 8601. */
  readonly timeRange: { readonly from: string; readonly to: string } | null;
  readonly columns: readonly ColumnProfile[];
  /** The columns' parts, by name. `values` are the measures. */
  readonly timeField: string;
  readonly metaField: string;
  readonly values: readonly string[];
}

export type Cell = JsonPrimitive;

export interface ResultColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Its numbers are parts of times: `weekday` 1 (Monday) to 7, `month` 1 to 12, `hour` 0 to 23. */
  readonly part?: 'hour' | 'weekday' | 'month' | undefined;
  /** Its numbers are fractions that people read as percent: 0.25 is 25 %. */
  readonly isFraction?: boolean | undefined;
}

/** Rows that a query gave. Times are ISO 8601 texts, numbers that JSON can't hold (NaN, infinities) null. */
export interface QueryResult {
  readonly columns: readonly ResultColumn[];
  readonly rows: readonly (readonly Cell[])[];
  /** There were more rows than the limit. */
  readonly truncated: boolean;
  /** The query as a person would write it in SQL, with its literals. */
  readonly dbquery: string;
  /** Rows the table had. */
  readonly rowsScanned: number;
  /** Of a query that joins tables. */
  readonly joins?: readonly JoinCount[] | undefined;
}

export interface QueryLimits {
  readonly maxRows: number;
  readonly timeoutMs: number;
}
