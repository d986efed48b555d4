import { Injectable } from '@nestjs/common';
import { NOT_DELETED } from '../../../ports/bin-repository.js';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import { NO_LEASE } from '../../../queue/lease-keeper.js';
import { AppError } from '../../../shared/app-error.js';
import { firstTurn } from '../../../shared/planned-turns.js';
import type { Principal } from '../../../shared/principal.js';
import { RecipientsFacade } from '../../deliveries/recipients.facade.js';
import { DatasourceFacade, type ReadableDatasource } from '../../datasource/datasource.facade.js';
import { assertCondition, assertInterval } from '../schedule/condition-rules.js';
import { TaskRepository } from './task.repository.js';
import { rhythmOf, type AgentTask, type ShownTask, type TaskDraft } from './task.types.js';

/** Makes tasks. They belong to the company: every user of it may. */
@Injectable()
export class TaskService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly datasources: DatasourceFacade,
    private readonly recipients: RecipientsFacade,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `invalid_input`, `not_found` when a datasource is not the company's, `conflict` when a condition can't be checked yet, `forbidden` for a recipient. */
  async create(by: Principal, draft: TaskDraft): Promise<ShownTask> {
    assertInterval(draft.automationInterval, draft.thinking);
    const datasources = await this.datasourcesOf(by, draft);
    assertCondition(draft.condition, datasources);
    const notifyEmails = await this.recipients.checked(by, draft.notifyEmails);
    const task = { ...this.recordOf(by, draft, datasources), notifyEmails };
    await this.tasks.insert(task);
    return { task, run: null };
  }

  /** @throws AppError `not_found`, saying which of them is not the company's. */
  private async datasourcesOf({ companyId }: Principal, draft: TaskDraft): Promise<readonly ReadableDatasource[]> {
    const found = await this.datasources.findAll(companyId, draft.datasources);
    return found.map((datasource, index) => {
      if (datasource !== null) return datasource;
      const problem = `datasource ${index + 1} of ${found.length} not found`;
      throw new AppError('not_found', problem, { details: [{ field: `datasources.${index}`, problem }] });
    });
  }

  private recordOf(
    by: Principal,
    draft: TaskDraft,
    datasources: readonly ReadableDatasource[],
  ): Omit<AgentTask, 'notifyEmails'> {
    const now = this.clock.now();
    return {
      ...draft,
      id: this.ids.next(),
      companyId: by.companyId,
      createdBy: by.userId,
      datasourceNames: datasources.map(({ name }) => name),
      status: 'ready',
      runId: null,
      seed: null,
      lastRunAt: null,
      ...NO_LEASE,
      nextRunAt: draft.automationEnabled ? firstTurn(now, rhythmOf(draft)) : null,
      scheduledAt: draft.automationEnabled ? now : null,
      scheduleNote: null,
      failuresInARow: 0,
      skip: null,
      skippedAt: null,
      ...NOT_DELETED,
      createdAt: now,
      updatedAt: now,
    };
  }
}
