import type { PlanColumn } from '../plan/plan-columns.js';
import { type ColumnType, isNumeric, type TableRelation } from '../ports/table.js';
import { AppError } from '../shared/app-error.js';
import { quotedName } from './sql-text.js';

/** An expression for a key column, and what it holds. */
interface Key {
  readonly sql: string;
  readonly type: ColumnType;
}

/** Types of columns, by the names that statements know them by. */
export type ColumnTypes = ReadonlyMap<string, ColumnType>;

export function typesOf(columns: readonly PlanColumn[]): ColumnTypes {
  return new Map(columns.map(({ visible, type }) => [visible, type]));
}

/** How a text is read where it is compared with another type: `007` is the number 7. What can't be read equals nothing. */
const READ_AS: Readonly<Record<Exclude<ColumnType, 'text'>, string>> = {
  // Exact, also beyond 2^53.
  integer: 'DECIMAL(38, 9)',
  number: 'DOUBLE',
  time: 'TIMESTAMP',
  boolean: 'BOOLEAN',
};

function comparable(left: Key, right: Key): readonly [string, string] {
  const types = [left.type, right.type];
  if (left.type !== right.type && !types.includes('text') && !types.every(isNumeric))
    throw new AppError('invalid_input', `a ${left.type} column can't be joined with a ${right.type} column`);
  return [read(left, right.type), read(right, left.type)];
}

function read({ sql, type }: Key, other: ColumnType): string {
  return type === 'text' && other !== 'text' ? `TRY_CAST(${sql} AS ${READ_AS[other]})` : sql;
}

/** The pairs of expressions that are equal where rows belong together. @throws AppError `invalid_input` when a column is unknown. */
function keysOf(
  { left, right, on }: TableRelation,
  columns: (table: string) => ColumnTypes,
): readonly (readonly [string, string])[] {
  const key = (table: string, column: string): Key => {
    const type = columns(table).get(column);
    if (type === undefined) throw new AppError('invalid_input', `there is no column "${column}" to join by any more`);
    return { sql: `${nameOf(table)}.${quotedName(column)}`, type };
  };
  return on.map(([one, other]) => comparable(key(left, one), key(right, other)));
}

export function joinCondition(relation: TableRelation, columns: (table: string) => ColumnTypes): string {
  return keysOf(relation, columns)
    .map(([left, right]) => `${left} = ${right}`)
    .join(' AND ');
}

/** Counts what a join along a relation makes of the left table's rows: those rows, all rows, rows to which none belongs. */
export function joinCountSql(relation: TableRelation, columns: (table: string) => ColumnTypes): string {
  const keys = keysOf(relation, columns);
  const grouped = keys.map(([, right], at) => `${right} AS k${at}`).join(', ');
  const equal = keys.map(([left], at) => `${left} = k${at}`).join(' AND ');
  return `WITH counted AS (SELECT ${grouped}, count(*) AS n FROM ${nameOf(relation.right)} GROUP BY ALL)
    SELECT count(*), coalesce(sum(coalesce(n, 1)), 0), count(*) - count(n) FROM ${nameOf(relation.left)} LEFT JOIN counted ON ${equal}`;
}

const SHOWN_KEYS = 5;

/**
 * Measures how two tables pair. One row: of the left table rows, keys, rows of the commonest key, rows with a partner; the same of the right;
 * keys that both have; some of them, and some of the left table that the right one lacks, as JSON.
 */
export function joinMeasureSql(relation: TableRelation, columns: (table: string) => ColumnTypes): string {
  const keys = keysOf(relation, columns);
  const [left, right] = [nameOf(relation.left), nameOf(relation.right)];
  const grouped = (table: string, side: 0 | 1): string =>
    `SELECT ${keys.map((key, at) => `${key[side]} AS k${at}`).join(', ')}, count(*) AS n FROM ${table}
     WHERE ${keys.map((key) => `${key[side]} IS NOT NULL`).join(' AND ')} GROUP BY ALL`;
  const equal = keys.map((_, at) => `l.k${at} = r.k${at}`).join(' AND ');
  const shown = `concat_ws(' · ', ${keys.map((_, at) => `CAST(l.k${at} AS VARCHAR)`).join(', ')})`;
  const side = (table: string, groups: string, paired: string): string =>
    `(SELECT count(*) FROM ${table}), (SELECT count(*) FROM ${groups}), (SELECT coalesce(max(n), 0) FROM ${groups}), (SELECT coalesce(sum(${paired}), 0) FROM pairs)`;
  const some = (from: string): string =>
    `(SELECT CAST(to_json(list(shown)) AS VARCHAR) FROM (SELECT ${shown} AS shown FROM ${from} ORDER BY l.n DESC, shown LIMIT ${SHOWN_KEYS}))`;
  return `WITH l AS (${grouped(left, 0)}), r AS (${grouped(right, 1)}),
    pairs AS (SELECT l.n AS left_rows, r.n AS right_rows FROM l JOIN r ON ${equal})
    SELECT ${side(left, 'l', 'left_rows')}, ${side(right, 'r', 'right_rows')}, (SELECT count(*) FROM pairs),
      ${some(`l JOIN r ON ${equal}`)}, ${some(`l ANTI JOIN r ON ${equal}`)}`;
}

/** The main table's name needs no quotes. */
export function nameOf(table: string): string {
  return /^[a-z][a-z0-9_]*$/.test(table) ? table : quotedName(table);
}
