import { Injectable } from '@nestjs/common';
import { DocumentStore } from '../../../ports/document-store.js';
import { repositoryOf, TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { type Evaluation, EVALUATION_SCHEDULES, EVALUATIONS } from './evaluation.schema.js';

const KEPT = 20;
export const UNENDED = { state: { in: ['waiting', 'running'] } } as const;

class EvaluationSchedules extends repositoryOf(EVALUATION_SCHEDULES) {}

/** Evaluations and their schedules. */
@Injectable()
export class EvaluationRepository extends TenantRepository<Evaluation> {
  readonly schedules: EvaluationSchedules;

  constructor(store: DocumentStore) {
    super(store, EVALUATIONS, 'evaluation');
    this.schedules = new EvaluationSchedules(store);
  }

  /** Newest first; the last 20 are kept. */
  of(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly Evaluation[]> {
    return this.allWhere(companyId, { datasourceId }, { sort: [['id', 'desc']], limit: KEPT });
  }

  override async insert(run: Evaluation): Promise<void> {
    const { companyId, datasourceId } = run;
    await super.insert(run);
    const all = await this.allWhere(companyId, { datasourceId }, { sort: [['id', 'desc']], skip: KEPT });
    if (all.length > 0) await this.removeWhere(companyId, { id: { in: all.map(({ id }) => id) } });
  }
}
