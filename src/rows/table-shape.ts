import type { TableColumn } from '../plan/plan-columns.js';
import type { ColumnType } from '../ports/table.js';
import { quotedText } from './sql-text.js';

export const STORED_TYPES: Readonly<Record<ColumnType, string>> = {
  number: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
  text: 'VARCHAR',
};

/** What a base file says about itself. */
export interface TableShape {
  readonly columns: readonly TableColumn[];
  readonly time: TableColumn;
  readonly meta: TableColumn;
  readonly values: readonly string[];
  readonly rows: number;
  /** Whether the file has the numbers of metadata values by which rows are passed over: not one of an older version. */
  readonly hasAssetKey: boolean;
}

/** The name of a column in the file: the header's own are data and never part of a statement. */
export function physicalName(position: number): string {
  return `c${position}`;
}

/** Lists the columns of a select, for both halves of what a table has. */
export function physicalList(columns: readonly TableColumn[]): string {
  return columns.map(({ physical }) => physical).join(', ');
}

/** The text of a metadata value: a whole number without a fraction, whatever its column's type. */
export function metaText({ physical, type }: TableColumn): string {
  if (type === 'text') return physical;
  if (type !== 'number') return `CAST(${physical} AS VARCHAR)`;
  const whole = `${physical} = trunc(${physical}) AND abs(${physical}) < 1e15`;
  return `CASE WHEN ${whole} THEN CAST(CAST(${physical} AS BIGINT) AS VARCHAR) ELSE CAST(${physical} AS VARCHAR) END`;
}

/** A timestamp for SQL from ISO 8601 in UTC. */
export function sqlTime(time: string | Date): string {
  // Years after 9999 have a plus and zeros here, which the engine does not read.
  return new Date(time).toISOString().slice(0, -1).replace(/^\+0*/, '');
}

/** The same as a literal. */
export function timestamp(time: string | Date): string {
  return `TIMESTAMP ${quotedText(sqlTime(time))}`;
}

/** The condition of rows that have not outlived the lifespan; null: there is none. */
export function visibleSince({ physical }: Pick<TableColumn, 'physical'>, visibleFrom: string | null): string | null {
  return visibleFrom === null ? null : `${physical} >= ${timestamp(visibleFrom)}`;
}

/** Columns of whole numbers, by their physical names, hold other numbers. */
export function widened(columns: readonly TableColumn[], wider: readonly string[]): readonly TableColumn[] {
  if (wider.length === 0) return columns;
  return columns.map((column) =>
    column.type === 'integer' && wider.includes(column.physical) ? { ...column, type: 'number' } : column,
  );
}

/** A table whose columns have other types by now. */
export function withColumns<T extends TableShape>(shape: T, columns: readonly TableColumn[]): T {
  const now = (one: TableColumn): TableColumn => columns.find(({ physical }) => physical === one.physical) ?? one;
  return { ...shape, columns, time: now(shape.time), meta: now(shape.meta) };
}
