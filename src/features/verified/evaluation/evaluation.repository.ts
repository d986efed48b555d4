import { Injectable } from '@nestjs/common';
import { type Change, DocumentStore, type TenantCollection, type Where } from '../../../ports/document-store.js';
import { TenantRepository } from '../../../ports/tenant-repository.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import { type Evaluation, type EvaluationSchedule, EVALUATION_SCHEDULES, EVALUATIONS } from './evaluation.schema.js';

const KEPT = 20;
const UNENDED = ['waiting', 'running'] as const;
const DUE_AT_ONCE = 100;

/** Evaluations and their schedules. */
@Injectable()
export class EvaluationRepository extends TenantRepository<Evaluation> {
  private readonly schedules: TenantCollection<EvaluationSchedule>;

  constructor(store: DocumentStore) {
    super(store, EVALUATIONS);
    this.schedules = store.tenantCollection(EVALUATION_SCHEDULES);
  }

  /** Newest first; the last 20 are kept. */
  of(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly Evaluation[]> {
    return this.collection.of(companyId).find({ datasourceId }, { sort: [['id', 'desc']], limit: KEPT });
  }

  override async insert(run: Evaluation): Promise<void> {
    const own = this.collection.of(run.companyId);
    await super.insert(run);
    const all = await own.find({ datasourceId: run.datasourceId }, { sort: [['id', 'desc']], skip: KEPT });
    if (all.length > 0) await own.remove({ id: { in: all.map(({ id }) => id) } });
  }

  /** One that has not ended. */
  current(companyId: CompanyId, datasourceId: DatasourceId): Promise<Evaluation | null> {
    return this.first(companyId, { datasourceId, state: { in: UNENDED } });
  }

  /** Of all companies: what somebody has to work on. */
  allUnended(): Promise<readonly Evaluation[]> {
    return this.collection.ofAll().find({ state: { in: UNENDED } });
  }

  async schedule(companyId: CompanyId, datasourceId: DatasourceId): Promise<EvaluationSchedule | null> {
    const [found] = await this.schedules.of(companyId).find({ datasourceId }, { limit: 1 });
    return found ?? null;
  }

  insertSchedule(schedule: EvaluationSchedule): Promise<void> {
    return this.schedules.of(schedule.companyId).insert(schedule);
  }

  /** By compare-and-set; null: somebody else was faster. */
  swapSchedule(
    { companyId, id }: Pick<EvaluationSchedule, 'companyId' | 'id'>,
    expected: Where<EvaluationSchedule>,
    set: Change<EvaluationSchedule>['set'],
  ): Promise<EvaluationSchedule | null> {
    return this.schedules.of(companyId).update({ ...expected, id }, { set: set ?? {} });
  }

  /** Of all companies. */
  allDue(now: Date): Promise<readonly EvaluationSchedule[]> {
    return this.schedules.ofAll().find({ enabled: true, nextRunAt: { lte: now } }, { limit: DUE_AT_ONCE });
  }

  async removeOf(companyId: CompanyId, datasourceId: DatasourceId): Promise<void> {
    await this.collection.of(companyId).remove({ datasourceId });
    await this.schedules.of(companyId).remove({ datasourceId });
  }
}
