import { Injectable } from '@nestjs/common';
import { DATASOURCES } from './datasource.schema.js';
import { Clock } from '../../ports/clock.js';
import { IdSource } from '../../ports/id-source.js';
import { NEWEST_FIRST } from '../../ports/tenant-repository.js';
import { AppError } from '../../shared/app-error.js';
import type { DatasourceId } from '../../shared/ids.js';
import type { Page, PageOf } from '../../shared/page.js';
import { assertMayManage, type Principal } from '../../shared/principal.js';
import { said } from '../../shared/said.js';
import { completeConfig } from './datasource-config.js';
import { DatasourceWork } from './datasource-work.js';
import { DatasourceRepository } from './datasource.repository.js';
import type { ColumnChange, Datasource, DatasourceDraft, ImportState, SourceFile } from './datasource.types.js';
import { changedTable, nameIn, unite, type UnitedTable } from './united-table.js';
import { chosenFiles, hasRows } from './upload/described-file.js';
import { UploadService, type ReceivedUpload } from './upload/upload.service.js';

export const PENDING: ImportState = {
  status: 'pending',
  rows: 0,
  rejected: 0,
  rejectedSample: [],
  added: null,
  replaced: null,
  percent: null,
  error: null,
  startedAt: null,
  finishedAt: null,
  attempts: 0,
};

/** Makes, lists, edits and deletes datasources. Their rows are the import's business. */
@Injectable()
export class DatasourceService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly uploads: UploadService,
    private readonly work: DatasourceWork,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** Records the datasource as updating and leaves the rows to the import job. */
  async create(by: Principal, draft: DatasourceDraft): Promise<DatasourceId> {
    const received = await this.uploads.open(by.companyId, draft.filename);
    const datasource = this.recordOf(by, draft, received);
    // First the upload, so that two creations can't both have it; an upload taken for nothing is swept with its file.
    await this.uploads.take(by.companyId, draft.filename);
    await this.datasources.insert(datasource);
    await this.work.ask('datasource.import', datasource);
    return datasource.id;
  }

  get(by: Principal, id: DatasourceId): Promise<Datasource> {
    return this.datasources.get(by.companyId, id);
  }

  /** Newest first. `search` is a part of the name, upper and lower case alike. */
  list(by: Principal, page: Page, search = ''): Promise<PageOf<Datasource>> {
    const where = { deletedAt: null, ...(search === '' ? {} : { name: { contains: search } }) };
    return this.datasources.pageOf(by.companyId, where, page, NEWEST_FIRST);
  }

  /**
   * Replaces only what is edited, so that two edits, or an edit and an import, can't undo one another: the rest of `config` belongs to the
   * file, and an import does not write it.
   *
   * @throws AppError `invalid_input` when there is nothing to change.
   */
  async edit(
    by: Principal,
    id: DatasourceId,
    { name, context }: { readonly name?: string; readonly context?: string },
  ): Promise<Datasource> {
    if (name == null && context == null) throw new AppError('invalid_input', 'send a name or a context to change');
    for (;;) {
      const seen = await this.get(by, id);
      const { filename } = seen;
      const config = context == null ? null : { ...seen.config, context };
      const set = said({ name, config, updatedAt: this.clock.now() });
      const edited = await this.datasources.swap(seen, { filename, deletedAt: null }, set);
      // Null: it is gone, or was fetched again at this moment, and with that has other columns.
      if (edited !== null) return edited;
    }
  }

  /** Puts it into the bin. When it is `permanent`, what belongs to it is removed in the background. An import that runs is cancelled. */
  async delete(by: Principal, id: DatasourceId, permanent = false): Promise<void> {
    const seen = await this.get(by, id);
    assertMayManage(by, seen);
    const at = this.clock.now();
    const deleted = await this.datasources.hide(seen, {}, { at, permanent });
    if (deleted === null) throw this.datasources.missing();
    await this.work.end(deleted, at);
  }

  private recordOf(by: Principal, draft: DatasourceDraft, received: ReceivedUpload): Datasource {
    const now = this.clock.now();
    const { upload } = received;
    const config = inNewNames(draft.config, draft.config.changes ?? []);
    return {
      ...DATASOURCES.blank,
      id: this.ids.next(),
      companyId: by.companyId,
      createdBy: by.userId,
      name: draft.name,
      type: draft.type,
      loadedFiles: [],
      ...readingOf(received, draft.files, config),
      place: upload.place,
      placeFiles: draft.files,
      fetches: [],
      assets: [],
      docCount: 0,
      updating: true,
      generation: 0,
      import: PENDING,
      insertions: 0,
      createdAt: now,
      updatedAt: now,
    };
  }
}

/** How files become the rows of a datasource. */
export type Reading = Pick<Datasource, 'filename' | 'fileBytes' | 'sources' | 'config'>;

/**
 * How the files of an upload become the rows of a datasource. The config names columns as they are called from then on.
 *
 * @throws AppError `invalid_input` naming what does not fit.
 */
export function readingOf(
  { upload, files }: ReceivedUpload,
  chosen: readonly string[],
  config: DatasourceDraft['config'],
): Reading {
  const table = changedTable(unite(chosenFiles(files, chosen)), config.changes ?? []);
  return {
    filename: upload.storageKey,
    fileBytes: upload.fileBytes,
    sources: sourcesOf(table),
    config: completeConfig(config, table),
  };
}

/** A caller calls columns as the header does. */
function inNewNames(config: DatasourceDraft['config'], changes: readonly ColumnChange[]): DatasourceDraft['config'] {
  return {
    ...config,
    timeField: nameIn(changes, config.timeField),
    metaField: nameIn(changes, config.metaField),
    values: config.values.map((name) => nameIn(changes, name)),
  };
}

/** With the types that the columns have in the table. */
export function sourcesOf({ files, columns }: UnitedTable): readonly SourceFile[] {
  const known = new Map(columns.map((column) => [column.name, column]));
  return files.map((file) => ({
    name: file.name,
    dialect: file.dialect,
    columns: file.columns,
    types: hasRows(file) ? file.columns.map((name) => known.get(name)?.type ?? 'text') : [],
    timeFormats: hasRows(file) ? file.columns.map((name) => known.get(name)?.timeFormat ?? null) : [],
  }));
}
