import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import type { DatasourceId } from '../../../shared/ids.js';
import type { Principal } from '../../../shared/principal.js';
import { readyTable } from '../visible-table.js';
import { comesFromPlace, isUpdating } from '../datasource.errors.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { DatasourceService, PENDING } from '../datasource.service.js';
import { DatasourceWork } from '../datasource-work.js';
import { chosenFiles } from '../upload/described-file.js';
import { UploadService } from '../upload/upload.service.js';
import { type AppendDraft, appendPlan } from './append-plan.js';

export interface BegunAppend {
  readonly id: DatasourceId;
  /** Columns of the file that are not taken. */
  readonly ignored: readonly string[];
  /** Columns of the datasource that the file does not have. */
  readonly missing: readonly string[];
  readonly timeFormat: string;
}

/** Adds further files to datasources: the import job does the work. */
@Injectable()
export class AppendService {
  constructor(
    private readonly datasources: DatasourceService,
    private readonly records: DatasourceRepository,
    private readonly uploads: UploadService,
    private readonly work: DatasourceWork,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `conflict` while the datasource is updating, when it has no rows, or when they are fetched from a place; `not_found`, `invalid_input` naming what of the file does
   *   not fit.
   */
  async begin(by: Principal, draft: AppendDraft): Promise<BegunAppend> {
    const seen = await this.datasources.get(by, draft.datasourceId);
    if ((seen.place ?? null) !== null) throw comesFromPlace();
    const { profile } = readyTable(seen, this.clock.now());
    const { upload, files } = await this.uploads.open(by.companyId, draft.filename);
    const { ignored, missing, ...plan } = appendPlan(seen, profile, chosenFiles(files, draft.files), draft);
    // First the upload, so that two can't both have it.
    await this.uploads.take(by.companyId, draft.filename);
    const append = { filename: upload.storageKey, fileBytes: upload.fileBytes, ...plan };
    const set = { append, import: PENDING, updating: true, ...NO_LEASE, updatedAt: this.clock.now() };
    const begun = await this.records.changeRows(seen, { set });
    if (begun === null) {
      await this.uploads.putBack(upload);
      throw isUpdating();
    }
    await this.work.ask('datasource.import', begun);
    return { id: seen.id, ignored, missing, timeFormat: plan.timeFormat };
  }
}
