import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { JobQueue } from '../../../ports/job-queue.js';
import type { DatasourceId } from '../../../shared/ids.js';
import { firstTurn, turnWhenSet } from '../../../shared/planned-turns.js';
import type { Principal } from '../../../shared/principal.js';
import { DatasourceReading } from '../../datasource/datasource-reading.facade.js';
import { CompanyModels } from '../../models/company-models.facade.js';
import { EvaluationFacade } from './evaluation.facade.js';
import { EvaluationRepository } from './evaluation.repository.js';
import type { Evaluation, EvaluationId, EvaluationSchedule } from './evaluation.schema.js';
import type { EvaluationRequest, ScheduleRequest } from './evaluation.wire.js';

/** Starts evaluations for managers, and shows what came of them. */
@Injectable()
export class EvaluationService {
  constructor(
    private readonly records: EvaluationFacade,
    private readonly evaluations: EvaluationRepository,
    private readonly reading: DatasourceReading,
    private readonly models: CompanyModels,
    private readonly jobs: JobQueue,
  ) {}

  /** @throws AppError `not_found`, `invalid_input` for a model or a description that can't be tried; `conflict` as the records do. */
  async start(by: Principal, { datasourceId, models, semantics }: EvaluationRequest): Promise<Evaluation> {
    const { companyId } = by;
    await this.reading.datasources.get(by, datasourceId);
    for (const model of models) if (model !== null) await this.models.evaluatedBy(companyId, model);
    const tried = semantics === null ? null : await this.reading.semantics.checked(by, datasourceId, semantics);
    const run = await this.records.start({ companyId, datasourceId, trigger: 'person', models, semantics: tried });
    await this.jobs.enqueue('evaluation.run', run.id, { companyId, runId: run.id });
    return run;
  }

  /** Newest first. */
  async list(by: Principal, id: DatasourceId): Promise<readonly Evaluation[]> {
    await this.reading.datasources.get(by, id);
    return this.evaluations.of(by.companyId, id);
  }

  get(by: Principal, id: EvaluationId): Promise<Evaluation> {
    return this.evaluations.get(by.companyId, id);
  }

  /** What was asked until then stays. Nothing happens when it has ended. */
  async stop(by: Principal, id: EvaluationId): Promise<Evaluation> {
    const run = await this.get(by, id);
    return (await this.records.stop(run)) ?? this.get(by, id);
  }
}

/** When evaluations run by themselves. */
@Injectable()
export class EvaluationScheduleService {
  constructor(
    private readonly evaluations: EvaluationRepository,
    private readonly reading: DatasourceReading,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** `null`: nobody has ever set it. */
  async get(by: Principal, id: DatasourceId): Promise<EvaluationSchedule | null> {
    await this.reading.datasources.get(by, id);
    return this.evaluations.schedules.first(by.companyId, { datasourceId: id });
  }

  async set(by: Principal, request: ScheduleRequest): Promise<EvaluationSchedule> {
    const { companyId } = by;
    const { datasourceId, interval, enabled } = request;
    const now = this.clock.now();
    const before = await this.get(by, datasourceId);
    if (before === null) {
      const nextRunAt = enabled ? firstTurn(now, interval) : null;
      const schedule = { id: this.ids.next<never>(), companyId, datasourceId, interval, enabled, nextRunAt };
      await this.evaluations.schedules.insertOnce(schedule);
      return (await this.get(by, datasourceId)) ?? schedule;
    }
    const nextRunAt = turnWhenSet(before.enabled ? before.interval : null, enabled ? interval : null, now);
    const set = { interval, enabled, ...(nextRunAt === undefined ? {} : { nextRunAt }) };
    return (await this.evaluations.schedules.swap(before, {}, set)) ?? before;
  }
}
