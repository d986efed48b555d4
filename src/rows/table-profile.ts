import type { DuckDBConnection } from '@duckdb/node-api';
import type { TableColumn } from '../plan/plan-columns.js';
import { type ColumnProfile, isNumeric, type TableProfile } from '../ports/table.js';
import type { JsonPrimitive } from '../shared/json.js';
import { cellFrom, valuesOf } from './cells.js';

/** What is to be described: a relation, its columns, and which of them play which part. */
interface ProfileSubject {
  /** A table, or a query in brackets. */
  readonly relation: string;
  readonly isTable: boolean;
  readonly columns: readonly TableColumn[];
  readonly time: TableColumn;
  readonly meta: TableColumn;
  readonly values: readonly string[];
}

/** Up to here values are counted exactly; what the estimate says is not quite exact itself. */
const EXACT_UP_TO = 150_000;
const MOST_VALUES = 1000;
const LONGEST_VALUE = 200;
const SAMPLE_ROWS = 100_000;

/** Counts, ranges, means and most frequent values of a table, at a cost below that of loading it. */
export async function profileOf(connection: DuckDBConnection, subject: ProfileSubject): Promise<TableProfile> {
  const estimates = await estimatesOf(connection, subject);
  const { rows, measured } = await figuresOf(connection, subject, estimates);
  const columns: ColumnProfile[] = [];
  for (const one of measured) columns.push(await withValues(connection, subject, one));
  return {
    rowCount: rows,
    timeRange: rangeOf(columns[subject.columns.indexOf(subject.time)]),
    columns,
    timeField: subject.time.name,
    metaField: subject.meta.name,
    values: subject.values,
  };
}

function rangeOf(time: ColumnProfile | undefined): TableProfile['timeRange'] {
  if (typeof time?.min !== 'string' || typeof time.max !== 'string') return null;
  return { from: time.min, to: time.max };
}

interface Measured {
  readonly column: TableColumn;
  /** It may have more different values than are counted exactly. */
  readonly isMany: boolean;
  /** As far as the questions about all columns tell it. */
  readonly profile: ColumnProfile;
}

async function withValues(
  connection: DuckDBConnection,
  subject: ProfileSubject,
  { column, isMany, profile }: Measured,
): Promise<ColumnProfile> {
  if (isScaled(column)) return profile;
  if (!isMany) return groupedProfile(connection, subject, column, profile);
  return { ...profile, topValues: await sampledTop(connection, subject, column) };
}

function isScaled({ type }: TableColumn): boolean {
  return isNumeric(type) || type === 'time';
}

/** How many different values each column may have. A table's own statistics know it for nothing. */
async function estimatesOf(connection: DuckDBConnection, subject: ProfileSubject): Promise<readonly number[]> {
  const { relation, isTable, columns } = subject;
  if (isTable) {
    const kept = columns.map(({ physical }) => `stats(${physical})`).join(', ');
    const [row] = await read(connection, `SELECT ${kept} FROM ${relation} LIMIT 1`);
    const known = row?.map((text) => /\[Approx Unique: (\d+)\]/.exec(String(text))?.[1]);
    if (known?.every((digits) => digits !== undefined)) return known.map(Number);
  }
  const counted = columns.map(({ physical }) => `approx_count_distinct(${physical})`).join(', ');
  const [row] = await read(connection, `SELECT ${counted} FROM ${relation}`);
  return row?.map(Number) ?? [];
}

/**
 * Several questions, because a table answers the first, asked alone, from what it knows about its parts without reading them, and means
 * and different values are found in different ways.
 */
async function figuresOf(
  connection: DuckDBConnection,
  { relation, columns }: ProfileSubject,
  estimates: readonly number[],
): Promise<{ readonly rows: number; readonly measured: readonly Measured[] }> {
  const isMany = (index: number): boolean => (estimates[index] ?? 0) > EXACT_UP_TO;
  const bounds = columns.flatMap((column, index) => boundList(column, isMany(index)));
  const [bound = []] = await read(connection, `SELECT count(*), ${bounds.join(', ')} FROM ${relation}`);
  const differ: number[] = [];
  for (const [index, column] of columns.entries())
    differ.push(await distinctIn(connection, relation, { column, isMany: isMany(index) }));
  const averages = columns.map(({ physical, type }) => (isNumeric(type) ? `avg(${physical})` : 'NULL'));
  const [means = []] = await read(connection, `SELECT ${averages.join(', ')} FROM ${relation}`);
  const rows = Number(bound[0] ?? 0);
  const measured = columns.map((column, index): Measured => {
    const [present, min = null, max = null] = bound.slice(1 + index * 3, 4 + index * 3);
    const mean = typeof means[index] === 'number' ? means[index] : null;
    const counts = { nulls: rows - Number(present), distinct: differ[index] ?? 0 };
    const profile = { name: column.name, type: column.type, ...counts, min, max, mean, topValues: [] };
    return { column, isMany: isMany(index), profile };
  });
  return { rows, measured };
}

/** Present, least and most. What is null here the query of a grouped column gives. */
function boundList(column: TableColumn, many: boolean): readonly string[] {
  const { physical } = column;
  const present = `count(${physical})`;
  if (isScaled(column)) return [present, `min(${physical})`, `max(${physical})`];
  if (!many) return [present, 'NULL', 'NULL'];
  return [present, `left(min(${physical}), ${LONGEST_VALUE})`, `left(max(${physical}), ${LONGEST_VALUE})`];
}

/** Column by column: counted together, they take half as long again. What is not counted here the query of a grouped column gives. */
async function distinctIn(
  connection: DuckDBConnection,
  relation: string,
  { column, isMany }: { readonly column: TableColumn; readonly isMany: boolean },
): Promise<number> {
  if (!isMany && !isScaled(column)) return 0;
  const counted = isMany ? `approx_count_distinct(${column.physical})` : `count(DISTINCT ${column.physical})`;
  const [row] = await read(connection, `SELECT ${counted} FROM ${relation}`);
  return Number(row?.[0] ?? 0);
}

/** Everything about a column of texts or booleans with few values comes from the list of its values. */
async function groupedProfile(
  connection: DuckDBConnection,
  { relation }: ProfileSubject,
  { physical, type }: TableColumn,
  profile: ColumnProfile,
): Promise<ColumnProfile> {
  const value = `CAST(${physical} AS VARCHAR)`;
  await connection.run(`CREATE OR REPLACE TEMP TABLE profiled AS
    SELECT ${value} AS value, count(*) AS n FROM ${relation} WHERE ${physical} IS NOT NULL GROUP BY ALL`);
  const [all] = await read(
    connection,
    `SELECT count(*), left(min(value), ${LONGEST_VALUE}), left(max(value), ${LONGEST_VALUE}) FROM profiled`,
  );
  const top = await read(connection, `SELECT value, n FROM profiled ${MOST_FREQUENT}`);
  await connection.run('DROP TABLE temp.profiled');
  const bounds = { min: boundOf(all?.[1], type), max: boundOf(all?.[2], type) };
  return { ...profile, distinct: Number(all?.[0] ?? 0), ...bounds, topValues: top.map(topValue) };
}

const MOST_FREQUENT = `WHERE length(value) <= ${LONGEST_VALUE} ORDER BY n DESC, value LIMIT ${MOST_VALUES}`;

/** With very many values: those that are frequent in a sample, counted in the whole. */
async function sampledTop(
  connection: DuckDBConnection,
  { relation }: ProfileSubject,
  { physical }: TableColumn,
): Promise<ColumnProfile['topValues']> {
  const sample = `SELECT ${physical} AS value FROM ${relation} USING SAMPLE reservoir(${SAMPLE_ROWS} ROWS) REPEATABLE (1)`;
  const frequent = `SELECT value FROM (SELECT value, count(*) AS n FROM (${sample}) GROUP BY value) ${MOST_FREQUENT}`;
  const counted = `SELECT ${physical} AS value, count(*) AS n FROM ${relation} WHERE ${physical} IN (${frequent}) GROUP BY ALL`;
  return (await read(connection, `SELECT value, n FROM (${counted}) ${MOST_FREQUENT}`)).map(topValue);
}

function boundOf(text: JsonPrimitive | undefined, type: string): JsonPrimitive {
  if (text === undefined || text === null) return null;
  return type === 'boolean' ? text === 'true' : text;
}

function topValue([value, count]: readonly JsonPrimitive[]): { readonly value: string; readonly count: number } {
  return { value: String(value), count: Number(count) };
}

async function read(connection: DuckDBConnection, sql: string): Promise<readonly (readonly JsonPrimitive[])[]> {
  return (await valuesOf(connection, sql)).map((row) => row.map(cellFrom));
}
