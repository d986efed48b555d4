import { Injectable } from '@nestjs/common';
import { DocumentStore, type TenantCollection } from '../../../ports/document-store.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRemover } from '../import/datasource-remover.js';
import { SEMANTICS, type SemanticsVersion } from './semantics.schema.js';

const KEPT_VERSIONS = 20;

@Injectable()
export class SemanticsRepository {
  private readonly collection: TenantCollection<SemanticsVersion>;

  constructor(store: DocumentStore, remover: DatasourceRemover) {
    this.collection = store.tenantCollection(SEMANTICS);
    remover.alsoRemove((companyId, id) => this.removeOf(companyId, id));
  }

  /** The one that counts, or an older one; null when there is none. */
  async find(companyId: CompanyId, datasourceId: DatasourceId, version?: number): Promise<SemanticsVersion | null> {
    const where = { datasourceId, ...(version === undefined ? {} : { version }) };
    const [found] = await this.collection.of(companyId).find(where, { sort: [['version', 'desc']], limit: 1 });
    return found ?? null;
  }

  /** The last 20 are kept. @throws AppError `conflict` when somebody else has written this version. */
  async insert(version: SemanticsVersion): Promise<void> {
    const own = this.collection.of(version.companyId);
    await own.insert(version);
    await own.remove({ datasourceId: version.datasourceId, version: { lte: version.version - KEPT_VERSIONS } });
  }

  async removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    await this.collection.of(companyId).remove({ datasourceId });
  }
}
