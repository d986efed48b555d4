import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { ownColumns, readyTable } from '../visible-table.js';
import { comesFromPlace, isUpdating } from '../datasource.errors.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { PENDING, sourcesOf } from '../datasource.service.js';
import { DatasourceWork } from '../datasource-work.js';
import { chosenFiles, type DescribedFile } from '../upload/described-file.js';
import { UploadService } from '../upload/upload.service.js';
import { type AppError, invalidField, isAppError } from '../../../shared/app-error.js';
import { fileWithout, formatOfMore, shortList } from '../datasource-config.js';
import { type Append, type ColumnChange, type Datasource, decimalOf } from '../datasource.types.js';
import { nameIn, renamedTable, unite, type UnitedTable } from '../united-table.js';

/** Adds further files to datasources: the import job does the work. */
@Injectable()
export class AppendService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly uploads: UploadService,
    private readonly work: DatasourceWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `conflict` while the datasource is updating, when it has no rows, or when they are fetched from a place; `not_found`, `invalid_input` naming what of the file does
   *   not fit.
   */
  async begin(by: Principal, draft: AppendDraft): Promise<AppendPlan> {
    const seen = await this.datasources.get(by.companyId, draft.datasourceId);
    if (seen.place !== null) throw comesFromPlace();
    readyTable(seen, this.clock.now());
    const { upload, files } = await this.uploads.open(by.companyId, draft.filename, decimalOf(seen.sources));
    const plan = appendPlan(seen, chosenFiles(files, draft.files), draft);
    const { sources, changes, keys, timeFormat } = plan;
    // First the upload, so that two can't both have it.
    await this.uploads.take(by.companyId, draft.filename);
    const { storageKey: filename, fileBytes } = upload;
    const append = { filename, fileBytes, sources, changes, keys, timeFormat };
    const set = { append, import: PENDING, updating: true, ...NO_LEASE, updatedAt: this.clock.now() };
    const begun = await this.datasources.changeRows(seen, { set });
    if (begun === null) {
      await this.uploads.putBack(upload);
      throw isUpdating();
    }
    await this.work.ask('datasource.import', begun);
    return plan;
  }
}

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
  /** Columns of the file that are not taken. */
  readonly ignoredColumns: readonly string[];
  /** Columns of the datasource that the file does not have. */
  readonly missingColumns: readonly string[];
}

/**
 * How the files become rows of the datasource.
 *
 * @throws AppError `invalid_input` naming what does not fit.
 */
function appendPlan(seen: Datasource, files: readonly DescribedFile[], draft: AppendDraft): AppendPlan {
  const { config } = seen;
  const own = unite(files);
  const names = ownColumns(seen);
  const changes = changesOf(own, names, draft.mapping, config.changes ?? []);
  const table = renamedTable(own, changes);
  const keys = [...new Set(draft.keys)];
  assertHas(table, 'metafield', config.metaField);
  if (config.isTimeseries) assertHas(table, 'timefield', config.timeField);
  for (const key of keys) {
    assertColumn('keys', key, 'datasource', names);
    assertHas(table, 'keys', key);
  }
  return {
    sources: sourcesOf(table),
    changes,
    keys,
    timeFormat: config.isTimeseries ? timeFormatOf(draft, config, table) : '',
    ignoredColumns: changes.flatMap(({ column, name }) => (name === '' ? column : [])),
    missingColumns: names.filter((name) => !changes.some((change) => change.name === name)),
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
  const own = columns.map(({ name }) => name);
  for (const [column, to] of said) {
    assertColumn('mapping', column, 'file', own);
    if (to !== null) assertColumn('mapping', to, 'datasource', names);
  }
  const changes = own.map((column) => {
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

function assertColumn(field: string, name: string, of: 'file' | 'datasource', names: readonly string[]): void {
  if (!names.includes(name)) throw problem(field, `"${shown(name)}" is no column of the ${of}: ${shortList(names)}`);
}

function assertHas(table: UnitedTable, field: string, name: string): void {
  const lacking = fileWithout(name, table);
  if (lacking === null) return;
  throw problem(field, `${lacking.called} has no column for "${shown(name)}": say in mapping which one it is`);
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

function shown(name: string): string {
  return name.slice(0, 60);
}
