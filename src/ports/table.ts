import type { CompanyId, DatasourceId } from '../shared/ids.js';
import type { JsonPrimitive } from '../shared/json.js';

/** `integer` is a number without a fraction; `time` is a UTC timestamp. */
export const COLUMN_TYPES = ['number', 'integer', 'boolean', 'time', 'text'] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

export function isNumeric(type: ColumnType): boolean {
  return type === 'number' || type === 'integer';
}

/** One generation of a datasource's rows. */
export interface TableRef {
  readonly companyId: CompanyId;
  readonly datasourceId: DatasourceId;
  /** 1, 2, 3 …: which immutable base file, and which file of later inserts beside it. */
  readonly generation: number;
  /** Rows older than this have outlived the datasource's lifespan and are never seen. `null`: all rows are seen. */
  readonly visibleFrom: Date | null;
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
}

export interface QueryLimits {
  readonly maxRows: number;
  readonly timeoutMs: number;
}
