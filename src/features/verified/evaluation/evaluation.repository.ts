import { Injectable } from '@nestjs/common';
import { type Change, DocumentStore, type TenantCollection, type Where } from '../../../ports/document-store.js';
import type { CompanyId, DatasourceId } from '../../../shared/ids.js';
import {
  type Evaluation,
  type EvaluationId,
  type EvaluationSchedule,
  EVALUATION_SCHEDULES,
  EVALUATIONS,
} from './evaluation.schema.js';

const KEPT = 20;
const UNENDED = ['waiting', 'running'] as const;
const DUE_AT_ONCE = 100;

type Name = Pick<Evaluation, 'companyId' | 'id'>;

/** Evaluations and their schedules. */
@Injectable()
export class EvaluationRepository {
  private readonly runs: TenantCollection<Evaluation>;
  private readonly schedules: TenantCollection<EvaluationSchedule>;

  constructor(store: DocumentStore) {
    this.runs = store.tenantCollection(EVALUATIONS);
    this.schedules = store.tenantCollection(EVALUATION_SCHEDULES);
  }

  find(companyId: CompanyId, id: EvaluationId): Promise<Evaluation | null> {
    return this.runs.of(companyId).get(id);
  }

  /** Newest first; the last 20 are kept. */
  of(companyId: CompanyId, datasourceId: DatasourceId): Promise<readonly Evaluation[]> {
    return this.runs.of(companyId).find({ datasourceId }, { sort: [['id', 'desc']], limit: KEPT });
  }

  async insert(run: Evaluation): Promise<void> {
    const own = this.runs.of(run.companyId);
    await own.insert(run);
    const all = await own.find({ datasourceId: run.datasourceId }, { sort: [['id', 'desc']], skip: KEPT });
    if (all.length > 0) await own.remove({ id: { in: all.map(({ id }) => id) } });
  }

  /** Changes the evaluation if it still is as expected; null: it is not, or it is gone. */
  swap(
    { companyId, id }: Name,
    expected: Where<Evaluation>,
    set: Change<Evaluation>['set'],
  ): Promise<Evaluation | null> {
    return this.runs.of(companyId).update({ ...expected, id }, { set: set ?? {} });
  }

  /** One that has not ended. */
  async current(companyId: CompanyId, datasourceId: DatasourceId): Promise<Evaluation | null> {
    const [found] = await this.runs.of(companyId).find({ datasourceId, state: { in: UNENDED } }, { limit: 1 });
    return found ?? null;
  }

  /** Of all companies: what somebody has to work on. */
  allUnended(): Promise<readonly Evaluation[]> {
    return this.runs.ofAll().find({ state: { in: UNENDED } });
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
    await this.runs.of(companyId).remove({ datasourceId });
    await this.schedules.of(companyId).remove({ datasourceId });
  }
}
