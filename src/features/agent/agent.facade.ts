import { Injectable } from '@nestjs/common';
import type { CompanyId, TaskId } from '../../shared/ids.js';
import { TaskRepository } from './tasks/task.repository.js';

export { LONGEST_INTERVAL, THINKING_INTERVALS } from './schedule/condition.js';

/** The door to agent tasks for other features. */
@Injectable()
export class AgentFacade {
  constructor(private readonly tasks: TaskRepository) {}

  /** Whether the company has such a task. */
  async exists(companyId: CompanyId, id: TaskId): Promise<boolean> {
    return (await this.tasks.find(companyId, id)) !== null;
  }
}
