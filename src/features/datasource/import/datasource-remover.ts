import { Injectable } from '@nestjs/common';
import { ObjectStore } from '../../../ports/object-store.js';
import { RowEngine } from '../../../ports/row-engine.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { RelationsRepository } from '../relations/relations.repository.js';
import { SemanticsRepository } from '../semantics/semantics.repository.js';
import { uploadKey } from '../upload/upload-files.js';

/** Removes what hangs on a datasource; it may be called again until it succeeds. */
export type RemoveDependents = (companyId: CompanyId, datasourceId: DatasourceId) => Promise<void>;

/** Removes a deleted datasource's rows, file and dependents, and its record last, so that an interrupted removal is found again. */
@Injectable()
export class DatasourceRemover {
  private readonly dependents: RemoveDependents[] = [];

  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly rows: RowEngine,
    private readonly objects: ObjectStore,
    private readonly semantics: SemanticsRepository,
    private readonly relations: RelationsRepository,
  ) {}

  /** Other features say what they hold of datasources. */
  alsoRemove(dependents: RemoveDependents): void {
    this.dependents.push(dependents);
  }

  async run(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    const datasource = await this.datasources.findDeleted(companyId, datasourceId);
    if (datasource === null) return;
    for (const remove of this.dependents) await remove(companyId, datasourceId);
    await this.semantics.removeOf(companyId, datasourceId);
    await this.relations.removeOf(companyId, datasourceId);
    await this.rows.remove(companyId, datasourceId);
    for (const filename of [datasource.filename, datasource.append?.filename])
      if (filename !== undefined) await this.objects.remove(uploadKey(companyId, filename));
    await this.datasources.removeDeleted(datasource);
  }
}
