import { binRepositoryOf } from '../../../ports/bin-repository.js';
import type { Change, Where } from '../../../ports/document-store.js';
import { AGENT_TASKS, type AgentTask } from './task.schema.js';

/** The tasks of companies. What is being deleted is not there for anybody but its remover. */
export class TaskRepository extends binRepositoryOf(AGENT_TASKS, 'agent task') {
  /** Changes the task if it still is as expected; null: it is not, or it is gone. Every change of a task's state is one of these. */
  override swap(
    task: Pick<AgentTask, 'companyId' | 'id'>,
    expected: Where<AgentTask>,
    set: Change<AgentTask>['set'],
  ): Promise<AgentTask | null> {
    return super.swap(task, { ...expected, deletedAt: null }, set);
  }
}
