import type { LoadColumn } from '../../ports/row-engine.js';
import { isNumeric } from '../../ports/table.js';
import { configProblem } from './datasource.errors.js';
import { type ColumnChange, unitsOf, withUnits } from './datasource.types.js';
import { hasRows, type DescribedFile } from './upload/described-file.js';

/** The one table that all files of an upload make. */
export interface UnitedTable {
  /** In archive order; a column that several have is spelled alike in all. */
  readonly files: readonly DescribedFile[];
  /** Those of the files that have rows, in the order in which they first appear. */
  readonly columns: readonly LoadColumn[];
}

/**
 * Unites the files by column name, upper and lower case alike; the first spelling counts. A column takes the widest of its types; a file in which it is
 * empty, or that has no rows, has no say. Numbers of several units are texts.
 */
export function unite(files: readonly DescribedFile[]): UnitedTable {
  const spellings = new Map<string, string>();
  for (const name of files.flatMap(({ columns }) => columns)) {
    const key = name.toLowerCase();
    if (!spellings.has(key)) spellings.set(key, name);
  }
  const alike = files.map((file) => ({
    ...file,
    columns: file.columns.map((name) => spellings.get(name.toLowerCase()) ?? name),
  }));
  const units = unitsOf(alike);
  return { files: alike.map((file) => withUnits(file, units)), columns: columnsOf(alike.filter(hasRows), units) };
}

/**
 * The table with the names and types that were asked for.
 *
 * @throws AppError `invalid_input` when a column is unknown or changed twice, a name is taken, or a column without numbers is to be used as a figure.
 */
export function changedTable({ files, columns }: UnitedTable, changes: readonly ColumnChange[]): UnitedTable {
  const known = new Set(columns.map(({ name }) => name));
  const unknown = changes.find(({ column }) => !known.has(column));
  if (unknown !== undefined) throw configProblem('column_changes', `has ${unknown.column}, which is no column`);
  if (new Set(changes.map(({ column }) => column)).size < changes.length) {
    throw configProblem('column_changes', 'has a column twice');
  }
  const roles = new Set(changes.flatMap(({ column, role }) => (role === undefined ? [] : [column])));
  const typeOf = new Map(changes.map(({ column, type }) => [column, type]));
  const unusable = columns.find(({ name, type }) => roles.has(name) && !isNumeric(typeOf.get(name) ?? type));
  if (unusable !== undefined)
    throw configProblem('column_changes', `says how ${unusable.name} is used, which has no numbers`);
  const taken = twice(columns.map(({ name }) => nameIn(changes, name)));
  if (taken !== undefined) throw configProblem('column_changes', `gives two columns the name ${taken}`);
  const typed = columns.map((column) => ({ ...column, type: typeOf.get(column.name) ?? column.type }));
  return renamedTable({ files, columns: typed }, changes);
}

export function renamedTable({ files, columns }: UnitedTable, changes: readonly ColumnChange[]): UnitedTable {
  return {
    files: files.map((file) => withNewNames(file, changes)),
    columns: columns.map((column) => ({ ...column, name: nameIn(changes, column.name) })),
  };
}

/** What a column of a file is called in the table, upper and lower case alike. */
export function nameIn(changes: readonly ColumnChange[], column: string): string {
  return changes.find((change) => change.column.toLowerCase() === column.toLowerCase())?.name ?? column;
}

export function withNewNames<T extends { readonly columns: readonly string[] }>(
  file: T,
  changes: readonly ColumnChange[],
): T {
  return changes.length === 0 ? file : { ...file, columns: file.columns.map((column) => nameIn(changes, column)) };
}

function twice(names: readonly string[]): string | undefined {
  const keys = names.map((name) => name.toLowerCase());
  return names.find((_, index) => keys.indexOf(keys[index] ?? '') !== index);
}

function columnsOf(files: readonly DescribedFile[], units: ReadonlyMap<string, string>): readonly LoadColumn[] {
  const found = new Map<string, SeenType | null>();
  for (const { columns, types, timeFormats, known } of files) {
    for (const [index, name] of columns.entries()) {
      const seen = { type: types[index] ?? 'text', timeFormat: timeFormats[index] ?? undefined };
      found.set(name, wider(found.get(name) ?? null, known[index] === true ? seen : null));
    }
  }
  return [...found].map(([name, seen]) => ({ name, ...(units.get(name) === '' ? TEXT : (seen ?? TEXT)) }));
}

type SeenType = Pick<LoadColumn, 'type' | 'timeFormat'>;

const TEXT: SeenType = { type: 'text' };

/** The type that holds the values of both; null is that of no values. */
function wider(one: SeenType | null, other: SeenType | null): SeenType | null {
  if (one === null || other === null) return one ?? other;
  if (one.type === other.type && one.timeFormat === other.timeFormat) return one;
  return isNumeric(one.type) && isNumeric(other.type) ? { type: 'number' } : TEXT;
}
