import { Injectable } from '@nestjs/common';
import { Clock } from '../../../ports/clock.js';
import { IdSource } from '../../../ports/id-source.js';
import type { TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import { firstTurn } from '../../../shared/planned-turns.js';
import type { Principal } from '../../../shared/principal.js';
import type { ReadableDatasource } from '../../datasource/datasource.facade.js';
import { noSuchTask } from '../agent.errors.js';
import { assertCondition, assertInterval } from '../schedule/condition-rules.js';
import { TaskDatasources } from './task-datasources.js';
import { TaskReader } from './task-reader.js';
import { TaskRepository } from './task.repository.js';
import type { AgentTask, ShownTask, TaskDraft } from './task.types.js';

/** Makes tasks and reads them. They belong to the company: every user of it may. */
@Injectable()
export class TaskService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly reader: TaskReader,
    private readonly datasources: TaskDatasources,
    private readonly ids: IdSource,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `invalid_input`, `not_found` when a datasource is not the company's, `conflict` when a condition can't be checked yet. */
  async create(by: Principal, draft: TaskDraft): Promise<ShownTask> {
    assertInterval(draft.automationInterval, draft.thinking);
    const datasources = await this.datasources.all(by.companyId, draft.datasources);
    assertCondition(draft.condition, datasources);
    const task = this.recordOf(by, draft, datasources);
    await this.tasks.insert(task);
    return { task, run: null };
  }

  /** @throws AppError `not_found` */
  async get(by: Principal, id: TaskId): Promise<ShownTask> {
    const task = await this.tasks.find(by.companyId, id);
    if (task === null) throw noSuchTask();
    return this.reader.shown(task);
  }

  /** Newest first. */
  async list(by: Principal, page: Page): Promise<PageOf<ShownTask>> {
    const { entries, total } = await this.tasks.list(by.companyId, page);
    return { entries: await this.reader.allShown(entries), total };
  }

  private recordOf(by: Principal, draft: TaskDraft, datasources: readonly ReadableDatasource[]): AgentTask {
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
      leaseOwner: null,
      leaseUntil: null,
      nextRunAt: draft.automationEnabled ? firstTurn(now, draft.automationInterval) : null,
      scheduledAt: draft.automationEnabled ? now : null,
      scheduleNote: null,
      failuresInARow: 0,
      skip: null,
      skippedAt: null,
      deletedAt: null,
      createdAt: now,
      updatedAt: now,
    };
  }
}
