import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { DocumentStore } from '../../../ports/document-store.js';
import { IdSource } from '../../../ports/id-source.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import { AppError } from '../../../shared/app-error.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { assertMayManage, type Principal } from '../../../shared/principal.js';
import { DatasourceRepository } from '../datasource.repository.js';
import { DatasourceRemover } from '../import/datasource-remover.js';
import { ANNOTATIONS, type Annotation, type AnnotationId } from './annotation.schema.js';

/** Of one datasource: more are no help to anybody. */
const MOST = 500;
const FULL = `a datasource has at most ${MOST} annotations: remove one first`;

export type AnnotationDraft = Pick<Annotation, 'datasourceId' | 'from' | 'to' | 'text'>;

@Injectable()
export class AnnotationRepository extends TenantRepository<Annotation> {
  constructor(store: DocumentStore, remover: DatasourceRemover) {
    super(store, ANNOTATIONS, 'annotation');
    remover.alsoRemove((companyId, datasourceId) => this.removeWhere(companyId, { datasourceId }));
  }
}

/** Notes on ranges of time, which all of a company sees. */
@Injectable()
export class AnnotationsService {
  constructor(
    private readonly datasources: DatasourceRepository,
    private readonly annotations: AnnotationRepository,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** By their beginning. @throws AppError `not_found` */
  async list(by: Principal, id: DatasourceId): Promise<readonly Annotation[]> {
    await this.datasources.get(by.companyId, id);
    return this.annotations.allWhere(by.companyId, { datasourceId: id }, { sort: [['from', 'asc']], limit: MOST });
  }

  /** @throws AppError `not_found`, `invalid_input` when it ends before it begins, `conflict` when there are 500. */
  async add(by: Principal, draft: AnnotationDraft): Promise<Annotation> {
    if (draft.to < draft.from) throw new AppError('invalid_input', 'to must not be before from');
    const { companyId, userId: createdBy } = by;
    const { datasourceId } = draft;
    await this.datasources.get(companyId, datasourceId);
    const annotation = {
      ...draft,
      id: this.ids.next<AnnotationId>(),
      companyId,
      createdBy,
      createdAt: this.clock.now(),
    };
    await this.annotations.insertWithin(companyId, { most: MOST, where: { datasourceId }, full: FULL }, [annotation]);
    await this.datasources.assertStillThere(companyId, datasourceId, () => this.annotations.remove(annotation));
    return annotation;
  }

  /** For who wrote it and managers. @throws AppError `not_found`, `forbidden` */
  async remove(by: Principal, id: AnnotationId): Promise<void> {
    const found = await this.annotations.get(by.companyId, id);
    assertMayManage(by, found);
    await this.annotations.remove(found);
  }
}
