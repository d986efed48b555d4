import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRemover } from '../import/datasource-remover.js';
import { SEMANTICS, type SemanticsVersion } from './semantics.schema.js';

const KEPT_VERSIONS = 20;

@Injectable()
export class SemanticsRepository extends TenantRepository<SemanticsVersion> {
  constructor(store: DocumentStore, remover: DatasourceRemover) {
    super(store, SEMANTICS);
    remover.alsoRemove((companyId, id) => this.removeOf(companyId, id));
  }

  /** The one that counts, or an older one; null when there is none. */
  of(companyId: CompanyId, datasourceId: DatasourceId, version?: number): Promise<SemanticsVersion | null> {
    const where = { datasourceId, ...(version === undefined ? {} : { version }) };
    return this.first(companyId, where, [['version', 'desc']]);
  }

  /** The last 20 are kept. @throws AppError `conflict` when somebody else has written this version. */
  override async insert(written: SemanticsVersion): Promise<void> {
    await super.insert(written);
    const { companyId, datasourceId, version } = written;
    await this.removeWhere(companyId, { datasourceId, version: { lte: version - KEPT_VERSIONS } });
  }

  removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    return this.removeWhere(companyId, { datasourceId });
  }
}
