import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import { onKind } from '../../../shared/app-error.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { DatasourceRemover } from '../import/datasource-remover.js';
import { type Relation, RELATIONS } from './relation.schema.js';

@Injectable()
export class RelationsRepository extends TenantRepository<Relation> {
  constructor(store: DocumentStore, remover: DatasourceRemover) {
    super(store, RELATIONS, 'relation');
    remover.alsoRemove((companyId, id) => this.removeOf(companyId, id));
  }

  /** Newest first; of a datasource, those on both sides of it. */
  async list(companyId: CompanyId, datasourceId: DatasourceId | null): Promise<readonly Relation[]> {
    const sides = datasourceId === null ? [{}] : [{ leftId: datasourceId }, { rightId: datasourceId }];
    const found = await Promise.all(sides.map((where) => this.allWhere(companyId, where)));
    return found.flat().sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1));
  }

  /** Those that are confirmed, and have both ends among the datasources. */
  confirmedAmong(companyId: CompanyId, ids: readonly DatasourceId[]): Promise<readonly Relation[]> {
    const among = { leftId: { in: ids }, rightId: { in: ids }, state: 'confirmed' };
    return this.allWhere(companyId, among, { sort: [['id', 'asc']] });
  }

  /** What is there already is measured anew, and stays as it was decided. */
  async keep(relation: Relation): Promise<Relation> {
    const { measure, measuredAt } = relation;
    const inserted = await this.insert(relation).then(
      () => relation,
      onKind('conflict', () => null),
    );
    return inserted ?? (await this.swap(relation, {}, { measure, measuredAt })) ?? this.keep(relation);
  }

  async removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    await this.removeWhere(companyId, { leftId: datasourceId });
    await this.removeWhere(companyId, { rightId: datasourceId });
  }
}
