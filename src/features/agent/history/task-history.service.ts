import { Injectable } from '@nestjs/common';
import type { TaskId } from '../../../shared/ids.js';
import type { Page, PageOf } from '../../../shared/page.js';
import type { Principal } from '../../../shared/principal.js';
import { noSuchTask } from '../agent.errors.js';
import { RunRepository } from '../run/run.repository.js';
import type { AgentRun } from '../run/run.types.js';
import { TaskRepository } from '../tasks/task.repository.js';

/** Reads what a task has done. */
@Injectable()
export class TaskHistoryService {
  constructor(
    private readonly tasks: TaskRepository,
    private readonly runs: RunRepository,
  ) {}

  /** Newest first. @throws AppError `not_found` */
  async read(by: Principal, id: TaskId, page: Page): Promise<PageOf<AgentRun>> {
    if ((await this.tasks.find(by.companyId, id)) === null) throw noSuchTask();
    return this.runs.history(by.companyId, id, page);
  }
}
