import type { TableProfile } from '../../../ports/table.js';
import { type AppError, invalidField, isAppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { formatOfMore, shortList, shortName } from '../datasource-config.js';
import { sourcesOf } from '../datasource.service.js';
import type { Append, ColumnChange, Datasource } from '../datasource.types.js';
import { nameIn, unite, withNewNames, type UnitedTable } from '../united-table.js';
import { hasRows, type DescribedFile } from '../upload/described-file.js';

/** What a caller asks for. */
export interface AppendDraft {
  readonly datasourceId: DatasourceId;
  readonly filename: string;
  readonly files: readonly string[];
  /** Columns of the file by columns of the datasource; null: not taken. */
  readonly mapping: readonly { readonly column: string; readonly to: string | null }[];
  readonly keys: readonly string[];
  readonly timeFormat: string;
}

export interface AppendPlan extends Omit<Append, 'filename' | 'fileBytes'> {
  readonly ignored: readonly string[];
  readonly missing: readonly string[];
}

/**
 * How the files become rows of the datasource.
 *
 * @throws AppError `invalid_input` naming what does not fit.
 */
export function appendPlan(
  { config }: Pick<Datasource, 'config'>,
  profile: TableProfile,
  files: readonly DescribedFile[],
  draft: AppendDraft,
): AppendPlan {
  const own = unite(files);
  const names = profile.columns
    .map(({ name }) => name)
    .filter((name) => config.isTimeseries || name !== config.timeField);
  const changes = changesOf(own, names, draft.mapping, config.changes ?? []);
  const table: UnitedTable = {
    files: own.files.map((file) => withNewNames(file, changes)),
    columns: own.columns.map((column) => ({ ...column, name: nameIn(changes, column.name) })),
  };
  const keys = [...new Set(draft.keys)];
  assertHas(table, 'metafield', config.metaField);
  if (config.isTimeseries) assertHas(table, 'timefield', config.timeField);
  for (const key of keys) {
    if (!names.includes(key))
      throw problem('keys', `"${shown(key)}" is no column of the datasource: ${shortList(names)}`);
    assertHas(table, 'keys', key);
  }
  return {
    sources: sourcesOf(table),
    changes,
    keys,
    timeFormat: config.isTimeseries ? timeFormatOf(draft, config, table) : '',
    ignored: changes.flatMap(({ column, name }) => (name === '' ? column : [])),
    missing: names.filter((name) => !changes.some((change) => change.name === name)),
  };
}

function changesOf(
  { columns }: UnitedTable,
  names: readonly string[],
  mapping: AppendDraft['mapping'],
  before: readonly ColumnChange[],
): readonly ColumnChange[] {
  const find = (name: string): string | undefined =>
    names.find((one) => one === name) ?? names.find((one) => one.toLowerCase() === name.toLowerCase());
  const said = new Map(mapping.map(({ column, to }) => [column, to]));
  if (said.size < mapping.length) throw problem('mapping', 'has a column twice');
  for (const [column, to] of said) {
    if (!columns.some(({ name }) => name === column)) {
      const own = shortList(columns.map(({ name }) => name));
      throw problem('mapping', `"${shown(column)}" is no column of the file: ${own}`);
    }
    if (to !== null && !names.includes(to))
      throw problem('mapping', `"${shown(to)}" is no column of the datasource: ${shortList(names)}`);
  }
  const changes = columns.map(({ name: column }) => {
    // What was renamed at the creation is renamed again.
    const to = said.has(column) ? said.get(column) : (find(nameIn(before, column)) ?? find(column));
    return { column, name: to ?? '', type: null };
  });
  const twice = changes.find(({ name }, at) => name !== '' && changes.findIndex((one) => one.name === name) !== at);
  if (twice === undefined) return changes;
  throw problem(
    'mapping',
    `two columns of the file would be "${shown(twice.name)}": say of one of them that it is not taken`,
  );
}

function assertHas({ files }: UnitedTable, field: string, name: string): void {
  const lacking = files.find((file) => hasRows(file) && !file.columns.includes(name));
  if (lacking === undefined) return;
  const where = files.length === 1 ? 'the file' : `the file ${shortName(lacking)}`;
  throw problem(field, `${where} has no column for "${shown(name)}": say in mapping which one it is`);
}

function timeFormatOf({ timeFormat }: AppendDraft, config: Datasource['config'], table: UnitedTable): string {
  try {
    return formatOfMore(timeFormat, config.timeFormat, config.timeField, table);
  } catch (error) {
    // The body of this call has no config.
    throw isAppError(error, 'invalid_input')
      ? problem('timeformat', error.message.replace('config.timeformat ', ''))
      : error;
  }
}

function problem(field: string, what: string): AppError {
  return invalidField(field, `${field}: ${what}`);
}

const LONGEST_SHOWN = 60;

function shown(name: string): string {
  return name.slice(0, LONGEST_SHOWN);
}
